//! AVX-512 with byte popcounts (BITALG) and byte compression (VBMI2): two slots of the
//! lanes are one register, and ones are counted per byte by one instruction.
//!
//! What this instruction set does no better than AVX2 is shared with [`avx2`](super::avx2),
//! compiled for it. All `unsafe` here rests on the same kind of fact: an [`Avx512`] exists
//! only where [`Avx512::new`] found that the processor has these instructions.

#![allow(unsafe_code, reason = "intrinsics, and functions compiled for them")]

use std::arch::x86_64::*;

use super::{
    BitVector, Bits, Counts, HalfBoard, Kernel, LANES, Outer, Pass, Table, Tile, TooMany, Vector,
    Visit, Walk,
    avx2::{Avx2, Register},
    lanes::{self, Path},
    trie,
};
use crate::engine::Cpu;

/// The kernel for processors with AVX-512, from Ice Lake and Zen 4 on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        Avx2::new()
            .filter(|_| Cpu::Avx512.is_available())
            .map(Avx512)
    }
}

/// Defines a function compiled for the instruction set and calls it.
macro_rules! compiled {
    (fn $name:ident $(<const $constant:ident: usize>)? ($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block) => {{
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn $name $(<const $constant: usize>)? ($($argument: $kind),*) $(-> $result)? $body
        // SAFETY: `self` is an `Avx512`, so the processor has these features.
        unsafe { $name $(::<$constant>)? ($($argument),*) }
    }};
}

impl Kernel for Avx512 {
    fn transpose(self, cells: &[&[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
        self.0.transpose(cells, needed, rows);
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
                    walk_one::<PAIRS>(pass, counts);
                } else {
                    walk_both::<PAIRS>(pass, counts);
                }
            }
        }
    }

    fn turn(self, tile: &Tile) -> Tile {
        self.0.turn(tile)
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
                filter_eights(from, taken, to);
            }
        }
    }

    fn visit<const VECTORS: usize>(self, visit: &Visit, walk: &mut Walk) -> u64 {
        compiled! {
            fn run<const VECTORS: usize>(visit: &Visit, walk: &mut Walk) -> u64 {
                trie::visit::<Wide, VECTORS>(visit, walk)
            }
        }
    }
}

/// See [`lanes::walk`]: both slots at once.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vbmi2")]
#[inline]
fn walk_both<const PAIRS: usize>(pass: &Pass, counts: &mut [Counts]) {
    const { assert!(Table::BYTES >= 65_535 + 64) };
    let fitting = |step: u16| {
        // SAFETY: the load ends at byte 65,535 + 64 at the latest, and the table is at
        // least as large. It needs no alignment.
        unsafe {
            _mm512_loadu_si512(
                pass.table
                    .0
                    .as_ptr()
                    .cast::<u8>()
                    .add(usize::from(step))
                    .cast(),
            )
        }
    };
    walk_groups(pass, counts, |walkers| {
        let mut bytes = _mm512_setzero_si512();
        for &path in walkers {
            let mut bits = fitting(lanes::step(path, 0));
            for pair in 1..PAIRS {
                bits = _mm512_and_si512(bits, fitting(lanes::step(path, pair)));
            }
            bytes = _mm512_add_epi8(bytes, _mm512_popcnt_epi8(bits));
        }
        [
            _mm512_castsi512_si256(bytes),
            _mm512_extracti64x4_epi64(bytes, 1),
        ]
    });
}

/// See [`lanes::walk`]: one slot. Ones are counted so fast here that adders for the
/// carries do not pay.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vbmi2")]
#[inline]
fn walk_one<const PAIRS: usize>(pass: &Pass, counts: &mut [Counts]) {
    let fitting = |step: u16| Register::load_entry(pass.table, step, 0).0;
    walk_groups(pass, counts, |walkers| {
        let mut bytes = _mm256_setzero_si256();
        for &path in walkers {
            let mut bits = fitting(lanes::step(path, 0));
            for pair in 1..PAIRS {
                bits = _mm256_and_si256(bits, fitting(lanes::step(path, pair)));
            }
            bytes = _mm256_add_epi8(bytes, _mm256_popcnt_epi8(bits));
        }
        [bytes]
    });
}

