//! [`MergeAfterTracks`]: what several tracks found becomes one brief.

use crate::plan::{Code, Diagnostic};
use crate::routing::{Draft, Rewrite, RoutingRule, RuleContext};

/// Two or more tracks meet in a merge; the shared track, which only serves others, does not count.
///
/// ```text
/// before          after
/// coast, surge    coast, surge → merge
/// ```
#[derive(Debug)]
pub(super) struct MergeAfterTracks;

impl RoutingRule for MergeAfterTracks {
    fn name(&self) -> &'static str {
        "merge_after_tracks"
    }

    fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        if draft.merge.is_some() == needs_merge(&draft) {
            return Ok(Rewrite::Unchanged(draft));
        }
        draft.merge = if needs_merge(&draft) {
            Some(draft.free_id("merge").map_err(|error| {
                Diagnostic::new("", Code::BadId, format!("the merge has no name: {error}"))
            })?)
        } else {
            None
        };
        Ok(Rewrite::Changed(draft))
    }
}

/// Whether two or more tracks are to be joined.
pub(super) fn needs_merge(draft: &Draft) -> bool {
    draft.tracks.iter().filter(|track| !track.shared).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{check_rule, registry, sketch, tools};
    use super::*;

    #[test]
    fn sketch_of_the_docs() {
        let draft = tools(&[("coast", &["a:mean:{}"]), ("surge", &["b:mean:{}"])]);
        insta::assert_snapshot!(sketch(&MergeAfterTracks, &draft), @r"
        before
        coast
          1 a
        surge
          1 b
        after
        coast
          1 a
        surge
          1 b
        merge
        ");
    }

    #[test]
    fn joins_two_tracks() {
        let draft = tools(&[("t", &["a:mean:{}"]), ("u", &["merge:mean:{}"])]);
        let after = check_rule(&MergeAfterTracks, &draft, &registry(), true);
        assert_eq!(after.merge.unwrap().as_str(), "merge_");
    }

    #[test]
    fn leaves_one_track_alone_even_beside_a_shared_one() {
        let mut draft = tools(&[("s", &["a:mean:{}"]), ("u", &["b:mean:{}"])]);
        draft.tracks[0].shared = true;
        check_rule(&MergeAfterTracks, &draft, &registry(), false);
    }

    #[test]
    fn drops_a_merge_of_one_track() {
        let mut draft = tools(&[("t", &["a:mean:{}"])]);
        draft.merge = Some("stray".parse().unwrap());
        let after = check_rule(&MergeAfterTracks, &draft, &registry(), true);
        assert_eq!(after.merge, None);
    }
}
