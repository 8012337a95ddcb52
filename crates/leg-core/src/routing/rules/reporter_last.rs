//! [`ReporterLast`]: every graph ends with an answer.

use crate::plan::{Code, Diagnostic};
use crate::routing::{Draft, Rewrite, RoutingRule, RuleContext};

/// The reporter is there and last.
///
/// ```text
/// before     after
/// … merge    … merge → reporter
/// ```
#[derive(Debug)]
pub(super) struct ReporterLast;

impl RoutingRule for ReporterLast {
    fn name(&self) -> &'static str {
        "reporter_last"
    }

    fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        if draft.reporter.is_some() {
            return Ok(Rewrite::Unchanged(draft));
        }
        draft.reporter = Some(draft.free_id("reporter").map_err(|error| {
            Diagnostic::new("", Code::BadId, format!("the reporter has no name: {error}"))
        })?);
        Ok(Rewrite::Changed(draft))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, check_rule, registry, sketch};
    use super::*;

    #[test]
    fn sketch_of_the_docs() {
        let draft = agents(&[&["gauges:coops"]]);
        insta::assert_snapshot!(sketch(&ReporterLast, &draft), @r"
        before
        t
          1 gauges
        after
        t
          1 gauges
        reporter
        ");
    }

    #[test]
    fn adds_one_under_a_free_id() {
        let after = check_rule(&ReporterLast, &agents(&[&["reporter:coops"]]), &registry(), true);
        assert_eq!(after.reporter.unwrap().as_str(), "reporter_");
    }

    #[test]
    fn leaves_alone_one_that_is_there() {
        let mut draft = agents(&[&["a:coops"]]);
        draft.reporter = Some("writer".parse().unwrap());
        check_rule(&ReporterLast, &draft, &registry(), false);
    }
}
