//! NEON, on 64-bit ARM: a vector is two registers of 128 bits, and ones are counted per
//! byte by one instruction.
//!
//! The only `unsafe` for this instruction set is here: intrinsics, and calls of
//! functions compiled for it. All of it rests on one fact, that the processor has
//! these instructions. A [`Neon`] is proof of it: [`Neon::new`], which asks the
//! processor, is the only way to get one, and a [`Pair`] is only made with one in hand.

#![allow(unsafe_code, reason = "intrinsics, and functions compiled for them")]

use std::arch::aarch64::*;

use super::{
    BitVector, Bits, Counts, Kernel, LANES, Outer, OuterSlice, Tile, Vector, counts, packed, trie,
};
use crate::engine::{
    Cpu,
    cpu::{neon_features, with_features},
};

/// The kernel for processors with NEON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        Cpu::Neon.is_available().then_some(Neon(()))
    }
}

/// Compiles a function for the instruction set.
macro_rules! compiled {
    ($($function:tt)*) => { neon_features! { with_features $($function)* } };
}

impl Kernel for Neon {
    fn transpose(self, masks: &[[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
        // SAFETY: `self` is proof of the features.
        unsafe { transpose(masks, needed, rows) }
    }

    fn filter(self, from: OuterSlice, taken: u64, to: &mut Outer) {
        // SAFETY: `self` is proof of the features.
        unsafe { filter(from, taken, to) }
    }

    fn turn(self, tile: &Tile, turned: &mut Tile) {
        // SAFETY: `self` is proof of the features.
        unsafe { turn(tile, turned) }
    }

    compiled_loops!(compiled, Neon, Pair, [Pair; 2]);
}

compiled! {
/// See [`Kernel::transpose`]: half of the masks at a time, as 16 blocks of eight. Turned
/// around first as bytes, then bit by bit within them.
fn transpose(masks: &[[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
    for (half, blocks) in masks.as_chunks::<16>().0.iter().enumerate() {
        // For each mask of a block, and each of its bytes, that byte in every block.
        let mut bytes = [[vdupq_n_u8(0); 8]; 8];
        for (two, bytes) in bytes.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let mut square: [uint8x16_t; 16] = std::array::from_fn(|block| {
                let masks = &blocks[block].as_chunks::<2>().0[two];
                // SAFETY: a reference to two words; the load needs no alignment.
                vreinterpretq_u8_u64(unsafe { vld1q_u64(masks.as_ptr()) })
            });
            // Interleaves rows 0 and 8, 1 and 9, and so on, four times over.
            for _ in 0..4 {
                square = std::array::from_fn(|i| {
                    let (a, b) = (square[i / 2], square[i / 2 + 8]);
                    if i % 2 == 0 { vzip1q_u8(a, b) } else { vzip2q_u8(a, b) }
                });
            }
            bytes.as_flattened_mut().copy_from_slice(&square);
        }
        for byte in 0..8 {
            if needed >> (8 * byte) & 255 == 0 {
                continue;
            }
            let square = transpose_bits(bytes.each_ref().map(|bytes| bytes[byte]));
            for (row, bits) in rows[8 * byte..8 * byte + 8].iter_mut().zip(square) {
                let words = &mut row.as_chunks_mut::<2>().0[half];
                // SAFETY: a reference to two words; the store needs no alignment.
                unsafe { vst1q_u64(words.as_mut_ptr(), vreinterpretq_u64_u8(bits)) };
            }
        }
    }
}
}

compiled! {
/// Transposes squares of 8 × 8 bits, one for each of 16 bytes: swaps the off-diagonal
/// blocks of 4 × 4, then those of 2 × 2 within each block, and then single bits.
#[inline]
fn transpose_bits(mut rows: [uint8x16_t; 8]) -> [uint8x16_t; 8] {
    for low in [0, 1, 2, 3] {
        let (a, b) = (rows[low], rows[low + 4]);
        rows[low] = vsliq_n_u8::<4>(a, b);
        rows[low + 4] = vsriq_n_u8::<4>(b, a);
    }
    for low in [0, 1, 4, 5] {
        let (a, b, kept) = (rows[low], rows[low + 2], vdupq_n_u8(0b0011_0011));
        rows[low] = vbslq_u8(kept, a, vshlq_n_u8::<2>(b));
        rows[low + 2] = vbslq_u8(kept, vshrq_n_u8::<2>(a), b);
    }
    for low in [0, 2, 4, 6] {
        let (a, b, kept) = (rows[low], rows[low + 1], vdupq_n_u8(0b0101_0101));
        rows[low] = vbslq_u8(kept, a, vshlq_n_u8::<1>(b));
        rows[low + 1] = vbslq_u8(kept, vshrq_n_u8::<1>(a), b);
    }
    rows
}
}

compiled! {
/// Transposes a tile, eight rows and eight columns at a time: interleaves the numbers of
/// rows 0 and 4, 1 and 5, 2 and 6, 3 and 7, three times over.
fn turn(tile: &Tile, turned: &mut Tile) {
    for (rows, top) in tile.as_chunks::<8>().0.iter().zip((0..).step_by(8)) {
        for left in (0..LANES).step_by(8) {
            // SAFETY: a slice of eight numbers; the load needs no alignment.
            let load = |row: &Counts| unsafe { vld1q_u16(row.0[left..left + 8].as_ptr()) };
            let mut square = rows.each_ref().map(load);
            for _ in 0..3 {
                let [a, b, c, d, e, f, g, h] = square;
                square = [
                    vzip1q_u16(a, e),
                    vzip2q_u16(a, e),
                    vzip1q_u16(b, f),
                    vzip2q_u16(b, f),
                    vzip1q_u16(c, g),
                    vzip2q_u16(c, g),
                    vzip1q_u16(d, h),
                    vzip2q_u16(d, h),
                ];
            }
            for (row, numbers) in turned[left..left + 8].iter_mut().zip(square) {
                // SAFETY: a slice of eight numbers; the store needs no alignment.
                unsafe { vst1q_u16(row.0[top..top + 8].as_mut_ptr(), numbers) };
            }
        }
    }
}
}

/// For each set of lanes, where four lanes share this many bytes, the order of the bytes
/// that brings its lanes to the front.
const fn to_front<const BYTES: usize>() -> [[u8; BYTES]; 16] {
    let size = BYTES / 4;
    let mut table = [[0; BYTES]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut byte, mut to) = (0, 0);
        while byte < BYTES {
            if set >> (byte / size) & 1 == 1 {
                table[set][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    table
}

compiled! {
/// See [`filter`](super::prefixes::filter): four placements at a time.
fn filter(from: OuterSlice, taken: u64, to: &mut Outer) {
    const DIAGONALS: [[u8; 32]; 16] = to_front();
    const KEYS: [[u8; 8]; 16] = to_front();
    let len = from.diagonals.len().min(from.keys.len());
    to.diagonals.clear();
    to.keys.clear();
    to.diagonals.reserve(len + 4);
    to.keys.reserve(len + 4);
    let taken_everywhere = vdupq_n_u64(taken);
    // Their sum has a bit for each placement below 16, and from there on their number.
    // SAFETY: a reference to four numbers.
    let weights = unsafe { vld1q_u32([16 | 1, 16 | 2, 16 | 4, 16 | 8].as_ptr()) };
    let (diagonals, keys) = (from.diagonals.as_chunks::<4>(), from.keys.as_chunks::<4>());
    let mut kept = 0;
    for (diagonals, keys) in diagonals.0.iter().zip(keys.0) {
        // SAFETY: `kept` is at most the number of placements read before this round, so
        // four more fit into the room reserved; the references are to four of each.
        unsafe {
            let four = vld1q_u64_x2(diagonals.as_ptr());
            let hit = |two| vreinterpretq_u32_u64(vtstq_u64(two, taken_everywhere));
            let hit = vuzp1q_u32(hit(four.0), hit(four.1));
            let free = vaddvq_u32(vbicq_u32(weights, hit)) as usize;
            let (set, free) = (free % 16, free / 16);
            let four = uint8x16x2_t(vreinterpretq_u8_u64(four.0), vreinterpretq_u8_u64(four.1));
            let order = vld1q_u8_x2(DIAGONALS[set].as_ptr());
            let front = uint8x16x2_t(vqtbl2q_u8(four, order.0), vqtbl2q_u8(four, order.1));
            vst1q_u8_x2(to.diagonals.as_mut_ptr().add(kept).cast(), front);
            let order = vld1_u8(KEYS[set].as_ptr());
            let front = vtbl1_u8(vld1_u8(keys.as_ptr().cast()), order);
            vst1_u8(to.keys.as_mut_ptr().add(kept).cast(), front);
            kept += free;
        }
    }
    // SAFETY: `kept` placements were written, and there is room for them.
    unsafe {
        to.diagonals.set_len(kept);
        to.keys.set_len(kept);
    }
    for (&diagonals, &key) in diagonals.1.iter().zip(keys.1) {
        if diagonals & taken == 0 {
            to.diagonals.push(diagonals);
            to.keys.push(key);
        }
    }
}
}

/// 256 bits as two registers, the lower half first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair(uint8x16_t, uint8x16_t);

/// A pair from an intrinsic that takes and gives registers only, for each half.
macro_rules! halves {
    ($intrinsic:ident($($pair:expr),*)) => {
        // SAFETY: the pairs were made with proof; registers in, registers out.
        unsafe { Pair($intrinsic($($pair.0),*), $intrinsic($($pair.1),*)) }
    };
}

impl Pair {
    /// The bits of a weight for each of the four words that is not zero.
    #[inline(always)]
    fn weigh_nonzero_words(self, weights: [u32; 4]) -> uint32x4_t {
        // SAFETY: the pair was made with proof, and the weights are four numbers.
        unsafe {
            let nonzero = |half| {
                let words = vreinterpretq_u64_u8(half);
                vreinterpretq_u32_u64(vtstq_u64(words, words))
            };
            let nonzero = vuzp1q_u32(nonzero(self.0), nonzero(self.1));
            vandq_u32(nonzero, vld1q_u32(weights.as_ptr()))
        }
    }
}

impl BitVector for Pair {
    type Proof = Neon;

    #[inline(always)]
    fn load(_: Neon, bits: &Bits) -> Self {
        // SAFETY: a reference to four words; the loads need no alignment.
        unsafe {
            let load = |word: usize| vreinterpretq_u8_u64(vld1q_u64(bits[word..].as_ptr()));
            Pair(load(0), load(2))
        }
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        // SAFETY: a reference to four words; the stores need no alignment.
        unsafe {
            vst1q_u64(bits[..2].as_mut_ptr(), vreinterpretq_u64_u8(self.0));
            vst1q_u64(bits[2..].as_mut_ptr(), vreinterpretq_u64_u8(self.1));
        }
    }

    #[inline(always)]
    fn zero(_: Neon) -> Self {
        // SAFETY: the kernel is proof of the features.
        let zero = unsafe { vdupq_n_u8(0) };
        Pair(zero, zero)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        halves!(vorrq_u8(self, other))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        halves!(vbicq_u8(self, other))
    }

    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        // SAFETY: the pair was made with proof.
        unsafe { vaddvq_u32(self.weigh_nonzero_words([1, 2, 4, 8])) }
    }

    #[inline(always)]
    fn survive<const N: usize>(
        kernel: Neon,
        parent: &[Bits; N],
        a: &[Bits; N],
        b: &[Bits; N],
        alive: &mut [Bits; N],
    ) -> u32 {
        // SAFETY: the kernel is proof of the features.
        let mut words = unsafe { vdupq_n_u32(0) };
        for i in 0..N {
            let dead = Self::load(kernel, &a[i]).or(Self::load(kernel, &b[i]));
            let survivors = Self::load(kernel, &parent[i]).without(dead);
            survivors.store(&mut alive[i]);
            let weighed = survivors.weigh_nonzero_words([1, 2, 4, 8].map(|bit| bit << (4 * i)));
            // SAFETY: the kernel is proof of the features.
            words = unsafe { vorrq_u32(words, weighed) };
        }
        // SAFETY: the kernel is proof of the features.
        unsafe { vaddvq_u32(words) }
    }
}

impl Vector for Pair {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        halves!(vandq_u8(self, other))
    }

    #[inline(always)]
    fn ones_per_byte(self) -> Self {
        halves!(vcntq_u8(self))
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        halves!(vaddq_u8(self, other))
    }

    #[inline(always)]
    fn spread(_: Neon, low: &[u8; 16], high: &[u8; 16], places: &[u8; 32]) -> Self {
        let (places, _) = places.as_chunks::<16>();
        // SAFETY: references to 16 bytes each; the loads need no alignment.
        unsafe {
            let spread = |bytes: &[u8; 16], places: &[u8; 16]| {
                vqtbl1q_u8(vld1q_u8(bytes.as_ptr()), vld1q_u8(places.as_ptr()))
            };
            Pair(spread(low, &places[0]), spread(high, &places[1]))
        }
    }

    #[inline(always)]
    fn widen(self) -> (Self, Self) {
        // SAFETY: the pair was made with proof.
        unsafe {
            let widen = |bytes| {
                Pair(
                    vreinterpretq_u8_u16(vmovl_u8(vget_low_u8(bytes))),
                    vreinterpretq_u8_u16(vmovl_high_u8(bytes)),
                )
            };
            (widen(self.0), widen(self.1))
        }
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        // SAFETY: the pairs were made with proof.
        unsafe {
            let add = |a, b| {
                let sums = vqaddq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b));
                vreinterpretq_u8_u16(sums)
            };
            Pair(add(self.0, other.0), add(self.1, other.1))
        }
    }

    #[inline(always)]
    fn load_counts(_: Neon, counts: &[u16; 16]) -> Self {
        // SAFETY: a reference to 16 numbers; the loads need no alignment.
        unsafe {
            let load = |first: usize| vreinterpretq_u8_u16(vld1q_u16(counts[first..].as_ptr()));
            Pair(load(0), load(8))
        }
    }

    #[inline(always)]
    fn store_counts(self, counts: &mut [u16; 16]) {
        // SAFETY: a reference to 16 numbers; the stores need no alignment.
        unsafe {
            vst1q_u16(counts[..8].as_mut_ptr(), vreinterpretq_u16_u8(self.0));
            vst1q_u16(counts[8..].as_mut_ptr(), vreinterpretq_u16_u8(self.1));
        }
    }

    #[inline(always)]
    fn add_products(self, a: (Self, Self), b: (Self, Self)) -> Self {
        // SAFETY: the pairs were made with proof.
        unsafe {
            let four = |sums, a: Self, b: Self| {
                let [a0, a1, b0, b1] = [a.0, a.1, b.0, b.1].map(|half| vreinterpretq_u16_u8(half));
                let sums = vreinterpretq_u32_u8(sums);
                let sums = vmlal_u16(sums, vget_low_u16(a0), vget_low_u16(b0));
                let sums = vmlal_high_u16(sums, a0, b0);
                let sums = vmlal_u16(sums, vget_low_u16(a1), vget_low_u16(b1));
                vreinterpretq_u8_u32(vmlal_high_u16(sums, a1, b1))
            };
            Pair(four(self.0, a.0, b.0), four(self.1, a.1, b.1))
        }
    }

    #[inline(always)]
    fn total(self) -> u64 {
        // SAFETY: the pair was made with proof.
        unsafe {
            let [low, high] = [self.0, self.1].map(|half| vreinterpretq_u32_u8(half));
            vaddvq_u64(vpadalq_u32(vpaddlq_u32(low), high))
        }
    }
}
