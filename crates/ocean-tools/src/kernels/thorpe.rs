//! Overturns of a column, by sorting it.
//!
//! # Source
//! Thorpe (1977), Philosophical Transactions of the Royal Society A 286, 125-181; Dillon (1982), Journal of Geophysical
//! Research 87, 9601-9613.

use libm::sqrt;

/// What sorting a column by density says of each of its levels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Overturns {
    /// Root mean square displacement of the overturn that the level belongs to; NaN outside of one.
    pub(crate) scale: Vec<f64>,
    /// Way from the level whose water it is to the level where the water belongs, positive downwards.
    pub(crate) displacement: Vec<f64>,
    /// Number of the overturn from the surface, from 1 on; NaN outside of one.
    pub(crate) number: Vec<f64>,
}

/// The overturns of a column without missing values, density over depth. Those whose densities differ by `noise` or
/// less are none.
pub(crate) fn overturns(z: &[f64], rho: &[f64], noise: f64) -> Overturns {
    let n = z.len();
    let mut order: Vec<usize> = (0..n).collect();
    // A stable sort leaves equal densities where they are.
    order.sort_by(|a, b| rho[*a].total_cmp(&rho[*b]));
    let mut displacement = vec![0.0; n];
    for (to, &from) in order.iter().enumerate() {
        displacement[from] = z[to] - z[from];
    }
    let mut found = Overturns { scale: vec![f64::NAN; n], displacement, number: vec![f64::NAN; n] };
    let (mut start, mut reach, mut number) = (0, 0, 0.0);
    for (to, &from) in order.iter().enumerate() {
        reach = reach.max(from);
        if reach > to {
            continue;
        }
        // All that was sorted so far comes from above here: a part ends.
        let part = start..to + 1;
        start = to + 1;
        if part.len() < 2 {
            continue;
        }
        if rho[order[to]] - rho[order[part.start]] <= noise {
            found.displacement[part].fill(0.0);
            continue;
        }
        number += 1.0;
        let squares: f64 = found.displacement[part.clone()].iter().map(|own| own * own).sum();
        found.scale[part.clone()].fill(sqrt(squares / part.len() as f64));
        found.number[part].fill(number);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_layer_has_the_scale_of_its_thickness() {
        let z: Vec<f64> = (0..10).map(f64::from).collect();
        let mut rho: Vec<f64> = z.iter().map(|z| 0.01 * z).collect();
        rho[3..7].reverse();
        let found = overturns(&z, &rho, 0.001);
        // Displacements 3, 1, -1, -3.
        let exact = sqrt(5.0);
        assert!(
            (3..7)
                .all(|at| (found.scale[at] - exact).abs() < 1e-12 && (found.number[at] - 1.0).abs() < 1e-12)
        );
        assert!(found.scale[2].is_nan() && found.scale[7].is_nan());
        assert_eq!(found.displacement[3..7], [3.0, 1.0, -1.0, -3.0]);
        let quiet = overturns(&z, &rho, 0.05);
        assert!(
            quiet.scale.iter().all(|scale| scale.is_nan())
                && quiet.displacement.iter().all(|own| *own == 0.0)
        );
    }

    #[test]
    fn scales_are_those_of_mixsea() {
        // mixsea 0.2.0, `overturn.thorpe_scale(depth, q, 5e-4)`.
        let z: Vec<f64> = (0..12).map(|at| 2.0 * f64::from(at)).collect();
        let rho = [25.0, 25.01, 25.03, 25.02, 25.04, 25.08, 25.06, 25.05, 25.07, 25.09, 25.0905, 25.0901];
        let found = overturns(&z, &rho, 5e-4);
        let peer = [
            f64::NAN,
            f64::NAN,
            2.0,
            2.0,
            f64::NAN,
            3.741_657_386_8,
            3.741_657_386_8,
            3.741_657_386_8,
            3.741_657_386_8,
            f64::NAN,
            f64::NAN,
            f64::NAN,
        ];
        for (own, peer) in found.scale.iter().zip(peer) {
            assert!((own.is_nan() && peer.is_nan()) || (own - peer).abs() < 1e-9, "{:?}", found.scale);
        }
    }
}
