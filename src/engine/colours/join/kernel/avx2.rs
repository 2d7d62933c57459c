//! AVX2, BMI and POPCNT: a vector is one register.
//!
//! The only `unsafe` for this instruction set is here: intrinsics, and calls of
//! functions compiled for it. All of it rests on one fact, that the processor has
//! these instructions. An [`Avx2`] is proof of it: [`Avx2::new`], which asks the
//! processor, is the only way to get one, and a [`Register`] is only made with one in hand.

#![allow(unsafe_code, reason = "intrinsics, and functions compiled for them")]

use std::arch::x86_64::*;

use super::{
    BitVector, Bits, Kernel, LANES, Outer, OuterSlice, Tile, Vector, counts, packed, trie,
};
use crate::engine::{
    Cpu,
    cpu::{avx2_features, with_features},
};

/// The kernel for processors with AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        Cpu::Avx2.is_available().then_some(Avx2(()))
    }
}

/// Compiles a function for the instruction set.
macro_rules! compiled {
    ($($function:tt)*) => { avx2_features! { with_features $($function)* } };
}

impl Kernel for Avx2 {
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
        unsafe { turn(self, tile, turned) }
    }

    compiled_loops!(compiled, Avx2, Register, [Register; 2]);
}

compiled! {
/// See [`Kernel::transpose`]: the sign bits of a column of bytes are one row, and doubling
/// every byte brings up the next.
fn transpose(masks: &[[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
    for (word, masks) in masks.as_flattened().as_chunks::<64>().0.iter().enumerate() {
        let (halves, _) = masks.as_chunks::<32>();
        let (low, high) = (bytes(&halves[0]), bytes(&halves[1]));
        for (byte, (mut low, mut high)) in low.into_iter().zip(high).enumerate() {
            if needed >> (8 * byte) & 255 == 0 {
                continue;
            }
            for row in rows[8 * byte..8 * byte + 8].iter_mut().rev() {
                let signs = |column| u64::from(_mm256_movemask_epi8(column) as u32);
                row[word] = signs(low) | signs(high) << 32;
                low = _mm256_add_epi8(low, low);
                high = _mm256_add_epi8(high, high);
            }
        }
    }
}
}

compiled! {
/// Byte b of 32 masks, for each b: interleaves bytes, then pairs, fours and eights.
#[inline]
fn bytes(masks: &[u64; 32]) -> [__m256i; 8] {
    let interleave = _mm256_setr_epi8(
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, //
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
    );
    // Masks 2i, 2i+1 in the lower half, 16+2i, 16+2i+1 in the upper one.
    let pairs: [__m256i; 8] = std::array::from_fn(|i| {
        let half = |k: usize| _mm_set_epi64x(masks[k + 1] as i64, masks[k] as i64);
        _mm256_shuffle_epi8(_mm256_set_m128i(half(16 + 2 * i), half(2 * i)), interleave)
    });
    let mut columns = [_mm256_setzero_si256(); 8];
    for upper in [false, true] {
        let fours: [__m256i; 4] = std::array::from_fn(|i| {
            let (a, b) = (pairs[2 * i], pairs[2 * i + 1]);
            if upper {
                _mm256_unpackhi_epi16(a, b)
            } else {
                _mm256_unpacklo_epi16(a, b)
            }
        });
        let eights = [
            (
                _mm256_unpacklo_epi32(fours[0], fours[1]),
                _mm256_unpacklo_epi32(fours[2], fours[3]),
            ),
            (
                _mm256_unpackhi_epi32(fours[0], fours[1]),
                _mm256_unpackhi_epi32(fours[2], fours[3]),
            ),
        ];
        for (k, (a, b)) in eights.into_iter().enumerate() {
            let byte = 4 * usize::from(upper) + 2 * k;
            columns[byte] = _mm256_unpacklo_epi64(a, b);
            columns[byte + 1] = _mm256_unpackhi_epi64(a, b);
        }
    }
    columns
}
}

compiled! {
/// Transposes a tile, eight rows and sixteen columns at a time: interleaves numbers,
/// then pairs, then fours, in both halves of the registers.
fn turn(kernel: Avx2, tile: &Tile, turned: &mut Tile) {
    for (rows, top) in tile.chunks_exact(8).zip((0..).step_by(8)) {
        for left in [0, 16] {
            let row = |i: usize| {
                let numbers: &[u16; 16] = rows[i].0[left..left + 16].try_into().expect("16");
                Register::load_counts(kernel, numbers).0
            };
            let two = |i: usize| {
                let (a, b) = (row(i), row(i + 1));
                (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b))
            };
            let four = |i: usize| {
                let ((a, c), (b, d)) = (two(i), two(i + 2));
                [
                    _mm256_unpacklo_epi32(a, b),
                    _mm256_unpackhi_epi32(a, b),
                    _mm256_unpacklo_epi32(c, d),
                    _mm256_unpackhi_epi32(c, d),
                ]
            };
            for (pair, (a, b)) in four(0).into_iter().zip(four(4)).enumerate() {
                let columns = [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)];
                for (column, both) in (left + 2 * pair..).zip(columns) {
                    let mut numbers = [0; 16];
                    Register(both).store_counts(&mut numbers);
                    turned[column].0[top..top + 8].copy_from_slice(&numbers[..8]);
                    turned[column + 8].0[top..top + 8].copy_from_slice(&numbers[8..]);
                }
            }
        }
    }
}
}

