//! Noise that is a pure function of its place.

/// What the noise is for: each stream is independent of the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream(pub(crate) u64);

/// Whole coordinates of a place: time, depth, latitude, longitude.
pub(crate) type Node = [u64; 4];

impl Stream {
    /// Returns noise with mean 0, variance 1 and no memory; nearly normal, never beyond 3.5.
    pub(crate) fn white(self, node: Node) -> f64 {
        let bits = node.iter().fold(mix(self.0), |state, part| mix(state ^ part));
        // The sum of four uniform numbers has variance 4/12.
        let sum: f64 = [0, 16, 32, 48].iter().map(|shift| ((bits >> shift) & 0xffff) as f64 / 65_536.0).sum();
        (sum - 2.0 + 2.0 / 65_536.0) * 1.732_050_807_568_877_2
    }

    /// Returns noise that changes smoothly over `cells` grid steps in time, latitude and longitude, with the
    /// variance of [`Stream::white`] at its nodes and less between them.
    pub(crate) fn smooth(self, [time, depth, lat, lon]: Node, cells: [u64; 3]) -> f64 {
        let axes = [(time, cells[0]), (lat, cells[1]), (lon, cells[2])]
            .map(|(place, length)| (place / length, ease((place % length) as f64 / length as f64)));
        let mut sum = 0.0;
        for corner in 0_u64..8 {
            let mut weight = 1.0;
            let mut node = [0; 3];
            for (axis, (base, share)) in axes.iter().enumerate() {
                let step = (corner >> axis) & 1;
                node[axis] = base + step;
                weight *= if step == 1 { *share } else { 1.0 - share };
            }
            if weight > 0.0 {
                sum += weight * Self(self.0 ^ 0x5eed).white([node[0], depth, node[1], node[2]]);
            }
        }
        sum
    }
}

/// Mixes the bits of a number.
///
/// # Source
/// `SplitMix64`: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
fn mix(state: u64) -> u64 {
    let mut bits = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

fn ease(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer_of_the_mixer() {
        // The first outputs of SplitMix64 from state 0, as published with the reference code.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn white_noise_has_mean_0_and_variance_1_and_no_memory() {
        let values: Vec<f64> =
            (0..40_000).map(|place| Stream(7).white([place / 200, 3, place % 200, 1])).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
        let memory = values.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / count;
        assert!(
            mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03 && memory.abs() < 0.02,
            "{mean} {variance} {memory}"
        );
    }

    #[test]
    fn smooth_noise_is_continuous_across_nodes() {
        let at = |place| Stream(7).smooth([place, 0, 5, 9], [50, 6, 6]);
        for place in 0..400 {
            assert!((at(place + 1) - at(place)).abs() < 0.2, "a jump at {place}");
        }
        assert!((at(0) - at(25)).abs() > 1e-3);
    }
}
