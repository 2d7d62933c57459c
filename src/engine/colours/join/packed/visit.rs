//! The inner loops of packed lanes: all walkers of a prefix, on their way over what fits it.
//! Written once for vectors of any width, and compiled for each kernel.

use super::{Room, TABLED, strips::Layer, walker::Group};
use crate::engine::colours::{
    half::HalfBoard,
    join::{
        counts::Counts,
        kernel::{Row, Vector, Wide},
    },
};

/// For each pair of squares on a pair of rows, which outer placements both leave: the
/// columns of the pair, four bits each, are the place.
pub(crate) type Table = [Row; 256];

/// All walkers of a prefix, on their way over what fits it.
pub(crate) struct Visit<'a> {
    pub(super) half: &'a HalfBoard,
    /// The rows below the prefix, and the columns that are free on each.
    pub(super) rows: &'a [u8],
    pub(super) free: [u32; TABLED],
    /// The row of each diagonal, vector by vector.
    pub(super) bits: &'a [Row],
    pub(super) vectors: usize,
    /// Whether only the lower half of the last vector is in use.
    pub(super) has_half: bool,
    /// The layers of each panel.
    pub(super) layers: &'a [&'a [Layer]],
    pub(super) paths: &'a [u16],
    pub(super) groups: &'a [Group],
    /// How many rows of counts each panel has.
    pub(super) height: usize,
}

/// Adds what fits the walkers of a prefix to the counts.
#[inline(always)]
pub(crate) fn visit<V: Vector, W: Wide<Proof = V::Proof>>(
    proof: V::Proof,
    visit: &Visit,
    room: &mut Room,
    counts: &mut [Counts],
) {
    for vector in 0..visit.vectors {
        if visit.has_half && vector + 1 == visit.vectors {
            pass::<[V; 1]>(proof, visit, vector, room);
        } else {
            pass::<W>(proof, visit, vector, room);
        }
    }
    unpack::<V>(proof, visit, &room.bytes, counts);
}

/// Counts what fits the walkers in each byte of a vector.
#[inline(always)]
fn pass<W: Wide>(proof: W::Proof, visit: &Visit, vector: usize, room: &mut Room) {
    let Room {
        tables,
        seconds,
        bytes,
    } = room;
    let diagonals = visit.half.diagonals;
    let bits = &visit.bits[vector * diagonals..][..diagonals];
    let rows = visit.rows.chunks(2).chain([&[][..]]);
    for (pair, (table, rows)) in tables.iter_mut().zip(rows).enumerate() {
        let free = [visit.free[2 * pair], visit.free[2 * pair + 1]];
        fill::<W>(proof, table, seconds, visit.half, (rows, free), bits);
    }
    let to = bytes[vector..].iter_mut().step_by(visit.vectors);
    walk::<W>(proof, tables, visit, to);
}

/// Tables what a pair of queens on these rows, none, one or two, leaves of a vector.
#[inline(always)]
fn fill<W: Wide>(
    proof: W::Proof,
    table: &mut Table,
    seconds: &mut [Row; 16],
    half: &HalfBoard,
    (rows, free): (&[u8], [u32; 2]),
    bits: &[Row],
) {
    let everyone = W::ones(proof);
    let Some(&row) = rows.first() else {
        return everyone.store(&mut table[0]);
    };
    let second_free = match rows.get(1) {
        None => {
            everyone.store(&mut seconds[0]);
            1
        }
        Some(&row) => {
            for column in Columns(free[1]) {
                let left = everyone.without(blocked(proof, half, (row, column), bits));
                left.store(&mut seconds[column as usize % 16]);
            }
            free[1]
        }
    };
    for column in Columns(free[0]) {
        let first = blocked::<W>(proof, half, (row, column), bits);
        // Also the pairs that attack each other: as often for every first column, which the
        // processor can guess.
        for second in Columns(second_free) {
            let left = W::load(proof, &seconds[second as usize % 16]).without(first);
            left.store(&mut table[(column | second << 4) as usize % 256]);
        }
    }
}

/// What a queen on a square rules out of a vector.
#[inline(always)]
fn blocked<W: Wide>(
    proof: W::Proof,
    half: &HalfBoard,
    (row, column): (u8, u32),
    bits: &[Row],
) -> W {
    let sum = &bits[half.sum_bit(row.into(), column) as usize];
    let difference = &bits[half.difference_bit(row.into(), column) as usize];
    W::load(proof, sum).or(W::load(proof, difference))
}

/// The members of a set, lowest first.
#[derive(Clone, Copy)]
struct Columns(u32);

impl Iterator for Columns {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let column = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            column
        })
    }
}

/// Counts, for each group and each byte of a vector, what fits its walkers.
#[inline(always)]
fn walk<'b, W: Wide>(
    proof: W::Proof,
    [first, second]: &[Table; 2],
    visit: &Visit,
    bytes: impl Iterator<Item = &'b mut [u8; 64]>,
) {
    for (group, bytes) in visit.groups.iter().zip(bytes) {
        let walkers = &visit.paths[group.start as usize..][..usize::from(group.len)];
        // At most 24 walkers of 8.
        let mut sum = W::zero(proof);
        for &path in walkers {
            let [low, high] = path.to_le_bytes();
            let a = W::load(proof, &first[usize::from(low)]);
            let b = W::load(proof, &second[usize::from(high)]);
            sum = sum.add_bytes(a.and(b).ones_per_byte());
        }
        sum.store_bytes(bytes);
    }
}

/// Adds the byte counts of each group to the counts of its row, lane by lane.
#[inline(always)]
fn unpack<V: Vector>(proof: V::Proof, visit: &Visit, bytes: &[[u8; 64]], counts: &mut [Counts]) {
    let bytes = bytes.as_flattened();
    let most = visit.layers.iter().map(|layers| layers.len()).max();
    let most = most.unwrap_or(0);
    for (number, group) in visit.groups.iter().enumerate() {
        let bytes = &bytes[64 * visit.vectors * number..][..64 * visit.vectors + 16];
        let layer = |layer: &Layer| {
            let load =
                |first: u32| -> &[u8; 16] { bytes[first as usize..][..16].try_into().expect("16") };
            let [low, high] = layer.first.map(load);
            V::spread(proof, low, high, &layer.places)
        };
        // Whether the layers can be added up as bytes.
        let is_small = usize::from(group.len) * 8 * most <= 255;
        for (panel, layers) in visit.layers.iter().enumerate() {
            let Some((lowest, others)) = layers.split_first() else {
                continue;
            };
            let counts = &mut counts[panel * visit.height + usize::from(group.row)];
            let (low, high) = counts.halves_mut();
            let (mut low_sum, mut high_sum) =
                (V::load_counts(proof, low), V::load_counts(proof, high));
            let mut bytes = layer(lowest);
            for other in others {
                if is_small {
                    bytes = bytes.add_bytes(layer(other));
                } else {
                    let (low, high) = bytes.widen();
                    low_sum = low_sum.add_saturating(low);
                    high_sum = high_sum.add_saturating(high);
                    bytes = layer(other);
                }
            }
            let (low_bytes, high_bytes) = bytes.widen();
            low_sum.add_saturating(low_bytes).store_counts(low);
            high_sum.add_saturating(high_bytes).store_counts(high);
        }
    }
}
