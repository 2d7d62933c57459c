//! The inner loops' instruction sets: one algorithm, instantiated for each.
//!
//! The loops themselves are written once, over a [`Vector`] of 256 bits and a [`Wide`] one
//! of 512, in [`packed`](super::packed), [`counts`](super::counts) and
//! [`trie`](super::trie). A [`Kernel`] compiles them for one instruction set; which one is
//! chosen once per run, by [`Cpu`](crate::Cpu).
//!
//! A vector is only made with proof in hand that the processor has the instructions: the
//! kernel itself, which can only be had by asking the processor.

/// The loops of an `impl Kernel`, which every instruction set compiles alike: by this macro,
/// for this kernel, over these vectors of 256 and of 512 bits.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! compiled_loops {
    ($compiled:ident, $kernel:ty, $vector:ty, $wide:ty) => {
        fn visit_packed(
            self,
            visit: &packed::Visit,
            room: &mut packed::Room,
            target: packed::Target,
        ) {
            $compiled! {
                fn compiled(
                    kernel: $kernel,
                    visit: &packed::Visit,
                    room: &mut packed::Room,
                    target: packed::Target,
                ) {
                    packed::visit::<$vector, $wide>(kernel, visit, room, target);
                }
            }
            // SAFETY: `self` is proof of the features.
            unsafe { compiled(self, visit, room, target) }
        }

        fn visit_trie<const VECTORS: usize>(
            self,
            visit: &trie::Visit,
            walk: &mut trie::Walk,
        ) -> u64 {
            $compiled! {
                fn compiled<const VECTORS: usize>(
                    kernel: $kernel,
                    visit: &trie::Visit,
                    walk: &mut trie::Walk,
                ) -> u64 {
                    trie::visit::<$vector, VECTORS>(kernel, visit, walk)
                }
            }
            // SAFETY: `self` is proof of the features.
            unsafe { compiled::<VECTORS>(self, visit, walk) }
        }

        fn weigh(self, tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16 {
            $compiled! {
                fn compiled(tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16 {
                    counts::weigh(tile, rows, lanes)
                }
            }
            // SAFETY: `self` is proof of the features.
            unsafe { compiled(tile, rows, lanes) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod portable;

use super::{
    counts::{self, Counts, LANES, Tile},
    packed, prefixes,
    prefixes::{Outer, OuterSlice},
    trie,
};

/// A set of 256: bit k is bit k % 64 of word k / 64.
pub(crate) type Bits = [u64; 4];

/// A set of 512 in a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [Bits; 2]);

impl Row {
    pub(crate) const ZERO: Row = Row([[0; 4]; 2]);
}

/// 256 bits: all that a trie needs.
pub(crate) trait BitVector: Copy {
    /// What shows that the processor has the instructions.
    type Proof: Copy;

    fn load(proof: Self::Proof, bits: &Bits) -> Self;
    fn store(self, bits: &mut Bits);
    fn zero(proof: Self::Proof) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// A bit for each of the four words that is not zero.
    fn nonzero_words(self) -> u32;

    /// Writes what is in `parent` but neither in `a` nor in `b`, and returns a bit for
    /// each word that is not zero.
    #[inline(always)]
    fn survive<const N: usize>(
        proof: Self::Proof,
        parent: &[Bits; N],
        a: &[Bits; N],
        b: &[Bits; N],
        alive: &mut [Bits; N],
    ) -> u32 {
        let mut survivors = [Self::zero(proof); N];
        for i in 0..N {
            let dead = Self::load(proof, &a[i]).or(Self::load(proof, &b[i]));
            survivors[i] = Self::load(proof, &parent[i]).without(dead);
        }
        let mut words = 0;
        for i in 0..N {
            survivors[i].store(&mut alive[i]);
            words |= survivors[i].nonzero_words() << (4 * i);
        }
        words
    }
}

/// 256 bits, also seen as 32 bytes or 16 numbers of 16 bits: what counts need.
pub(crate) trait Vector: BitVector {
    fn and(self, other: Self) -> Self;
    /// The number of ones in each byte.
    fn ones_per_byte(self) -> Self;
    /// Sums of bytes; the caller sees to it that none passes 255.
    fn add_bytes(self, other: Self) -> Self;
    /// The bytes at these places, of `low` for the lower and of `high` for the upper 16; a
    /// place of 128 or more has 0, others are below 16.
    fn spread(proof: Self::Proof, low: &[u8; 16], high: &[u8; 16], places: &[u8; 32]) -> Self;
    /// The lower and the upper 16 bytes, each widened to 16 bits.
    fn widen(self) -> (Self, Self);
    /// Sums of 16-bit numbers that stop at 65,535.
    fn add_saturating(self, other: Self) -> Self;
    fn load_counts(proof: Self::Proof, counts: &[u16; 16]) -> Self;
    fn store_counts(self, counts: &mut [u16; 16]);
    /// Adds to eight sums of 32 bits the products of all 32 pairs of 16-bit numbers, each below
    /// 2¹⁵: four to each. The caller sees to it that no sum passes 31 bits.
    fn add_products(self, a: (Self, Self), b: (Self, Self)) -> Self;
    /// The sum of the eight.
    fn total(self) -> u64;
}

/// 512 bits, also seen as 64 bytes, or their lower half: what packed lanes walk over.
pub(crate) trait Wide: Copy {
    /// What shows that the processor has the instructions.
    type Proof: Copy;

    fn load(proof: Self::Proof, row: &Row) -> Self;
    fn store(self, row: &mut Row);
    fn store_bytes(self, bytes: &mut [u8; 64]);
    fn zero(proof: Self::Proof) -> Self;
    fn ones(proof: Self::Proof) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// The number of ones in each byte.
    fn ones_per_byte(self) -> Self;
    /// Sums of bytes; the caller sees to it that none passes 255.
    fn add_bytes(self, other: Self) -> Self;
}

/// Two vectors where there is no wider one; one alone is the lower half. In loops, since
/// closures are not always compiled for the instruction set of their function.
impl<V: Vector, const N: usize> Wide for [V; N] {
    type Proof = V::Proof;

    #[inline(always)]
    fn load(proof: V::Proof, row: &Row) -> Self {
        let mut vectors = Self::zero(proof);
        for (vector, bits) in vectors.iter_mut().zip(&row.0) {
            *vector = V::load(proof, bits);
        }
        vectors
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        for (vector, bits) in self.into_iter().zip(&mut row.0) {
            vector.store(bits);
        }
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8; 64]) {
        let (halves, _) = bytes.as_chunks_mut::<32>();
        for (half, vector) in halves.iter_mut().zip(self) {
            let mut words = [0; 4];
            vector.store(&mut words);
            for (bytes, word) in half.as_chunks_mut::<8>().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
        }
    }

    #[inline(always)]
    fn zero(proof: V::Proof) -> Self {
        [V::zero(proof); N]
    }

    #[inline(always)]
    fn ones(proof: V::Proof) -> Self {
        [V::load(proof, &[u64::MAX; 4]); N]
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for (vector, other) in self.iter_mut().zip(other) {
            *vector = vector.and(other);
        }
        self
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for (vector, other) in self.iter_mut().zip(other) {
            *vector = vector.or(other);
        }
        self
    }

    #[inline(always)]
    fn without(mut self, other: Self) -> Self {
        for (vector, other) in self.iter_mut().zip(other) {
            *vector = vector.without(other);
        }
        self
    }

    #[inline(always)]
    fn ones_per_byte(mut self) -> Self {
        for vector in &mut self {
            *vector = vector.ones_per_byte();
        }
        self
    }

    #[inline(always)]
    fn add_bytes(mut self, other: Self) -> Self {
        for (vector, other) in self.iter_mut().zip(other) {
            *vector = vector.add_bytes(other);
        }
        self
    }
}

/// The inner loops, compiled for one instruction set.
pub(crate) trait Kernel: Copy {
    /// Turns 256 masks into rows: bit k of row d is bit d of mask k. Rows that are not in
    /// `needed` may be left as they are.
    fn transpose(self, masks: &[[u64; 8]; 32], needed: u64, rows: &mut [Bits; 64]);

    /// See [`prefixes::filter`].
    fn filter(self, from: OuterSlice, taken: u64, to: &mut Outer);

    /// See [`packed::visit`].
    fn visit_packed(self, visit: &packed::Visit, room: &mut packed::Room, target: packed::Target);

    /// See [`trie::visit`].
    fn visit_trie<const VECTORS: usize>(self, visit: &trie::Visit, walk: &mut trie::Walk) -> u64;

    /// Exchanges rows and lanes.
    fn turn(self, tile: &Tile, turned: &mut Tile);

    /// See [`counts::weigh`].
    fn weigh(self, tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16;
}
