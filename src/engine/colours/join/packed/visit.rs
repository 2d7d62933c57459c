//! The inner loops of packed lanes: all walkers of a prefix, on their way over what fits it.
//! Written once for vectors of any width, and compiled for each kernel.

use super::{
    Room, TABLED,
    strips::Layer,
    unpack::{Adding, Multiplying, unpack},
    walker::Group,
};
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

/// What becomes of the counts of a join, panel by panel, with a row for each inner column set.
pub(crate) enum Target<'a> {
    /// They are added to these.
    Counts(&'a mut [Counts]),
    /// They are multiplied by these factors, which are below 2¹⁵, and the products added up.
    Factors(&'a [Counts], &'a mut u128),
}

impl Target<'_> {
    /// The same target, for the next prefix.
    pub(super) fn again(&mut self) -> Target<'_> {
        match self {
            Target::Counts(counts) => Target::Counts(counts),
            Target::Factors(factors, sum) => Target::Factors(factors, sum),
        }
    }
}

/// Counts what fits the walkers of a prefix.
#[inline(always)]
pub(crate) fn visit<V: Vector, W: Wide<Proof = V::Proof>>(
    proof: V::Proof,
    visit: &Visit,
    room: &mut Room,
    target: Target,
) {
    for vector in 0..visit.vectors {
        if visit.has_half && vector + 1 == visit.vectors {
            pass::<[V; 1]>(proof, visit, vector, room);
        } else {
            pass::<W>(proof, visit, vector, room);
        }
    }
    match target {
        Target::Counts(counts) => unpack::<V, _>(proof, visit, &room.bytes, Adding(counts)),
        Target::Factors(factors, sum) => {
            unpack::<V, _>(proof, visit, &room.bytes, Multiplying(factors, sum));
        }
    }
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
