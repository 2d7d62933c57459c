//! How long lists are, about: in integers, so that it is the same on every machine.
//!
//! Two queens on rows δ apart, in different ones of h columns, share a diagonal in 2(h - δ) of
//! h(h - 1) cases. Taking all pairs of rows as independent, a list of q queens has about
//!
//! ```text
//! h (h-1) … (h-q+1) · Π over pairs of rows of (1 - 2(h - δ) / (h (h - 1)))
//! ```
//!
//! placements; and fewer, since pairs of queens are not independent, and the less so, the more
//! columns are taken. What is lost was fitted to the longest lists for n = 16 to 27: of those
//! that the first q queens leave, the next one loses 3/4 · (q / h)⁴. (The few hundred placements
//! on all rows of a half-board of side 8 or 9 are more than that says.) Where squares are forbidden, a row with m of the h columns left takes the part
//! m / h, and a row with a given queen takes no part in any of this: what it attacks is
//! forbidden already.

use crate::board::mask::{columns, full};
use crate::engine::colours::half::{HalfBoard, HalfBoards};

/// The expected number of placements on these rows of a half-board.
pub(crate) fn placements(half: &HalfBoard, rows: u32) -> u64 {
    // At most 16! < 2⁴⁵ placements, with 16 bits after the binary point.
    let width = u128::from(half.columns);
    let open = rows & !half.given;
    let shared = columns(open).fold(0, |shared, row| shared | half.squares(row));
    let shared = shared.count_ones();
    let mut size = 1 << 16;
    for (queen, row) in (0..).zip(columns(open)) {
        size *= u128::from(shared.saturating_sub(queen));
        let left = half.squares(row).count_ones();
        if left < shared {
            size = size * u128::from(left) / u128::from(shared);
        }
    }
    for a in columns(open) {
        for b in columns(open).filter(|&b| b > a) {
            let all = (width * width.saturating_sub(1)).max(1);
            let attacked = 2 * width.saturating_sub(u128::from(b - a));
            size -= (size * attacked / all).min(size);
        }
    }
    let fourth = |number: u128| number.pow(4);
    for queen in 0..u128::from(open.count_ones()) {
        size = size * (4 * fourth(width) - 3 * fourth(queen)) / (4 * fourth(width)).max(1);
    }
    (size >> 16) as u64
}

/// The expected number of placements of so many queens on the rows of a half-board that
/// have the most: those at both ends, far apart.
pub(crate) fn longest_list(half: &HalfBoard, queens: u32) -> u64 {
    let upper = queens / 2;
    let middle = full(half.rows - queens) << (queens - upper);
    placements(half, full(half.rows) - middle)
}

/// The expected sizes of the lists of a class: of the odd rows on average.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InnerSizes {
    pub(crate) y: u64,
    pub(crate) v: u64,
}

impl InnerSizes {
    pub(crate) fn new(halves: &HalfBoards, odd_rows: &[u32]) -> Self {
        let (mut y, mut v) = (0, 0);
        for &rows in odd_rows {
            y += placements(&halves.oo, rows);
            v += placements(&halves.oe, full(halves.oe.rows) - rows);
        }
        let lists = odd_rows.len().max(1) as u64;
        InnerSizes {
            y: y / lists,
            v: v / lists,
        }
    }

    /// The memory that the inner lists of one choice of odd rows take, at most: a leaf of eight
    /// bytes and about a fifth as many other nodes, or a path of two bytes and a part of a group.
    pub(crate) fn bytes(&self) -> u64 {
        12 * (self.y + self.v)
    }
}
