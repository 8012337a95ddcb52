//! One column of terrain-following levels at depths of one's own choice.

/// The value at a depth, linear between centres; the outer halves of the first and last layers have the value of their
/// level, and below the floor there is none.
///
/// `depths` rise downwards. A missing neighbour makes the value missing.
pub(crate) fn at_depth(depths: &[f64], values: &[f64], floor: f64, wanted: f64) -> f64 {
    if floor.is_nan() || wanted > floor {
        return f64::NAN;
    }
    let below = depths.partition_point(|&depth| depth < wanted);
    let (Some(&last), Some(&first)) = (values.last(), values.first()) else { return f64::NAN };
    if below == 0 {
        return first;
    }
    if below == depths.len() {
        return last;
    }
    let (a, b) = (depths[below - 1], depths[below]);
    if b <= wanted {
        return values[below];
    }
    let share = (wanted - a) / (b - a);
    values[below - 1] * (1.0 - share) + values[below] * share
}

/// The mean over a layer of the levels that it cuts, weighted by the length of the cut; missing levels carry no weight.
///
/// `edges` rise downwards, one more than values. NaN where the layer holds no water with a value.
pub(crate) fn layer_mean(edges: &[f64], values: &[f64], [top, bottom]: [f64; 2]) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (pair, &value) in edges.windows(2).zip(values) {
        let cut = pair[1].min(bottom) - pair[0].max(top);
        if cut > 1e-9 && value.is_finite() {
            sum += value * cut;
            weight += cut;
        }
    }
    if weight > 0.0 { sum / weight } else { f64::NAN }
}

/// Edges half-way between centres, from the surface to the floor; they never run backwards.
pub(crate) fn edges_between(depths: &[f64], surface: f64, floor: f64) -> Vec<f64> {
    let mut out = vec![surface];
    out.extend(depths.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]).min(floor)));
    out.push(floor);
    out
}

/// Usual edges of layers in metres, from the surface to the deepest trench.
const EDGES: [f64; 33] = [
    0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 75.0, 100.0, 125.0, 150.0, 200.0, 250.0, 300.0,
    400.0, 500.0, 600.0, 700.0, 800.0, 1000.0, 1250.0, 1500.0, 1750.0, 2000.0, 2500.0, 3000.0, 4000.0,
    5000.0, 6000.0, 11_000.0,
];

/// Layers of fixed depth from one depth to another.
pub(crate) fn fixed_layers(from: f64, to: f64) -> Vec<[f64; 2]> {
    let inner = EDGES.iter().copied().filter(|&edge| edge > from + 1e-6 && edge < to - 1e-6);
    let edges: Vec<f64> = std::iter::once(from).chain(inner).chain([to]).collect();
    edges.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_centres_are_linear() {
        let (depths, values) = ([5.0, 15.0, 35.0], [20.0, 18.0, 10.0]);
        for (wanted, expected) in
            [(0.0, 20.0), (5.0, 20.0), (10.0, 19.0), (15.0, 18.0), (25.0, 14.0), (40.0, 10.0), (45.0, 10.0)]
        {
            let got = at_depth(&depths, &values, 45.0, wanted);
            assert!((got - expected).abs() < 1e-12, "{wanted}: {got}");
        }
        assert!(at_depth(&depths, &values, 45.0, 45.1).is_nan());
        assert!(at_depth(&depths, &values, f64::NAN, 5.0).is_nan());
        assert!(at_depth(&depths, &[20.0, f64::NAN, 10.0], 45.0, 10.0).is_nan());
    }

    #[test]
    fn layers_keep_the_integral() {
        let edges = [-0.5, 12.0, 30.0, 80.0];
        let values = [20.0, 15.0, 5.0];
        let layers = fixed_layers(0.0, 80.0);
        let held: f64 =
            layers.iter().map(|layer| layer_mean(&edges, &values, *layer) * (layer[1] - layer[0])).sum();
        let exact = 20.0 * 12.0 + 15.0 * 18.0 + 5.0 * 50.0;
        assert!((held - exact).abs() < 1e-9, "{held}");
        assert!(layer_mean(&edges, &values, [80.0, 100.0]).is_nan());
        assert!((layer_mean(&edges, &values, [75.0, 100.0]) - 5.0).abs() < 1e-12);
    }

    #[test]
    fn layers_begin_and_end_where_they_are_asked_to() {
        let layers = fixed_layers(7.0, 42.0);
        assert_eq!(layers.first(), Some(&[7.0, 10.0]));
        assert_eq!(layers.last(), Some(&[40.0, 42.0]));
        assert_eq!(fixed_layers(0.0, 5.0), [[0.0, 5.0]]);
        assert_eq!(edges_between(&[1.0, 3.0], 0.0, 4.0), [0.0, 2.0, 4.0]);
    }
}
