//! From places on an axis to places in an array.

/// Returns the array place at or below a finite number; 0 for negative numbers and what is not a number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates: negative and NaN become 0, huge becomes the greatest place"
)]
pub(crate) fn floor_index(place: f64) -> usize {
    place as usize
}

/// Returns the whole number at or below a number, held inside the range of `i64`.
#[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
pub(crate) fn floor_whole(number: f64) -> i64 {
    libm::floor(number) as i64
}
