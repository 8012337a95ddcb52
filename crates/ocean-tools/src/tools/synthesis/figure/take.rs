//! Parts of arrays: some dimensions kept, in a chosen order, the others at one place.

use leg_core::Variable;

/// Returns the values along some dimensions, in this order, row-major; the first other dimension stands at `at`, further
/// ones at their first place. Nothing if the array lacks one of them, or has not the length of its shape.
pub(super) fn take(variable: &Variable, keep: &[&str], at: usize) -> Option<Vec<f64>> {
    let total: usize = variable.shape.iter().product();
    if variable.dims.len() != variable.shape.len() || total != variable.values.len() || total == 0 {
        return None;
    }
    let mut strides = vec![1; variable.shape.len()];
    for place in (1..variable.shape.len()).rev() {
        strides[place - 1] = strides[place] * variable.shape[place];
    }
    let kept: Vec<usize> =
        keep.iter().map(|name| variable.dims.iter().position(|dim| dim == name)).collect::<Option<_>>()?;
    let others = (0..variable.dims.len()).filter(|place| !kept.contains(place));
    let start = others.zip(std::iter::once(at).chain(std::iter::repeat(0)));
    let start: usize =
        start.map(|(place, at)| strides[place] * at.min(variable.shape[place].saturating_sub(1))).sum();
    let mut starts = vec![start];
    for place in kept {
        starts = starts
            .into_iter()
            .flat_map(|start| (0..variable.shape[place]).map(move |step| (start, step)))
            .map(|(start, step)| start + step * strides[place])
            .collect();
    }
    Some(starts.into_iter().map(|place| variable.values[place]).collect())
}

/// Returns the length of a dimension.
pub(super) fn length(variable: &Variable, name: &str) -> Option<usize> {
    variable.dims.iter().position(|dim| dim == name).and_then(|place| variable.shape.get(place)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_come_in_the_order_asked_for() {
        let variable = Variable {
            name: "v".to_owned(),
            standard_name: None,
            units: "1".to_owned(),
            dims: ["mode", "y", "x"].map(str::to_owned).to_vec(),
            shape: vec![2, 2, 3],
            values: (0..12).map(f64::from).collect(),
        };
        assert_eq!(take(&variable, &["y", "x"], 1).unwrap(), [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
        assert_eq!(take(&variable, &["x", "y"], 0).unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(take(&variable, &["mode"], 0).unwrap(), [0.0, 6.0]);
        assert_eq!(take(&variable, &["y", "x"], 9).unwrap()[..1], [6.0]);
        assert_eq!(take(&variable, &["time"], 0), None);
        let torn = Variable { values: vec![1.0], ..variable };
        assert_eq!(take(&torn, &["x"], 0), None);
    }
}
