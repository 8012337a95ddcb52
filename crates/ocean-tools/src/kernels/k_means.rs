//! Clusters of points by Lloyd's algorithm.
//!
//! # Source
//! Lloyd (1982), IEEE Transactions on Information Theory 28, 129-137; starting points by k-means++ of Arthur &
//! Vassilvitskii (2007), SODA, 1027-1035; silhouette of Rousseeuw (1987), J. Comput. Appl. Math. 20, 53-65.

use super::random::Random;

/// Clusters of points.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    /// Centres, in the order of the starting points.
    pub centres: Vec<Vec<f64>>,
    /// The cluster of each point.
    pub of: Vec<usize>,
    /// Sum of the squared distances to the own centre.
    pub inertia: f64,
}

/// Moves the centres from their start to the means of the points nearest to them until no point changes its cluster,
/// or `max_steps` times. A cluster without points keeps its centre. Of equally near centres the first is taken.
pub fn k_means<P: AsRef<[f64]>>(points: &[P], start: &[P], max_steps: usize) -> Clusters {
    let mut centres: Vec<Vec<f64>> = start.iter().map(|own| own.as_ref().to_vec()).collect();
    let mut of = assign(points, &centres);
    for _ in 0..max_steps {
        let mut sums: Vec<(Vec<f64>, usize)> =
            centres.iter().map(|centre| (vec![0.0; centre.len()], 0)).collect();
        for (point, &own) in points.iter().zip(&of) {
            sums[own].0.iter_mut().zip(point.as_ref()).for_each(|(sum, value)| *sum += value);
            sums[own].1 += 1;
        }
        for (centre, (sum, n)) in centres.iter_mut().zip(sums) {
            if n > 0 {
                *centre = sum.into_iter().map(|sum| sum / n as f64).collect();
            }
        }
        let next = assign(points, &centres);
        if next == of {
            break;
        }
        of = next;
    }
    let inertia = points.iter().zip(&of).map(|(point, &own)| distance(point.as_ref(), &centres[own])).sum();
    Clusters { centres, of, inertia }
}

/// The clusters of least inertia from `tries` starts by k-means++.
pub(crate) fn best_of(points: &[Vec<f64>], k: usize, tries: usize, random: &mut Random) -> Option<Clusters> {
    let mut best: Option<Clusters> = None;
    for _ in 0..tries {
        let own = k_means(points, &plus_plus(points, k, random), 300);
        if best.as_ref().is_none_or(|best| own.inertia < best.inertia) {
            best = Some(own);
        }
    }
    best
}

/// Starting points, each taken with a probability that grows with the squared distance from those before it.
fn plus_plus(points: &[Vec<f64>], k: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut start = vec![points[random.below(points.len())].clone()];
    let mut nearest: Vec<f64> = points.iter().map(|point| distance(point, &start[0])).collect();
    while start.len() < k {
        let mut left = random.uniform() * nearest.iter().sum::<f64>();
        let found = nearest.iter().position(|own| {
            left -= own;
            left < 0.0
        });
        let next = points[found.unwrap_or(points.len() - 1)].clone();
        for (own, point) in nearest.iter_mut().zip(points) {
            *own = own.min(distance(point, &next));
        }
        start.push(next);
    }
    start
}

/// Mean over the points of `(b − a)/max(a, b)`: `a` the mean distance to the own cluster, `b` that to the nearest other.
/// Missing for fewer than two clusters.
pub(crate) fn silhouette(points: &[Vec<f64>], of: &[usize], k: usize) -> f64 {
    let mut counts = vec![0_u32; k];
    for own in of {
        counts[*own] += 1;
    }
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        return f64::NAN;
    }
    let mut sum = 0.0;
    for (point, &own) in points.iter().zip(of) {
        let mut far = vec![0.0; k];
        for (other, &cluster) in points.iter().zip(of) {
            far[cluster] += libm::sqrt(distance(point, other));
        }
        if counts[own] < 2 {
            continue;
        }
        let a = far[own] / f64::from(counts[own] - 1);
        let others = (0..k).filter(|at| *at != own && counts[*at] > 0);
        let b = others.map(|at| far[at] / f64::from(counts[at])).fold(f64::INFINITY, f64::min);
        sum += if a.max(b) > 0.0 { (b - a) / a.max(b) } else { 0.0 };
    }
    sum / points.len() as f64
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn assign<P: AsRef<[f64]>>(points: &[P], centres: &[Vec<f64>]) -> Vec<usize> {
    let nearest = |point: &P| {
        let off: Vec<f64> = centres.iter().map(|centre| distance(point.as_ref(), centre)).collect();
        (0..centres.len()).fold(0, |best, own| if off[own] < off[best] { own } else { best })
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
