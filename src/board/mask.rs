//! Sets of columns as bit masks: bit c is column c.

/// The mask of `width` columns, for widths from 0 to 32.
pub(crate) fn full(width: u32) -> u32 {
    u32::MAX.checked_shr(32 - width).unwrap_or(0)
}

/// The columns of a mask, from the left.
pub(crate) fn columns(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let column = mask.trailing_zeros();
        mask &= mask.checked_sub(1)?;
        Some(column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_right_at_both_ends() {
        assert_eq!((full(0), full(1), full(32)), (0, 1, u32::MAX));
    }

    #[test]
    fn columns_come_from_the_left() {
        assert!(columns(0b1010_0001).eq([0, 5, 7]));
        assert!(columns(u32::MAX).eq(0..32));
        assert_eq!(columns(0).next(), None);
    }
}
