//! Unpacking: the byte counts of each group go back to their lanes, and are added to the counts
//! of its column set, or multiplied by the factors of the other colour.

use std::ops::Range;

use super::{strips::Layer, visit::Visit, walker::Group};
use crate::engine::colours::join::{counts::Counts, kernel::Vector};

/// Brings the byte counts of each group back to their lanes: several layers at once where their
/// sum fits into a byte, which has 8 for each walker and layer at most.
#[inline(always)]
pub(super) fn unpack<V: Vector, U: Use<V>>(
    proof: V::Proof,
    visit: &Visit,
    bytes: &[[u8; 64]],
    mut to: U,
) {
    // The groups fall in length.
    let longer_than = |len: u8| visit.groups.partition_point(|group| group.len > len);
    let (two, four) = (longer_than(255 / 8 / 2), longer_than(255 / 8 / 4));
    for (groups, together) in [(0..two, 1), (two..four, 2), (four..visit.groups.len(), 4)] {
        let bytes = &bytes[visit.vectors * groups.start..visit.vectors * groups.end];
        let unpacked = (&visit.groups[groups], bytes.as_flattened());
        let width = 64 * visit.vectors;
        for (panel, layers) in visit.layers.iter().enumerate() {
            let rows = panel * visit.height..(panel + 1) * visit.height;
            for layers in layers.chunks(together) {
                let rows = rows.clone();
                match *layers {
                    [a] => to.take(proof, unpacked, &Layers::new([a], width), rows),
                    [a, b] => to.take(proof, unpacked, &Layers::new([a, b], width), rows),
                    [a, b, c] => to.take(proof, unpacked, &Layers::new([a, b, c], width), rows),
                    [a, b, c, d] => {
                        to.take(proof, unpacked, &Layers::new([a, b, c, d], width), rows);
                    }
                    _ => unreachable!("one to four layers"),
                }
            }
        }
    }
}

/// Layers of a panel that are added up as bytes.
pub(super) struct Layers<const N: usize> {
    layers: [Layer; N],
    /// Where their bytes begin, of the lower and of the upper lanes.
    firsts: [[usize; 2]; N],
    /// How many bytes a group has.
    width: usize,
}

impl<const N: usize> Layers<N> {
    #[inline(always)]
    fn new(layers: [Layer; N], width: usize) -> Self {
        let firsts = layers.map(|layer| layer.first.map(|first| first as usize));
        // Known before the loop over the groups, this needs no check in it.
        for first in firsts.as_flattened() {
            assert!(*first <= width && width - first >= 16);
        }
        Layers {
            layers,
            firsts,
            width,
        }
    }

    /// Their sum, for a group with these bytes.
    #[inline(always)]
    fn sum<V: Vector>(&self, proof: V::Proof, bytes: &[u8]) -> V {
        let mut sum = V::zero(proof);
        for (layer, first) in self.layers.iter().zip(self.firsts) {
            let [low, high] = first.map(|first| bytes[first..].first_chunk().expect("16"));
            sum = sum.add_bytes(V::spread(proof, low, high, &layer.places));
        }
        sum
    }
}

/// What the counts of groups are used for.
pub(super) trait Use<V: Vector> {
    /// Takes some layers of some groups, with the rows of their panel.
    fn take<const N: usize>(
        &mut self,
        proof: V::Proof,
        unpacked: (&[Group], &[u8]),
        layers: &Layers<N>,
        rows: Range<usize>,
    );
}

/// They are added to these.
pub(super) struct Adding<'a>(pub(super) &'a mut [Counts]);

impl<V: Vector> Use<V> for Adding<'_> {
    #[inline(always)]
    fn take<const N: usize>(
        &mut self,
        proof: V::Proof,
        (groups, bytes): (&[Group], &[u8]),
        layers: &Layers<N>,
        rows: Range<usize>,
    ) {
        let counts = &mut self.0[rows];
        for (group, bytes) in groups.iter().zip(bytes.chunks_exact(layers.width)) {
            let (low_sum, high_sum) = layers.sum::<V>(proof, bytes).widen();
            let (low, high) = counts[usize::from(group.row)].halves_mut();
            let low_sum = low_sum.add_saturating(V::load_counts(proof, low));
            let high_sum = high_sum.add_saturating(V::load_counts(proof, high));
            low_sum.store_counts(low);
            high_sum.store_counts(high);
        }
    }
}

/// They are multiplied by these, and the products added up.
pub(super) struct Multiplying<'a>(pub(super) &'a [Counts], pub(super) &'a mut u128);

impl<V: Vector> Use<V> for Multiplying<'_> {
    #[inline(always)]
    fn take<const N: usize>(
        &mut self,
        proof: V::Proof,
        (groups, bytes): (&[Group], &[u8]),
        layers: &Layers<N>,
        rows: Range<usize>,
    ) {
        /// A byte times a factor is below 2²³, four of these below 2²⁵: so many groups fit
        /// into 31 bits.
        const TOGETHER: usize = 64;
        let factors = &self.0[rows];
        let some = bytes.chunks(TOGETHER * layers.width);
        for (groups, bytes) in groups.chunks(TOGETHER).zip(some) {
            let mut sum = V::zero(proof);
            for (group, bytes) in groups.iter().zip(bytes.chunks_exact(layers.width)) {
                let counts = layers.sum::<V>(proof, bytes).widen();
                let (low, high) = factors[usize::from(group.row)].halves();
                let factors = (V::load_counts(proof, low), V::load_counts(proof, high));
                sum = sum.add_products(counts, factors);
            }
            *self.1 += u128::from(sum.total());
        }
    }
}
