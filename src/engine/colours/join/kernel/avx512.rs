//! AVX-512 with byte popcounts (BITALG) and byte compression (VBMI2): 512 bits are one
//! register, and ones are counted per byte by one instruction.
//!
//! What this instruction set does no better than AVX2 is shared with [`avx2`](super::avx2),
//! compiled for it. All `unsafe` here rests on the same kind of fact: an [`Avx512`] exists
//! only where [`Avx512::new`] found that the processor has these instructions.

#![allow(unsafe_code, reason = "intrinsics, and functions compiled for them")]

use std::arch::x86_64::*;

use super::{
    BitVector, Bits, Kernel, LANES, Outer, OuterSlice, Row, Tile, Vector, Wide,
    avx2::{Avx2, Register},
    counts, packed, trie,
};
use crate::engine::{
    Cpu,
    cpu::{avx512_features, with_features},
};

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

/// Compiles a function for the instruction set.
macro_rules! compiled {
    ($($function:tt)*) => { avx512_features! { with_features $($function)* } };
}

impl Kernel for Avx512 {
    fn transpose(self, masks: &[[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]) {
        self.0.transpose(masks, needed, rows);
    }

    fn filter(self, from: OuterSlice, taken: u64, to: &mut Outer) {
        // SAFETY: `self` is proof of the features.
        unsafe { filter(from, taken, to) }
    }

    fn turn(self, tile: &Tile, turned: &mut Tile) {
        self.0.turn(tile, turned);
    }

    compiled_loops!(compiled, Avx512, HalfRegister, WideRegister);
}

/// 512 bits as a register.
#[derive(Debug, Clone, Copy)]
struct WideRegister(__m512i);

/// Wraps intrinsics that take and give registers only.
macro_rules! registers {
    ($body:expr) => {
        // SAFETY: made from registers or with proof; registers in, registers out.
        WideRegister(unsafe { $body })
    };
}

impl Wide for WideRegister {
    type Proof = Avx512;

    #[inline(always)]
    fn load(_: Avx512, row: &Row) -> Self {
        // SAFETY: a reference to 64 bytes; the load needs no alignment.
        registers!(_mm512_loadu_si512(row.0.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: a reference to 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(row.0.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8; 64]) {
        // SAFETY: a reference to 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn zero(_: Avx512) -> Self {
        registers!(_mm512_setzero_si512())
    }

    #[inline(always)]
    fn ones(_: Avx512) -> Self {
        registers!(_mm512_set1_epi64(-1))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        registers!(_mm512_and_si512(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        registers!(_mm512_or_si512(self.0, other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        registers!(_mm512_andnot_si512(other.0, self.0))
    }

    #[inline(always)]
    fn ones_per_byte(self) -> Self {
        registers!(_mm512_popcnt_epi8(self.0))
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        registers!(_mm512_add_epi8(self.0, other.0))
    }
}

/// 256 bits as a register of AVX2, but two of them at a time where it can, and ones counted
/// by one instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfRegister(Register);

impl BitVector for HalfRegister {
    type Proof = Avx512;

    #[inline(always)]
    fn load(kernel: Avx512, bits: &Bits) -> Self {
        HalfRegister(Register::load(kernel.0, bits))
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        self.0.store(bits);
    }

    #[inline(always)]
    fn zero(kernel: Avx512) -> Self {
        HalfRegister(Register::zero(kernel.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        HalfRegister(self.0.or(other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        HalfRegister(self.0.without(other.0))
    }

    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        self.0.nonzero_words()
    }

    #[inline(always)]
    fn survive<const N: usize>(
        kernel: Avx512,
        parent: &[Bits; N],
        a: &[Bits; N],
        b: &[Bits; N],
        alive: &mut [Bits; N],
    ) -> u32 {
        let mut words = 0;
        // SAFETY: the kernel is proof; the references are to 64 bytes each, and loads and
        // stores need no alignment.
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
            let load = |bits| Register::load(kernel.0, bits);
            let dead = load(&a[i]).or(load(&b[i]));
            let survivors = load(&parent[i]).without(dead);
            survivors.store(&mut alive[i]);
            words |= survivors.nonzero_words() << (4 * i);
        }
        words
    }
}

impl Vector for HalfRegister {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        HalfRegister(self.0.and(other.0))
    }

    #[inline(always)]
    fn ones_per_byte(self) -> Self {
        // SAFETY: the register was made with proof; a register in, a register out.
        let ones = unsafe { _mm256_popcnt_epi8(self.0.get()) };
        HalfRegister(self.0.with(ones))
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        HalfRegister(self.0.add_bytes(other.0))
    }

    #[inline(always)]
    fn spread(kernel: Avx512, low: &[u8; 16], high: &[u8; 16], places: &[u8; 32]) -> Self {
        HalfRegister(Register::spread(kernel.0, low, high, places))
    }

    #[inline(always)]
    fn widen(self) -> (Self, Self) {
        let (low, high) = self.0.widen();
        (HalfRegister(low), HalfRegister(high))
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        HalfRegister(self.0.add_saturating(other.0))
    }

    #[inline(always)]
    fn load_counts(kernel: Avx512, counts: &[u16; 16]) -> Self {
        HalfRegister(Register::load_counts(kernel.0, counts))
    }

    #[inline(always)]
    fn store_counts(self, counts: &mut [u16; 16]) {
        self.0.store_counts(counts);
    }

    #[inline(always)]
    fn add_products(self, a: (Self, Self), b: (Self, Self)) -> Self {
        HalfRegister(self.0.add_products((a.0.0, a.1.0), (b.0.0, b.1.0)))
    }

    #[inline(always)]
    fn total(self) -> u64 {
        self.0.total()
    }
}

compiled! {
/// See [`filter`](super::prefixes::filter): eight placements at a time.
fn filter(from: OuterSlice, taken: u64, to: &mut Outer) {
    let len = from.diagonals.len().min(from.keys.len());
    to.diagonals.clear();
    to.keys.clear();
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
}
