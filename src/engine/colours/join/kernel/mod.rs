//! The inner loops' instruction sets: one algorithm, instantiated for each.
//!
//! The loops themselves are written once, over a [`Vector`] of 256 bits, in
//! [`lanes`](super::lanes) and [`trie`](super::trie). A [`Kernel`] compiles them for
//! one instruction set; which one is chosen once per run, by [`Cpu`](crate::Cpu).

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod portable;

use crate::engine::colours::half::HalfBoard;

use super::{
    lanes::{self, Counts, LANES, Pass, Table, Tile, TooMany},
    trie::{self, Outer, Visit, Walk},
};

/// A set of 256: bit k is bit k % 64 of word k / 64.
pub(crate) type Bits = [u64; 4];

/// 256 bits: all that a trie needs.
pub(crate) trait BitVector: Copy {
    fn load(bits: &Bits) -> Self;
    fn store(self, bits: &mut Bits);
    fn zero() -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// A bit for each of the four words that is not zero.
    fn nonzero_words(self) -> u32;

    /// Writes what is in `parent` but neither in `a` nor in `b`, and returns a bit for
    /// each word that is not zero.
    #[inline(always)]
    fn survive<const N: usize>(
        parent: &[Bits; N],
        a: &[Bits; 4],
        b: &[Bits; 4],
        alive: &mut [Bits; N],
    ) -> u32 {
        let mut survivors = [Self::zero(); N];
        for i in 0..N {
            let dead = Self::load(&a[i]).or(Self::load(&b[i]));
            survivors[i] = Self::load(&parent[i]).without(dead);
        }
        let mut words = 0;
        for i in 0..N {
            survivors[i].store(&mut alive[i]);
            words |= survivors[i].nonzero_words() << (4 * i);
        }
        words
    }
}

/// 256 bits, also seen as 32 bytes or 16 numbers of 16 bits: what lanes need.
pub(crate) trait Vector: BitVector {
    /// The part for slot 0 or 1 of the table's entry at `step`, a multiple of 64.
    fn load_entry(table: &Table, step: u16, slot: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The number of ones in each byte.
    fn ones_per_byte(self) -> Self;
    /// Sums of bytes; the caller sees to it that none passes 255.
    fn add_bytes(self, other: Self) -> Self;
    /// The lower and the upper 16 bytes, each widened to 16 bits.
    fn widen(self) -> (Self, Self);
    /// Sums of 16-bit numbers that stop at 65,535.
    fn add_saturating(self, other: Self) -> Self;
    fn load_counts(counts: &[u16; 16]) -> Self;
    fn store_counts(self, counts: &mut [u16; 16]);
    /// Σ of the products of all 32 pairs of 16-bit numbers, each below 2¹⁵.
    fn dot(a: (Self, Self), b: (Self, Self)) -> u64;
}

/// The inner loops, compiled for one instruction set.
pub(crate) trait Kernel: Copy {
    /// Turns 256 masks, in cells of eight, into rows: bit k of row d is bit d of mask
    /// k. Rows that are not in `needed` may be left as they are.
    fn transpose(self, cells: &[&[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]);

    /// See [`Table::fill`].
    fn fill(self, table: &mut Table, half: &HalfBoard, rows: &[u8], slots: &[[Bits; 64]]);

    /// See [`lanes::walk`].
    fn walk<const PAIRS: usize>(self, pass: &Pass, counts: &mut [Counts]);

    /// Exchanges groups and lanes.
    fn turn(self, tile: &Tile) -> Tile;

    /// See [`lanes::dot`].
    fn dot(self, a: &Tile, b: &Tile, weights: &[u32; LANES]) -> Result<u64, TooMany>;

    /// See [`lanes::weigh`].
    fn weigh(self, tile: &mut Tile, rows: &[u16; LANES], columns: &[u16; LANES]) -> u16;

    /// See [`trie::filter`].
    fn filter(self, from: &Outer, taken: u64, to: &mut Outer);

    /// See [`trie::visit`].
    fn visit<const VECTORS: usize>(self, visit: &Visit, walk: &mut Walk) -> u64;
}
