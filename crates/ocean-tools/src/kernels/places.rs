//! [`Places`]: the nearest of many places on the sphere.
//!
//! # Source
//! Bentley (1975), "Multidimensional binary search trees used for associative searching", *Communications of the ACM* 18:
//! a k-d tree, here over unit vectors, where the shortest chord is the shortest great circle. Of places as near, the one
//! with the smallest index is found.

use super::sphere::RADIANS;

/// Leaves of the tree hold at most so many places.
const LEAF: usize = 16;

/// Places by their unit vectors, in a k-d tree.
///
/// ```
/// use ocean_tools::kernels::places::Places;
///
/// let places = Places::new([[10.0, 0.0], [350.0, 0.0], [180.0, 89.0]]);
/// assert_eq!(places.nearest([1.0, 0.0], 1)[0].0, 0);
/// assert_eq!(places.nearest([-1.0, 0.0], 1)[0].0, 1);
/// assert_eq!(places.nearest([0.0, 90.0], 1)[0].0, 2);
/// ```
#[derive(Debug, Clone)]
pub struct Places {
    vectors: Vec<[f64; 3]>,
    /// Positions of the places in the order of the tree: the middle of every part splits it.
    order: Vec<u32>,
}

/// A place as a unit vector; NaN for one that is not known.
pub fn unit_vector([lon, lat]: [f64; 2]) -> [f64; 3] {
    let (lon, lat) = (lon * RADIANS, lat * RADIANS);
    [libm::cos(lat) * libm::cos(lon), libm::cos(lat) * libm::sin(lon), libm::sin(lat)]
}

/// The angle at the centre, in radians, that a chord of this squared length spans.
fn angle_of(squared: f64) -> f64 {
    2.0 * libm::asin((squared.sqrt() / 2.0).min(1.0))
}

impl Places {
    /// Places `[lon, lat]` in degrees; those with NaN are never found.
    pub fn new(places: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let vectors: Vec<[f64; 3]> = places.into_iter().map(unit_vector).collect();
        let mut order: Vec<u32> = (0..u32::try_from(vectors.len()).unwrap_or(u32::MAX))
            .filter(|&at| vectors[at as usize].iter().all(|part| part.is_finite()))
            .collect();
        split(&mut order, &vectors, 0);
        Self { vectors, order }
    }

    /// Whether there is no place.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The places nearest a place `[lon, lat]`, nearest first, at most `count`: position and angle in radians.
    pub fn nearest(&self, place: [f64; 2], count: usize) -> Vec<(usize, f64)> {
        let wanted = unit_vector(place);
        let mut found: Vec<(f64, u32)> = Vec::with_capacity(count + 1);
        if count > 0 && wanted.iter().all(|part| part.is_finite()) {
            self.search(&self.order, 0, wanted, count, &mut found);
        }
        found.into_iter().map(|(squared, at)| (at as usize, angle_of(squared))).collect()
    }

    fn search(&self, part: &[u32], axis: usize, wanted: [f64; 3], count: usize, found: &mut Vec<(f64, u32)>) {
        if part.len() <= LEAF {
            for &at in part {
                self.offer(at, wanted, count, found);
            }
            return;
        }
        let middle = part.len() / 2;
        let (below, rest) = part.split_at(middle);
        let Some((&at, above)) = rest.split_first() else { return };
        let off = wanted[axis] - self.vectors[at as usize][axis];
        let (near, far) = if off < 0.0 { (below, above) } else { (above, below) };
        self.search(near, (axis + 1) % 3, wanted, count, found);
        self.offer(at, wanted, count, found);
        let worst = if found.len() < count { f64::INFINITY } else { found[count - 1].0 };
        // As far as the worst too: a place there with a smaller position comes first.
        if off * off <= worst {
            self.search(far, (axis + 1) % 3, wanted, count, found);
        }
    }

    fn offer(&self, at: u32, wanted: [f64; 3], count: usize, found: &mut Vec<(f64, u32)>) {
        let own = self.vectors[at as usize];
        let squared = (0..3).fold(0.0, |sum, i| sum + (own[i] - wanted[i]) * (own[i] - wanted[i]));
        let before = found.partition_point(|&(other, index)| (other, index) < (squared, at));
        if before < count {
            found.insert(before, (squared, at));
            found.truncate(count);
        }
    }
}

/// Orders a part of the tree: what is below the middle along the axis stands before it.
fn split(part: &mut [u32], vectors: &[[f64; 3]], axis: usize) {
    if part.len() <= LEAF {
        return;
    }
    let middle = part.len() / 2;
    part.select_nth_unstable_by(middle, |&a, &b| {
        vectors[a as usize][axis].total_cmp(&vectors[b as usize][axis]).then(a.cmp(&b))
    });
    let (below, rest) = part.split_at_mut(middle);
    split(below, vectors, (axis + 1) % 3);
    if let Some((_, above)) = rest.split_first_mut() {
        split(above, vectors, (axis + 1) % 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::sphere::haversine;

    fn scattered(n: usize) -> Vec<[f64; 2]> {
        // The golden angle scatters places evenly over the sphere.
        (0..n)
            .map(|i| {
                let lat = libm::asin(1.0 - 2.0 * (i as f64 + 0.5) / n as f64) / RADIANS;
                [(i as f64 * 137.507_764) % 360.0 - 180.0, lat]
            })
            .collect()
    }

    #[test]
    fn agrees_with_looking_at_all() {
        let places = scattered(2000);
        let tree = Places::new(places.iter().copied());
        for wanted in scattered(137) {
            let wanted = [wanted[0] + 1.3, wanted[1] * 0.99];
            let mut all: Vec<(usize, f64)> =
                places.iter().map(|&own| haversine(own, wanted, 1.0)).enumerate().collect();
            all.sort_by(|a, b| a.1.total_cmp(&b.1));
            for (found, own) in tree.nearest(wanted, 5).iter().zip(&all) {
                assert_eq!(found.0, own.0);
                assert!((found.1 - own.1).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn of_two_as_near_the_first_is_found_and_unknown_places_never() {
        let mut places = vec![[f64::NAN, 0.0]; 3];
        places.extend(vec![[20.0, 10.0]; 50]);
        let tree = Places::new(places);
        assert_eq!(tree.nearest([20.0, 10.0], 2).iter().map(|own| own.0).collect::<Vec<_>>(), [3, 4]);
        assert!(Places::new([]).is_empty() && Places::new([]).nearest([0.0, 0.0], 1).is_empty());
    }
}
