//! [`SanityCheck`]: changes nothing and only rejects.

use super::consolidator_after_layer::has_several_agents;
use super::merge_after_tracks::needs_merge;
use super::split_data_classes::classes;
use crate::plan::{Code, Diagnostic};
use crate::routing::{
    Draft, DraftLayer, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work,
};

/// What the generic rules promise holds at the end, whoever rewrote after them.
///
/// ```text
/// before    after
/// anything  the same, or a diagnostic with code `broken_rule`
/// ```
#[derive(Debug)]
pub(super) struct SanityCheck;

impl RoutingRule for SanityCheck {
    fn name(&self) -> &'static str {
        "sanity_check"
    }

    fn rewrite(&self, draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        if draft.reporter.is_none() {
            return Err(broken(String::new(), "nothing writes the answer", "add a reporter"));
        }
        if draft.merge.is_some() != needs_merge(&draft) {
            return Err(broken(
                String::new(),
                "a merge does not match the number of tracks",
                "join two or more tracks, and never one",
            ));
        }
        for (t, track) in draft.tracks.iter().enumerate() {
            check_track(track, t, context)?;
        }
        Ok(Rewrite::Unchanged(draft))
    }
}

fn check_track(track: &DraftTrack, t: usize, context: &RuleContext<'_>) -> Result<(), Diagnostic> {
    let place = format!("/tracks/{t}");
    if track.layers.is_empty() && (track.form == Form::Layers || track.result.is_none()) {
        let message = format!("track `{}` has nothing to do", track.id);
        return Err(broken(place, &message, "give it a step, or leave the track out"));
    }
    for (l, layer) in track.layers.iter().enumerate() {
        check_layer(layer, track.form, context).map_err(|(message, hint)| {
            broken(place.clone(), &format!("layer {} of track `{}` {message}", l + 1, track.id), hint)
        })?;
    }
    Ok(())
}

fn check_layer(
    layer: &DraftLayer,
    form: Form,
    context: &RuleContext<'_>,
) -> Result<(), (String, &'static str)> {
    if layer.nodes.is_empty() {
        return Err(("is empty".to_owned(), "leave the layer out"));
    }
    let fits =
        |work: &Work| matches!((work, form), (Work::Agent(_), Form::Layers) | (Work::Tool(_), Form::Steps));
    if let Some(node) = layer.nodes.iter().find(|node| !fits(&node.work)) {
        return Err((
            format!("holds `{}`, which is not of the track's form", node.id()),
            "move it to another track",
        ));
    }
    let classes = classes(layer, context);
    if classes.len() > 1 {
        return Err((format!("mixes data classes {classes:?}"), "put each class in a layer of its own"));
    }
    let makers = layer.nodes.iter().filter(|node| context.makes_images(node)).map(DraftNode::id);
    if !makers.eq(layer.images.iter().map(|image| &image.of)) {
        let message = "does not look at each picture that is made in it".to_owned();
        return Err((message, "give each node that makes pictures one image node"));
    }
    if layer.consolidator.is_some() != has_several_agents(layer) {
        let message = "has a consolidator that does not match its agents".to_owned();
        return Err((message, "consolidate layers of several agents, and no others"));
    }
    Ok(())
}

fn broken(pointer: String, message: &str, hint: &str) -> Diagnostic {
    Diagnostic::new(pointer, Code::BrokenRule, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, registry, sketch};
    use super::*;

    /// What goes wrong with a draft, and a part of what is said about it.
    type Fault = (&'static str, fn(&mut Draft));

    fn verdict(change: impl FnOnce(&mut Draft)) -> Result<(), String> {
        let mut draft = agents(&[&["a:coops", "b:usgs"], &["m:mapper"]]);
        draft.reporter = Some("reporter".parse().unwrap());
        draft.tracks[0].layers[0].consolidator = Some("fold".parse().unwrap());
        draft.tracks[0].layers[1]
            .images
            .push(crate::routing::DraftImage { id: "image_m".parse().unwrap(), of: "m".parse().unwrap() });
        change(&mut draft);
        let registry = registry();
        match SanityCheck.rewrite(draft.clone(), &RuleContext::new(&registry)) {
            Ok(Rewrite::Unchanged(same)) => {
                assert_eq!(same, draft);
                Ok(())
            }
            Ok(Rewrite::Changed(_)) => panic!("it must not change anything"),
            Err(diagnostic) => {
                assert_eq!(diagnostic.code, Code::BrokenRule);
                Err(diagnostic.message)
            }
        }
    }

    #[test]
    fn sketch_of_the_docs() {
        let mut draft = agents(&[&["gauges:coops"]]);
        draft.reporter = Some("reporter".parse().unwrap());
        insta::assert_snapshot!(sketch(&SanityCheck, &draft), @r"
        before
        t
          1 gauges
        reporter
        after
        t
          1 gauges
        reporter
        ");
        draft.reporter = None;
        let refused = SanityCheck.rewrite(draft, &RuleContext::new(&registry())).unwrap_err();
        insta::assert_snapshot!(refused, @"plan: nothing writes the answer; add a reporter");
    }

    #[test]
    fn accepts_what_is_right_and_rejects_each_fault() {
        assert_eq!(verdict(|_| {}), Ok(()));
        let faults: [Fault; 8] = [
            ("nothing writes", |draft| draft.reporter = None),
            ("a merge", |draft| draft.merge = Some("m2".parse().unwrap())),
            ("nothing to do", |draft| draft.tracks[0].layers.clear()),
            ("is empty", |draft| draft.tracks[0].layers[1].nodes.clear()),
            ("mixes data classes", |draft| {
                let zones = agents(&[&["z:fema"]]).tracks.remove(0).layers.remove(0).nodes.remove(0);
                draft.tracks[0].layers[0].nodes.push(zones);
            }),
            ("each picture", |draft| draft.tracks[0].layers[1].images.clear()),
            ("consolidator", |draft| draft.tracks[0].layers[0].consolidator = None),
            ("track's form", |draft| draft.tracks[0].form = Form::Steps),
        ];
        for (part, fault) in faults {
            let message = verdict(fault).unwrap_err();
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}