/// Adds up for each group what its walkers fit, counted per byte of each slot by `ones`
/// for as many of them as a byte can hold: 31 walkers of 8.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vbmi2")]
#[inline]
fn walk_groups<const SLOTS: usize>(
    pass: &Pass,
    counts: &mut [Counts],
    ones: impl Fn(&[Path]) -> [__m256i; SLOTS],
) {
    for group in pass.groups {
        let counts = &mut counts[group.row as usize].0;
        let mut sum = if pass.first {
            _mm512_setzero_si512()
        } else {
            load_counts(counts)
        };
        let walkers = &pass.paths[group.start as usize..group.end as usize];
        for walkers in walkers.chunks(31) {
            for slot in ones(walkers) {
                sum = _mm512_adds_epu16(sum, _mm512_cvtepu8_epi16(slot));
            }
        }
        store_counts(sum, counts);
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_counts(counts: &[u16; LANES]) -> __m512i {
    // SAFETY: a reference to 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(counts.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store_counts(sum: __m512i, counts: &mut [u16; LANES]) {
    // SAFETY: a reference to 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(counts.as_mut_ptr().cast(), sum) }
}

/// 256 bits as a register of AVX2, but two of them at a time where it can.
#[derive(Debug, Clone, Copy)]
struct Wide(Register);

impl BitVector for Wide {
    #[inline(always)]
    fn load(bits: &Bits) -> Self {
        Wide(Register::load(bits))
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        self.0.store(bits);
    }

    #[inline(always)]
    fn zero() -> Self {
        Wide(Register::zero())
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Wide(self.0.or(other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Wide(self.0.without(other.0))
    }

    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        self.0.nonzero_words()
    }

    #[inline(always)]
    fn survive<const N: usize>(
        parent: &[Bits; N],
        a: &[Bits; 4],
        b: &[Bits; 4],
        alive: &mut [Bits; N],
    ) -> u32 {
        let mut words = 0;
        // SAFETY: see the head of this file; the references are to 64 bytes each, and
        // loads and stores need no alignment.
        unsafe {
            for (i, alive) in alive.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let load =
                    |bits: &[Bits]| _mm512_loadu_si512(bits[2 * i..2 * i + 2].as_ptr().cast());
                let dead = _mm512_or_si512(load(a), load(b));
                let survivors = _mm512_andnot_si512(dead, load(parent));
                _mm512_storeu_si512(alive.as_mut_ptr().cast(), survivors);
                words |= u32::from(_mm512_test_epi64_mask(survivors, survivors)) << (8 * i);
            }
        }
        if N % 2 == 1 {
            let i = N - 1;
            let dead = Register::load(&a[i]).or(Register::load(&b[i]));
            let survivors = Register::load(&parent[i]).without(dead);
            survivors.store(&mut alive[i]);
            words |= survivors.nonzero_words() << (4 * i);
        }
        words
    }
}

/// See [`trie::filter`]: eight placements at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx512vbmi2")]
#[inline]
fn filter_eights(from: &Outer, taken: u64, to: &mut Outer) {
    let len = from.diagonals.len().min(from.keys.len());
    to.clear();
    to.diagonals.reserve(len + 8);
    to.keys.reserve(len + 8);
    let taken_everywhere = _mm512_set1_epi64(taken as i64);
    let (diagonals, keys) = (from.diagonals.as_chunks::<8>(), from.keys.as_chunks::<8>());
    let mut kept = 0;
    for (diagonals, keys) in diagonals.0.iter().zip(keys.0) {
        // SAFETY: `kept` is at most the number of placements read before this round, so
        // eight more fit into the room reserved; the references are to eight of each.
        unsafe {
            let eight = _mm512_loadu_si512(diagonals.as_ptr().cast());
            let free = _mm512_testn_epi64_mask(eight, taken_everywhere);
            let front = _mm512_maskz_compress_epi64(free, eight);
            _mm512_storeu_si512(to.diagonals.as_mut_ptr().add(kept).cast(), front);
            let eight = _mm_loadu_si128(keys.as_ptr().cast());
            let front = _mm_maskz_compress_epi16(free, eight);
            _mm_storeu_si128(to.keys.as_mut_ptr().add(kept).cast(), front);
            kept += free.count_ones() as usize;
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
