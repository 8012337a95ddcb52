//! Clusters of points by Lloyd's algorithm.
//!
//! # Source
//! Lloyd (1982), IEEE Transactions on Information Theory 28, 129-137.

/// Clusters of points in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    /// Centres, in the order of the starting points.
    pub centres: Vec<[f64; 2]>,
    /// The cluster of each point.
    pub of: Vec<usize>,
    /// Sum of the squared distances to the own centre.
    pub inertia: f64,
}

/// Moves the centres from their start to the means of the points nearest to them until no point changes its cluster,
/// or `max_steps` times. A cluster without points keeps its centre. Of equally near centres the first is taken.
pub fn k_means(points: &[[f64; 2]], start: &[[f64; 2]], max_steps: usize) -> Clusters {
    let mut centres = start.to_vec();
    let mut of = assign(points, &centres);
    for _ in 0..max_steps {
        let mut sums = vec![([0.0, 0.0], 0_usize); centres.len()];
        for (point, &own) in points.iter().zip(&of) {
            sums[own].0[0] += point[0];
            sums[own].0[1] += point[1];
            sums[own].1 += 1;
        }
        for (centre, (sum, n)) in centres.iter_mut().zip(sums) {
            if n > 0 {
                *centre = sum.map(|sum| sum / n as f64);
            }
        }
        let next = assign(points, &centres);
        if next == of {
            break;
        }
        of = next;
    }
    let inertia = points.iter().zip(&of).map(|(point, &own)| distance(*point, centres[own])).sum();
    Clusters { centres, of, inertia }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
}

fn assign(points: &[[f64; 2]], centres: &[[f64; 2]]) -> Vec<usize> {
    let nearest = |point: &[f64; 2]| {
        (0..centres.len()).fold(0, |best, own| {
            if distance(*point, centres[own]) < distance(*point, centres[best]) { own } else { best }
        })
    };
    points.iter().map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_heaps_are_found_from_any_start() {
        let points = [[0.0, 0.0], [0.0, 1.0], [10.0, 10.0], [10.0, 11.0]];
        let found = k_means(&points, &[[0.0, 0.0], [0.0, 1.0]], 100);
        assert_eq!(found.centres, [[0.0, 0.5], [10.0, 10.5]]);
        assert_eq!((found.of, found.inertia), (vec![0, 0, 1, 1], 1.0));
    }

    #[test]
    fn an_empty_cluster_keeps_its_centre() {
        let found = k_means(&[[0.0, 0.0]], &[[0.0, 0.0], [5.0, 5.0]], 10);
        assert!((found.centres[1][0] - 5.0).abs() < 1e-15 && found.of == [0]);
    }
}