/// For each set of four lanes, the order that brings them to the front, as the 32-bit
/// halves that [`_mm256_permutevar8x32_epi32`] takes.
const TO_FRONT: [[i32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][to] = 2 * lane;
                table[set][to + 1] = 2 * lane + 1;
                to += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// The same for numbers of 16 bits, as the bytes that [`_mm_shuffle_epi8`] takes.
const KEYS_TO_FRONT: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let mut lane = 0;
        while lane < 4 {
            let first = TO_FRONT[set][2 * lane] as u8;
            table[set][2 * lane] = first;
            table[set][2 * lane + 1] = first + 1;
            lane += 1;
        }
        set += 1;
    }
    table
};

compiled! {
/// See [`filter`](super::prefixes::filter): four placements at a time.
fn filter(from: OuterSlice, taken: u64, to: &mut Outer) {
    let len = from.diagonals.len().min(from.keys.len());
    to.diagonals.clear();
    to.keys.clear();
    to.diagonals.reserve(len + 4);
    to.keys.reserve(len + 4);
    let taken_everywhere = _mm256_set1_epi64x(taken as i64);
    let (diagonals, keys) = (from.diagonals.as_chunks::<4>(), from.keys.as_chunks::<4>());
    let mut kept = 0;
    for (diagonals, keys) in diagonals.0.iter().zip(keys.0) {
        // SAFETY: `kept` is at most the number of placements read before this round, so
        // four more fit into the room reserved; the references are to four of each.
        unsafe {
            let four = _mm256_loadu_si256(diagonals.as_ptr().cast());
            let free = _mm256_cmpeq_epi64(
                _mm256_and_si256(four, taken_everywhere),
                _mm256_setzero_si256(),
            );
            let set = _mm256_movemask_pd(_mm256_castsi256_pd(free)) as usize;
            let order = _mm256_loadu_si256(TO_FRONT[set].as_ptr().cast());
            let front = _mm256_permutevar8x32_epi32(four, order);
            _mm256_storeu_si256(to.diagonals.as_mut_ptr().add(kept).cast(), front);
            let keys = _mm_loadl_epi64(keys.as_ptr().cast());
            let order = _mm_loadu_si128(KEYS_TO_FRONT[set].as_ptr().cast());
            let front = _mm_shuffle_epi8(keys, order);
            _mm_storel_epi64(to.keys.as_mut_ptr().add(kept).cast(), front);
            kept += set.count_ones() as usize;
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

/// 256 bits as a register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Register(__m256i);

impl Register {
    /// What a larger instruction set works on.
    #[inline(always)]
    pub(super) fn get(self) -> __m256i {
        self.0
    }

    /// What it has made of this one, which is proof enough.
    #[inline(always)]
    pub(super) fn with(self, register: __m256i) -> Self {
        Register(register)
    }
}

/// Wraps intrinsics that take and give registers only.
macro_rules! registers {
    ($body:expr) => {
        // SAFETY: made from registers or with proof; registers in, registers out.
        Register(unsafe { $body })
    };
}

impl BitVector for Register {
    type Proof = Avx2;

    #[inline(always)]
    fn load(_: Avx2, bits: &Bits) -> Self {
        // SAFETY: a reference to 32 bytes; the load needs no alignment.
        registers!(_mm256_loadu_si256(bits.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        // SAFETY: a reference to 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(bits.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn zero(_: Avx2) -> Self {
        registers!(_mm256_setzero_si256())
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        registers!(_mm256_or_si256(self.0, other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        registers!(_mm256_andnot_si256(other.0, self.0))
    }

    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        // SAFETY: the register was made with proof; a number comes out.
        let zero = unsafe {
            let zero = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(zero))
        };
        !zero as u32 & 15
    }
}

impl Vector for Register {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        registers!(_mm256_and_si256(self.0, other.0))
    }

    #[inline(always)]
    fn ones_per_byte(self) -> Self {
        registers!({
            let ones = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_and_si256(self.0, nibble);
            let high = _mm256_and_si256(_mm256_srli_epi16(self.0, 4), nibble);
            _mm256_add_epi8(
                _mm256_shuffle_epi8(ones, low),
                _mm256_shuffle_epi8(ones, high),
            )
        })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        registers!(_mm256_add_epi8(self.0, other.0))
    }

    #[inline(always)]
    fn spread(_: Avx2, low: &[u8; 16], high: &[u8; 16], places: &[u8; 32]) -> Self {
        // SAFETY: references to 16, 16 and 32 bytes; the loads need no alignment.
        registers!({
            let low = _mm256_castsi128_si256(_mm_loadu_si128(low.as_ptr().cast()));
            let both = _mm256_inserti128_si256(low, _mm_loadu_si128(high.as_ptr().cast()), 1);
            _mm256_shuffle_epi8(both, _mm256_loadu_si256(places.as_ptr().cast()))
        })
    }

    #[inline(always)]
    fn widen(self) -> (Self, Self) {
        (
            registers!(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(self.0))),
            registers!(_mm256_cvtepu8_epi16(_mm256_extracti128_si256(self.0, 1))),
        )
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        registers!(_mm256_adds_epu16(self.0, other.0))
    }

    #[inline(always)]
    fn load_counts(_: Avx2, counts: &[u16; 16]) -> Self {
        // SAFETY: a reference to 32 bytes; the load needs no alignment.
        registers!(_mm256_loadu_si256(counts.as_ptr().cast()))
    }

    #[inline(always)]
    fn store_counts(self, counts: &mut [u16; 16]) {
        // SAFETY: a reference to 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add_products(self, a: (Self, Self), b: (Self, Self)) -> Self {
        registers!({
            let pairs = _mm256_add_epi32(
                _mm256_madd_epi16(a.0.0, b.0.0),
                _mm256_madd_epi16(a.1.0, b.1.0),
            );
            _mm256_add_epi32(self.0, pairs)
        })
    }

    #[inline(always)]
    fn total(self) -> u64 {
        let mut words = [0; 4];
        self.store(&mut words);
        let sums = words.map(|word| (word & 0xffff_ffff) + (word >> 32));
        sums.iter().sum()
    }
}
