//! AVX2, BMI and POPCNT: a vector is one register.
//!
//! The only `unsafe` for this instruction set is here: intrinsics, and calls of
//! functions compiled for it. All of it rests on one fact, that the processor has
//! these instructions. [`Avx2`] is proof of it: [`Avx2::new`], which checks, is the
//! only way to get one, and [`Register`]s are only made inside its functions and those
//! of [`Avx512`](super::avx512), which holds one.

#![allow(unsafe_code, reason = "intrinsics, and functions compiled for them")]

use std::arch::x86_64::*;

use super::{
    BitVector, Bits, Counts, HalfBoard, Kernel, LANES, Outer, Pass, Table, Tile, TooMany, Vector,
    Visit, Walk, lanes, trie,
};
use crate::engine::Cpu;

/// The kernel for processors with AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        Cpu::Avx2.is_available().then_some(Avx2(()))
    }
}

/// Defines a function compiled for the instruction set and calls it.
macro_rules! compiled {
    (fn $name:ident $(<const $constant:ident: usize>)? ($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block) => {{
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn $name $(<const $constant: usize>)? ($($argument: $kind),*) $(-> $result)? $body
        // SAFETY: `self` is an `Avx2`, so the processor has these features.
        unsafe { $name $(::<$constant>)? ($($argument),*) }
    }};
}

impl Kernel for Avx2 {
    fn transpose(self, cells: &[&[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
        compiled! {
            fn transpose(cells: &[&[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
                for (word, cells) in cells.as_chunks::<8>().0.iter().enumerate() {
                    let (low, high) = (bytes(cells, 0), bytes(cells, 4));
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
    }

    fn fill(self, table: &mut Table, half: &HalfBoard, rows: &[u8], slots: &[[Bits; 64]]) {
        compiled! {
            fn fill(table: &mut Table, half: &HalfBoard, rows: &[u8], slots: &[[Bits; 64]]) {
                table.fill::<Register>(half, rows, slots);
            }
        }
    }

    fn walk<const PAIRS: usize>(self, pass: &Pass, counts: &mut [Counts]) {
        compiled! {
            fn walk<const PAIRS: usize>(pass: &Pass, counts: &mut [Counts]) {
                if pass.single {
                    lanes::walk::<Register, PAIRS, 1>(pass, counts);
                } else {
                    lanes::walk::<Register, PAIRS, 2>(pass, counts);
                }
            }
        }
    }

    fn turn(self, tile: &Tile) -> Tile {
        compiled! {
            fn turn(tile: &Tile) -> Tile {
                turn_tile(tile)
            }
        }
    }

    fn dot(self, a: &Tile, b: &Tile, weights: &[u32; LANES]) -> Result<u64, TooMany> {
        compiled! {
            fn dot(a: &Tile, b: &Tile, weights: &[u32; LANES]) -> Result<u64, TooMany> {
                lanes::dot::<Register>(a, b, weights)
            }
        }
    }

    fn weigh(self, tile: &mut Tile, rows: &[u16; LANES], columns: &[u16; LANES]) -> u16 {
        compiled! {
            fn weigh(tile: &mut Tile, rows: &[u16; LANES], columns: &[u16; LANES]) -> u16 {
                lanes::weigh(tile, rows, columns)
            }
        }
    }

    fn filter(self, from: &Outer, taken: u64, to: &mut Outer) {
        compiled! {
            fn filter(from: &Outer, taken: u64, to: &mut Outer) {
                filter_fours(from, taken, to);
            }
        }
    }

    fn visit<const VECTORS: usize>(self, visit: &Visit, walk: &mut Walk) -> u64 {
        compiled! {
            fn run<const VECTORS: usize>(visit: &Visit, walk: &mut Walk) -> u64 {
                trie::visit::<Register, VECTORS>(visit, walk)
            }
        }
    }
}

/// Byte b of the 32 masks of four cells, for each b: interleaves bytes, then pairs,
/// fours and eights. The sign bits of such a column are one row of the transpose, and
/// doubling every byte brings up the next.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline]
fn bytes(cells: &[&[u64; 8]; 8], first: usize) -> [__m256i; 8] {
    let interleave = _mm256_setr_epi8(
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, //
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
    );
    // Masks 2i, 2i+1 in the lower half, 16+2i, 16+2i+1 in the upper one.
    let pairs: [__m256i; 8] = std::array::from_fn(|i| {
        let half = |k: usize| {
            let cell = cells[first + k / 8];
            _mm_set_epi64x(cell[k % 8 + 1] as i64, cell[k % 8] as i64)
        };
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

/// Transposes a tile, eight rows and sixteen columns at a time: interleaves numbers,
/// then pairs, then fours, in both halves of the registers.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn turn_tile(tile: &Tile) -> Tile {
    let mut turned = [Counts::ZERO; LANES];
    for (rows, top) in tile.chunks_exact(8).zip((0..).step_by(8)) {
        for left in [0, 16] {
            let row = |i: usize| {
                let numbers: &[u16; 16] = rows[i].0[left..left + 16].try_into().expect("16");
                Register::load_counts(numbers).0
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
    turned
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

/// See [`trie::filter`]: four placements at a time.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn filter_fours(from: &Outer, taken: u64, to: &mut Outer) {
    let len = from.diagonals.len().min(from.keys.len());
    to.clear();
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
            let keys = keys.as_ptr().cast::<u64>().read_unaligned();
            let lanes = _pdep_u64(set as u64, 0x0001_0001_0001_0001) * 0xffff;
            let front = _pext_u64(keys, lanes);
            to.keys
                .as_mut_ptr()
                .add(kept)
                .cast::<u64>()
                .write_unaligned(front);
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

/// 256 bits as a register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Register(pub(crate) __m256i);

/// Wraps intrinsics that take and give registers only.
macro_rules! registers {
    ($body:expr) => {
        // SAFETY: see the head of this file; registers in, registers out.
        Register(unsafe { $body })
    };
}

impl BitVector for Register {
    #[inline(always)]
    fn load(bits: &Bits) -> Self {
        // SAFETY: a reference to 32 bytes; the load needs no alignment.
        registers!(_mm256_loadu_si256(bits.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        // SAFETY: a reference to 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(bits.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn zero() -> Self {
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
        // SAFETY: see the head of this file; a register in, a number out.
        let zero = unsafe {
            let zero = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(zero))
        };
        !zero as u32 & 15
    }
}

impl Vector for Register {
    #[inline(always)]
    fn load_entry(table: &Table, step: u16, slot: usize) -> Self {
        const { assert!(Table::BYTES >= 65_535 + 32 + 32) };
        // SAFETY: slot & 1 is 0 or 1, so the load ends at byte 65,535 + 32 + 32 at the
        // latest, and the table is at least as large. It needs no alignment.
        registers!({
            let entries = table.0.as_ptr().cast::<u8>();
            _mm256_loadu_si256(entries.add(usize::from(step) + 32 * (slot & 1)).cast())
        })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        registers!(_mm256_and_si256(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        registers!(_mm256_xor_si256(self.0, other.0))
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
    fn load_counts(counts: &[u16; 16]) -> Self {
        // SAFETY: a reference to 32 bytes; the load needs no alignment.
        registers!(_mm256_loadu_si256(counts.as_ptr().cast()))
    }

    #[inline(always)]
    fn store_counts(self, counts: &mut [u16; 16]) {
        // SAFETY: a reference to 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn dot(a: (Self, Self), b: (Self, Self)) -> u64 {
        // A pair of products is below 2³¹, two pairs are below 2³² without a sign.
        let sums = registers!({
            let pairs = _mm256_add_epi32(
                _mm256_madd_epi16(a.0.0, b.0.0),
                _mm256_madd_epi16(a.1.0, b.1.0),
            );
            let even = _mm256_and_si256(pairs, _mm256_set1_epi64x(0xffff_ffff));
            _mm256_add_epi64(even, _mm256_srli_epi64(pairs, 32))
        });
        let mut words = [0; 4];
        sums.store(&mut words);
        words.iter().sum()
    }
}
