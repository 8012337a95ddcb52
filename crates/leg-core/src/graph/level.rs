//! Levelling: the layer of a step follows from what it refers to.

use crate::NodeId;
use crate::plan::Step;

use super::referenced_nodes;

/// Steps wait for each other.
///
/// ```
/// use leg_core::graph::levels;
/// use leg_core::plan::{Body, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [
///     {"id": "a", "tool": "echo", "args": {"x": {"$ref": "b"}}},
///     {"id": "b", "tool": "echo", "args": {"x": {"$ref": "a"}}}]}]})).unwrap();
/// let Body::Steps(steps) = &plan.tracks[0].body else { unreachable!() };
/// assert_eq!(levels(steps).unwrap_err().steps.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("steps {} wait for each other; remove one of these references", path(.steps))]
pub struct CycleError {
    /// The steps of one cycle: each refers to the next, the last to the first.
    pub steps: Vec<NodeId>,
}

fn path(steps: &[NodeId]) -> String {
    steps.iter().chain(steps.first()).map(|step| format!("`{step}`")).collect::<Vec<_>>().join(" → ")
}

/// The layer of each step, from 0: one more than the highest layer that it refers to in its arguments, its condition
/// or its fan-out; the longest path decides. References to what is not in `steps` do not count.
///
/// ```
/// use leg_core::graph::levels;
/// use leg_core::plan::{Limits, Step};
///
/// let step = |id: &str, args| Step {
///     id: id.parse().unwrap(),
///     tool: "mean".parse().unwrap(),
///     args,
///     for_each: None,
///     when: None,
///     limits: Limits::default(),
/// };
/// let steps = [
///     step("b", serde_json::json!({"data": {"$ref": "a"}})),
///     step("a", serde_json::json!({})),
/// ];
/// assert_eq!(levels(&steps).unwrap(), [1, 0]);
/// ```
///
/// # Errors
/// [`CycleError`] names the steps of one cycle.
pub fn levels<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Result<Vec<usize>, CycleError> {
    let steps: Vec<&Step> = steps.into_iter().collect();
    let places: std::collections::BTreeMap<&str, usize> =
        steps.iter().enumerate().map(|(at, step)| (step.id.as_str(), at)).collect();
    let parents: Vec<Vec<usize>> = steps
        .iter()
        .map(|step| {
            let mut own: Vec<usize> =
                referenced_nodes(step).into_iter().filter_map(|name| places.get(name).copied()).collect();
            own.sort_unstable();
            own.dedup();
            own
        })
        .collect();
    longest_paths(&parents).map_err(|cycle| CycleError {
        steps: cycle.into_iter().filter_map(|at| Some(steps.get(at)?.id.clone())).collect(),
    })
}

/// Kahn's algorithm; the error is one cycle, each member followed by one of its parents.
fn longest_paths(parents: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut waiting: Vec<usize> = vec![0; parents.len()];
    for (at, own) in parents.iter().enumerate() {
        for &parent in own {
            if let (Some(list), Some(count)) = (children.get_mut(parent), waiting.get_mut(at)) {
                list.push(at);
                *count += 1;
            }
        }
    }
    let mut layers = vec![0; parents.len()];
    let mut ready: Vec<usize> =
        waiting.iter().enumerate().filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
    let mut done = 0;
    while let Some(at) = ready.pop() {
        done += 1;
        let next = layers.get(at).copied().unwrap_or(0) + 1;
        for &child in children.get(at).into_iter().flatten() {
            if let (Some(layer), Some(count)) = (layers.get_mut(child), waiting.get_mut(child)) {
                *layer = next.max(*layer);
                *count -= 1;
                if *count == 0 {
                    ready.push(child);
                }
            }
        }
    }
    if done == parents.len() { Ok(layers) } else { Err(find_cycle(parents, &waiting)) }
}

fn find_cycle(parents: &[Vec<usize>], waiting: &[usize]) -> Vec<usize> {
    let stuck = |at: &usize| waiting.get(*at).is_some_and(|count| *count > 0);
    let mut seen: Vec<Option<usize>> = vec![None; parents.len()];
    let mut walk = Vec::new();
    // Every stuck step has a stuck parent, so that the walk must come back to itself.
    let mut next = (0..parents.len()).find(stuck);
    while let Some(at) = next {
        match seen.get_mut(at) {
            Some(Some(start)) => return walk.split_off(*start),
            Some(place) => *place = Some(walk.len()),
            None => break,
        }
        walk.push(at);
        next = parents.get(at).into_iter().flatten().copied().find(stuck);
    }
    walk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_path_decides() {
        // 0 ← 1 ← 3, and 3 also looks at 0; 2 stands alone.
        let parents = [vec![], vec![0], vec![], vec![0, 1]];
        assert_eq!(longest_paths(&parents), Ok(vec![0, 1, 0, 2]));
    }

    #[test]
    fn names_one_cycle_and_not_what_hangs_on_it() {
        // 0 waits for the cycle 1 → 2 → 1.
        assert_eq!(longest_paths(&[vec![1], vec![2], vec![1]]), Err(vec![1, 2]));
        assert_eq!(longest_paths(&[vec![0]]), Err(vec![0]));
    }

    #[test]
    fn the_message_names_the_steps() {
        let error = CycleError { steps: vec!["a".parse().unwrap(), "b".parse().unwrap()] };
        assert_eq!(
            error.to_string(),
            "steps `a` → `b` → `a` wait for each other; remove one of these references"
        );
    }
}
