//! Plain 64-bit arithmetic: right on every machine, and still several lanes at a
//! time.

use super::{
    BitVector, Bits, Counts, Kernel, LANES, Outer, OuterSlice, Tile, Vector, counts, packed,
    prefixes, trie,
};

/// The kernel for every machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Kernel for Portable {
    fn transpose(self, masks: &[[u64; 8]; 32], _needed: u64, rows: &mut [Bits; 64]) {
        for (word, masks) in masks.as_flattened().as_chunks::<64>().0.iter().enumerate() {
            let mut square = *masks;
            transpose_square(&mut square);
            for (row, bits) in rows.iter_mut().zip(square) {
                row[word] = bits;
            }
        }
    }

    fn filter(self, from: OuterSlice, taken: u64, to: &mut Outer) {
        prefixes::filter(from, taken, to);
    }

    fn visit_packed(self, visit: &packed::Visit, room: &mut packed::Room, target: packed::Target) {
        packed::visit::<Words, [Words; 2]>(self, visit, room, target);
    }

    fn visit_trie<const VECTORS: usize>(self, visit: &trie::Visit, walk: &mut trie::Walk) -> u64 {
        trie::visit::<Words, VECTORS>(self, visit, walk)
    }

    fn turn(self, tile: &Tile, turned: &mut Tile) {
        *turned = std::array::from_fn(|i| Counts(std::array::from_fn(|j| tile[j].0[i])));
    }

    fn weigh(self, tile: &mut Tile, rows: &[u16; LANES], lanes: &[u16; LANES]) -> u16 {
        counts::weigh(tile, rows, lanes)
    }
}

/// Transposes a square of 64 × 64 bits: swaps the off-diagonal blocks of 32 × 32, then
/// those of 16 × 16 within each block, and so on.
fn transpose_square(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        for block in (0..64).step_by(2 * size) {
            for row in block..block + size {
                let swap = (rows[row] >> size ^ rows[row + size]) & mask;
                rows[row] ^= swap << size;
                rows[row + size] ^= swap;
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// 256 bits as four words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words(Bits);

impl Words {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Words(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn numbers(self) -> [u16; 16] {
        std::array::from_fn(|i| (self.0[i / 4] >> (16 * (i % 4))) as u16)
    }
}

impl BitVector for Words {
    type Proof = Portable;

    #[inline(always)]
    fn load(_: Portable, bits: &Bits) -> Self {
        Words(*bits)
    }

    #[inline(always)]
    fn store(self, bits: &mut Bits) {
        *bits = self.0;
    }

    #[inline(always)]
    fn zero(_: Portable) -> Self {
        Words([0; 4])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(self.0[i] != 0) << i)
    }
}

impl Vector for Words {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn ones_per_byte(self) -> Self {
        Words(self.0.map(|word| {
            const ODD: u64 = u64::MAX / 3;
            const PAIRS: u64 = u64::MAX / 5;
            const NIBBLES: u64 = u64::MAX / 17;
            let word = word - (word >> 1 & ODD);
            let word = (word & PAIRS) + (word >> 2 & PAIRS);
            (word + (word >> 4)) & NIBBLES
        }))
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // No byte passes 255, so none carries into the next.
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn spread(_: Portable, low: &[u8; 16], high: &[u8; 16], places: &[u8; 32]) -> Self {
        Words(std::array::from_fn(|word| {
            let from = if word < 2 { low } else { high };
            let bytes = std::array::from_fn(|byte| {
                let place = usize::from(places[8 * word + byte]);
                from.get(place).copied().unwrap_or(0)
            });
            u64::from_le_bytes(bytes)
        }))
    }

    #[inline(always)]
    fn widen(self) -> (Self, Self) {
        let spread = |half: u64| {
            let half = (half | half << 16) & 0x0000_ffff_0000_ffff;
            (half | half << 8) & 0x00ff_00ff_00ff_00ff
        };
        let words = |i: usize| {
            let (a, b) = (self.0[i], self.0[i + 1]);
            let low = 0xffff_ffff;
            Words([
                spread(a & low),
                spread(a >> 32),
                spread(b & low),
                spread(b >> 32),
            ])
        };
        (words(0), words(2))
    }

    #[inline(always)]
    fn add_saturating(self, other: Self) -> Self {
        let (a, b) = (self.numbers(), other.numbers());
        Self::load_counts(
            Portable,
            &std::array::from_fn(|i| a[i].saturating_add(b[i])),
        )
    }

    #[inline(always)]
    fn load_counts(_: Portable, counts: &[u16; 16]) -> Self {
        Words(std::array::from_fn(|i| {
            (0..4).fold(0, |word, k| word | u64::from(counts[4 * i + k]) << (16 * k))
        }))
    }

    #[inline(always)]
    fn store_counts(self, counts: &mut [u16; 16]) {
        *counts = self.numbers();
    }

    #[inline(always)]
    fn add_products(self, a: (Self, Self), b: (Self, Self)) -> Self {
        let [a0, a1, b0, b1] = [a.0, a.1, b.0, b.1].map(Words::numbers);
        let sum = |i: usize| {
            let product = |a: u16, b: u16| u64::from(a) * u64::from(b);
            let of_pair = |i: usize| product(a0[i], b0[i]) + product(a1[i], b1[i]);
            of_pair(2 * i) + of_pair(2 * i + 1)
        };
        Words(std::array::from_fn(|word| {
            self.0[word] + sum(2 * word) + (sum(2 * word + 1) << 32)
        }))
    }

    #[inline(always)]
    fn total(self) -> u64 {
        let sums = self.0.map(|word| (word & 0xffff_ffff) + (word >> 32));
        sums.iter().sum()
    }
}
