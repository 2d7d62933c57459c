//! The outer list of packed lanes: which placements lie in which lane, panel and strip.

use std::{cmp::Reverse, ops::Range};

use super::{MOST_PANELS, NO_ROW};
use crate::{
    engine::{
        alloc,
        colours::{
            join::{
                counts::{Counts, LANES},
                prefixes::{Outer, OuterSlice},
            },
            placements::Placements,
        },
    },
    error::Error,
};

/// How many panels are a strip, in a join that makes so many rows of counts: as many as have
/// theirs in `room` bytes.
fn strip_panels(rows: usize, room: usize) -> usize {
    (room / (size_of::<Counts>() * rows.max(1))).clamp(2, MOST_PANELS)
}

/// How many strips so many lanes make, in a join that makes so many rows of counts.
pub(crate) fn strips(lanes: usize, rows: usize, room: usize) -> usize {
    lanes.div_ceil(LANES * strip_panels(rows, room))
}

/// An outer list, by lanes: its column sets by falling number of placements, so that
/// neighbours fill as many bytes.
#[derive(Debug)]
pub(crate) struct LaneList {
    /// The key of each lane.
    keys: Vec<u16>,
    /// The lane of each key that has a placement, or [`NO_ROW`].
    lanes: Vec<u16>,
    /// The first placement of each lane, and the end.
    first: Vec<u32>,
    /// The placements, with their lanes in the strip.
    outer: Outer,
    /// How many panels are a strip.
    strip_panels: usize,
}

impl LaneList {
    /// The list of a join that makes so many rows of counts, of which a strip should have no
    /// more than fit into `room` bytes.
    pub(crate) fn new(
        list: &Placements,
        keys: usize,
        (rows, room): (usize, usize),
    ) -> Result<Self, Error> {
        let strip_panels = strip_panels(rows, room);
        let mut sizes = vec![0u32; keys];
        for &key in list.keys() {
            sizes[usize::from(key)] += 1;
        }
        let size = |key: u16| sizes[usize::from(key)];
        let mut lane_keys: Vec<u16> = (0..keys as u16).filter(|&key| size(key) > 0).collect();
        lane_keys.sort_by_key(|&key| Reverse(size(key)));
        let mut lanes = vec![NO_ROW; keys];
        let mut first = vec![0];
        let mut end = 0;
        // Where the next placement of each key goes.
        let mut next = vec![0; keys];
        for (lane, &key) in lane_keys.iter().enumerate() {
            lanes[usize::from(key)] = lane as u16;
            next[usize::from(key)] = end;
            end += size(key);
            first.push(end);
        }
        let mut outer = Outer {
            diagonals: alloc::filled(0, list.len())?,
            keys: alloc::filled(0, list.len())?,
        };
        for (&key, &diagonals) in list.keys().iter().zip(list.diagonals()) {
            let place = &mut next[usize::from(key)];
            outer.diagonals[*place as usize] = diagonals;
            *place += 1;
        }
        for (lane, ends) in first.windows(2).enumerate() {
            outer.keys[ends[0] as usize..ends[1] as usize]
                .fill((lane % (LANES * strip_panels)) as u16);
        }
        Ok(LaneList {
            keys: lane_keys,
            lanes,
            first,
            outer,
            strip_panels,
        })
    }

    /// The key of each lane.
    pub(crate) fn keys(&self) -> &[u16] {
        &self.keys
    }

    /// The lane of each key that has one, or [`NO_ROW`].
    pub(crate) fn lanes(&self) -> &[u16] {
        &self.lanes
    }

    /// How many strips there are.
    pub(crate) fn strips(&self) -> usize {
        self.panels().div_ceil(self.strip_panels)
    }

    /// How many panels there are.
    pub(crate) fn panels(&self) -> usize {
        self.keys.len().div_ceil(LANES)
    }

    /// The panels of a strip.
    pub(crate) fn panels_of(&self, strip: usize) -> Range<usize> {
        strip * self.strip_panels..self.panels().min((strip + 1) * self.strip_panels)
    }

    /// The lanes of a strip.
    pub(super) fn lanes_of(&self, strip: usize) -> Range<usize> {
        let Range { start, end } = self.panels_of(strip);
        LANES * start..self.keys.len().min(LANES * end)
    }

    /// The placements of a strip.
    pub(super) fn strip(&self, strip: usize) -> OuterSlice<'_> {
        let Range { start, end } = self.lanes_of(strip);
        self.outer
            .slice(self.first[start] as usize..self.first[end] as usize)
    }

    /// How many placements a lane has.
    pub(super) fn size(&self, lane: usize) -> u32 {
        self.first[lane + 1] - self.first[lane]
    }
}
