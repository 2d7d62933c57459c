//! Every part of the engine against the obvious way to do the same, on every kernel.

mod restricted;

use std::{collections::HashMap, ops::Range, sync::Arc, time::Instant};

#[cfg(target_arch = "aarch64")]
use super::join::kernel::neon::Pair;
#[cfg(target_arch = "x86_64")]
use super::join::kernel::{avx2::Register, avx512::HalfRegister};
use super::schedule::numbering::Task;
use super::{
    half::{HalfBoard, HalfBoards},
    join::{
        counts::{Counts, LANES, Panels, Tile},
        kernel::{
            Bits, Kernel, Vector,
            portable::{Portable, Words},
        },
        packed::{Counted, LaneList, PackedStrips, Room, Target, Walker},
        prefixes::Outer,
        trie::{Chunks, Factors, Trie, Walk},
    },
    orbits::{Class, Representative, Symmetry},
    placements::Placements,
    schedule::{
        class::{Method, keys},
        cost,
        memory::Footprint,
        numbering::{Span, Spans},
        sizes::placements,
    },
    *,
};
use crate::{board::mask::full, count::known::QUEENS};

/// A test body that runs on every kernel of this machine.
trait OnKernel {
    fn test<K: Kernel>(&mut self, kernel: K);

    fn on_every_kernel(mut self)
    where
        Self: Sized,
    {
        for &cpu in Cpu::ALL {
            self.on(cpu);
        }
    }

    /// Runs the body if this machine has the kernel.
    fn on(&mut self, cpu: Cpu)
    where
        Self: Sized,
    {
        match cpu {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => Avx2::new().into_iter().for_each(|kernel| self.test(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => Avx512::new()
                .into_iter()
                .for_each(|kernel| self.test(kernel)),
            #[cfg(target_arch = "aarch64")]
            Cpu::Neon => Neon::new().into_iter().for_each(|kernel| self.test(kernel)),
            _ => self.test(Portable),
        }
    }
}

fn listed(half: &HalfBoard, rows: u32, keys: &[u16], bound: usize) -> Placements {
    let mut list = Placements::default();
    let filled = list.fill(half, rows, keys, bound, &Cancel::new());
    filled.expect("not interrupted");
    list
}

/// The engine set to a whole board.
fn whole(n: u32) -> Colours {
    Colours::new(&Problem::new(n).unwrap())
}

/// Numbers that look random and are the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

struct Primitives;

impl OnKernel for Primitives {
    fn test<K: Kernel>(&mut self, kernel: K) {
        let mut noise = Noise(0x1234_5678_9abc_def1);
        let masks: [[u64; 8]; 32] = [(); 32].map(|()| [(); 8].map(|()| noise.next()));
        let mut rows = [[0; 4]; 64];
        kernel.transpose(&masks, u64::MAX, &mut rows);
        for (k, mask) in masks.as_flattened().iter().enumerate() {
            for (d, row) in rows.iter().enumerate() {
                assert_eq!(
                    row[k / 64] >> (k % 64) & 1,
                    mask >> d & 1,
                    "mask {k} bit {d}"
                );
            }
        }

        let mut tile = || -> Tile {
            [(); LANES].map(|()| Counts([(); LANES].map(|()| noise.next() as u16 >> 1)))
        };
        let a = tile();
        let mut turned = [Counts::ZERO; LANES];
        kernel.turn(&a, &mut turned);
        for (i, turned) in turned.iter().enumerate() {
            assert_eq!(turned.0, a.map(|row| row.0[i]));
        }

        let rows: [u16; LANES] = std::array::from_fn(|i| i as u16 % 5);
        let columns: [u16; LANES] = std::array::from_fn(|j| 1 + j as u16 % 4);
        // What is too large for a factor is noticed wherever it is, and nothing else is.
        for (count, weight) in [(8191, 4), (8192, 4), (16_383, 2), (16_384, 0), (32_768, 1)] {
            for (row, lane) in [(0, 0), (31, 31), (7, 16)] {
                let mut one = [Counts::ZERO; LANES];
                one[row].0[lane] = count;
                let seen = kernel.weigh(&mut one, &[weight; LANES], &[4; LANES]);
                let fits = count < 16_384 && u32::from(count) * u32::from(weight) < 32_768;
                assert_eq!(seen >> 15 == 0, fits, "{count} × {weight}");
            }
        }
        let mut weighed = a;
        kernel.weigh(&mut weighed, &rows, &columns);
        for ((weighed, a), row) in weighed.iter().zip(&a).zip(rows) {
            for ((weighed, a), column) in weighed.0.iter().zip(a.0).zip(columns) {
                assert_eq!(*weighed, a.wrapping_mul(row.min(column)));
            }
        }

        for len in [0, 1, 7, 8, 9, 100] {
            let from = Outer {
                diagonals: (0..len).map(|_| noise.next() & noise.next()).collect(),
                keys: (0..len as u16).collect(),
            };
            let taken = 1 << 5 | 1 << 40;
            let mut to = Outer::default();
            kernel.filter(from.all(), taken, &mut to);
            let expected: Vec<(u64, u16)> = from
                .diagonals
                .iter()
                .copied()
                .zip(0..)
                .filter(|(d, _)| d & taken == 0)
                .collect();
            let found: Vec<(u64, u16)> = to.diagonals.into_iter().zip(to.keys).collect();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn primitives_do_what_they_say() {
    Primitives.on_every_kernel();
}

/// Every operation of a vector against the same on numbers one by one.
fn operations<V: Vector>(proof: V::Proof) {
    let mut noise = Noise(0xfeed_beef_1234_5678);
    for round in 0..200 {
        let mut bits = || -> Bits { [(); 4].map(|()| noise.next()) };
        let (a, mut b) = (bits(), bits());
        if round % 2 == 0 {
            b[round % 4] = 0;
        }
        let (x, y) = (V::load(proof, &a), V::load(proof, &b));
        let stored = |vector: V| {
            let mut bits = [0; 4];
            vector.store(&mut bits);
            bits
        };
        let words = |f: &dyn Fn(u64, u64) -> u64| std::array::from_fn(|i| f(a[i], b[i]));
        assert_eq!(stored(x.and(y)), words(&|a, b| a & b));
        assert_eq!(stored(x.or(y)), words(&|a, b| a | b));
        assert_eq!(stored(x.without(y)), words(&|a, b| a & !b));
        assert_eq!(stored(V::zero(proof)), [0; 4]);
        let nonzero = (0..4).filter(|&i| b[i] != 0).fold(0, |set, i| set | 1 << i);
        assert_eq!(y.nonzero_words(), nonzero);

        let bytes =
            |bits: Bits| -> [u8; 32] { std::array::from_fn(|i| bits[i / 8].to_le_bytes()[i % 8]) };
        let ones = bytes(a).map(|byte| byte.count_ones() as u8);
        assert_eq!(bytes(stored(x.ones_per_byte())), ones);
        let twice = x.ones_per_byte().add_bytes(x.ones_per_byte());
        assert_eq!(bytes(stored(twice)), ones.map(|ones| 2 * ones));

        let numbers = |vector: V| {
            let mut numbers = [0; 16];
            vector.store_counts(&mut numbers);
            numbers
        };
        let (low, high) = x.widen();
        let wide = bytes(a).map(u16::from);
        assert_eq!([numbers(low), numbers(high)].as_flattened(), wide);
        let (m, k) = (numbers(x), numbers(y));
        assert_eq!(numbers(V::load_counts(proof, &m)), m);
        let sums: [u16; 16] = std::array::from_fn(|i| m[i].saturating_add(k[i]));
        assert_eq!(numbers(x.add_saturating(y)), sums);

        let low: [u8; 16] = std::array::from_fn(|i| bytes(a)[i]);
        let high: [u8; 16] = std::array::from_fn(|i| bytes(a)[16 + i]);
        let places = bytes(b).map(|byte| if byte < 200 { byte % 16 } else { byte | 128 });
        let expected: [u8; 32] = std::array::from_fn(|i| {
            let half = if i < 16 { &low } else { &high };
            half.get(usize::from(places[i])).copied().unwrap_or(0)
        });
        assert_eq!(
            bytes(stored(V::spread(proof, &low, &high, &places))),
            expected
        );

        // Bytes times factors of 15 bits: 64 times the most is just not too much.
        let (m, k) = (m.map(|number| number >> 1), k.map(|number| number & 255));
        let product = |a: [u16; 16], b: [u16; 16]| -> u64 {
            a.iter()
                .zip(b)
                .map(|(&a, b)| u64::from(a) * u64::from(b))
                .sum()
        };
        let load = |numbers: [u16; 16]| V::load_counts(proof, &numbers);
        let (factor, byte) = ([32_767; 16], [255; 16]);
        for (a, b, c, d) in [(m, m, k, k), (k, m, m, k), (factor, factor, byte, byte)] {
            let (counts, factors) = ((load(a), load(b)), (load(c), load(d)));
            let mut sum = V::zero(proof);
            for _ in 0..64 {
                sum = sum.add_products(counts, factors);
            }
            assert_eq!(sum.total(), 64 * (product(a, c) + product(b, d)));
        }
    }
}

#[test]
fn vectors_do_what_numbers_do() {
    operations::<Words>(Portable);
    #[cfg(target_arch = "x86_64")]
    if let Some(kernel) = Avx2::new() {
        operations::<Register>(kernel);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(kernel) = Avx512::new() {
        operations::<HalfRegister>(kernel);
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(kernel) = Neon::new() {
        operations::<Pair>(kernel);
    }
}

/// Every way to put one queen on each of these rows, checked square by square.
fn brute_force(half: &HalfBoard, rows: &[u8]) -> Vec<Vec<u32>> {
    rows.iter()
        .fold(vec![vec![]], |placements: Vec<Vec<u32>>, &row| {
            let longer = placements.iter().flat_map(|columns| {
                (0..half.columns).filter_map(|column| {
                    let apart = columns.iter().zip(rows).all(|(&c, &r)| {
                        c != column && c.abs_diff(column) != u32::from(r.abs_diff(row))
                    });
                    apart.then(|| [&columns[..], &[column]].concat())
                })
            });
            longer.collect()
        })
}

#[test]
fn lists_hold_every_placement_once() {
    for n in 1..=11 {
        let HalfBoards { ee, oo, eo, oe } = HalfBoards::new(n);
        for half in [ee, oo, eo, oe] {
            let key_of = vec![0; 1 << half.columns];
            for rows in 0..1 << half.rows {
                let list = listed(&half, rows, &key_of, 1);
                let expected = brute_force(&half, &list.rows);
                let found: Vec<Vec<u32>> = list
                    .columns()
                    .iter()
                    .map(|columns| {
                        (0..list.rows.len())
                            .map(|i| (columns >> (4 * i) & 15) as u32)
                            .collect()
                    })
                    .collect();
                assert_eq!(found, expected, "n = {n}, rows {rows:b}");
            }
        }
    }
}

/// Two lists of a class at n, outer on even rows and inner on odd rows, of one colour.
struct Sides {
    inner_half: HalfBoard,
    outer: Placements,
    inner: Placements,
    outer_keys: usize,
    inner_keys: usize,
}

fn sides(n: u32, class: Class, even_rows: u32, odd_rows: u32, white: bool) -> Sides {
    let symmetry = Symmetry::new(n);
    let halves = HalfBoards::new(n);
    let (even, odd) = keys(class, &symmetry, &halves);
    if white {
        let (outer_keys, inner_keys) = (even.len(), odd.len());
        return Sides {
            inner_half: halves.oo,
            outer: listed(&halves.ee, even_rows, even.by_set(), outer_keys),
            inner: listed(&halves.oo, odd_rows, odd.by_set(), inner_keys),
            outer_keys,
            inner_keys,
        };
    }
    let (outer_keys, inner_keys) = (odd.len(), even.len());
    let others = (
        full(symmetry.even) - even_rows,
        full(symmetry.odd) - odd_rows,
    );
    Sides {
        inner_half: halves.oe,
        outer: listed(&halves.eo, others.0, odd.by_complement(), outer_keys),
        inner: listed(&halves.oe, others.1, even.by_complement(), inner_keys),
        outer_keys,
        inner_keys,
    }
}

impl Sides {
    /// The pairs with no common diagonal, by inner and outer key: the double loop.
    fn naive(&self) -> HashMap<(u16, u16), u64> {
        let mut counts = HashMap::new();
        for (&i, &inner) in self.inner.keys().iter().zip(self.inner.diagonals()) {
            for (&o, &outer) in self.outer.keys().iter().zip(self.outer.diagonals()) {
                if inner & outer == 0 {
                    *counts.entry((i, o)).or_default() += 1;
                }
            }
        }
        counts
    }

    /// The same with every outer placement so many times: the pairs of a prefix and two column
    /// sets are then too many for a byte, as on boards that are too large to be counted here.
    fn times(mut self, times: usize) -> Self {
        self.outer.repeat(times);
        self
    }
}

/// Some tasks of several boards, with sparse, balanced and dense sides.
fn examples() -> impl Iterator<Item = Sides> {
    let boards = [
        (1, 1),
        (5, 2),
        (7, 3),
        (8, 2),
        (12, 2),
        (13, 4),
        (14, 3),
        (14, 1),
        (15, 6),
        // Seven, eight and nine queens, keys with hundreds of placements.
        (16, 1),
        (17, 2),
        (18, 1),
        (18, 0),
    ];
    let many = boards.into_iter().flat_map(|(n, even)| {
        let odd = even - n % 2;
        let class = Class { even, odd };
        let symmetry = Symmetry::new(n);
        let rows =
            |width: u32, size: u32| (0..=full(width)).filter(move |set| set.count_ones() == size);
        let pairs = rows(symmetry.even, even)
            .step_by(11)
            .zip(rows(symmetry.odd, odd).step_by(7));
        pairs.flat_map(move |(e, o)| [true, false].map(|white| sides(n, class, e, o, white)))
    });
    // Of a list this long, what fits a prefix fills chunks of four vectors.
    let class = Class { even: 4, odd: 4 };
    let long = sides(18, class, 0b1_0001_0110, 0b0_1001_1010, false);
    // The last one has groups of more walkers than may add up four layers as bytes.
    let repeated = [
        (1, 1, 0, 0b1, 0),
        (12, 3, 3, 0b10_0101, 0b01_1010),
        (16, 1, 4, 0b1, 0b1001_0101),
    ];
    let repeated = repeated.map(|(n, even, odd, even_rows, odd_rows)| {
        sides(n, Class { even, odd }, even_rows, odd_rows, true).times(200)
    });
    many.chain([long]).chain(repeated)
}

struct Joins;

impl OnKernel for Joins {
    fn test<K: Kernel>(&mut self, kernel: K) {
        let cancel = Cancel::new();
        // Room that is used again and again: what it held before must not matter.
        let (mut strips, mut room) = (PackedStrips::default(), Room::new());
        let (mut panels, mut factors) = (Panels::default(), Panels::default());
        let mut counted = Counted::default();
        let (mut chunks, mut walk) = (Chunks::default(), Walk::new());
        let examples: Vec<Sides> = examples().collect();
        // Wide strips and narrow ones.
        let (wide, narrow) = (
            examples.iter().zip(std::iter::repeat(256 << 10)),
            examples.iter().rev().zip(std::iter::repeat(1)),
        );
        for (sides, strip_counts) in wide.chain(narrow) {
            let naive = sides.naive();
            let expected = |i: usize, o: u16| naive.get(&(i as u16, o)).copied().unwrap_or(0);
            let outer = LaneList::new(
                &sides.outer,
                sides.outer_keys,
                (sides.inner_keys, strip_counts),
            )
            .unwrap();
            let walker = Walker::new(&sides.inner, &sides.inner_half, &cancel).unwrap();
            let rows: Vec<u16> = (0..sides.inner_keys as u16).collect();
            walker.counted(&rows, &mut counted).unwrap();
            for memory in [usize::MAX, 1, 20_000] {
                panels.start(outer.panels(), rows.len()).unwrap();
                let height = panels.height();
                // The same counts once more, each multiplied by its own factor.
                let factor = |i: usize, lane: usize| (i * 1009 + lane * 31 + 7) as u16 >> 1;
                factors.start(outer.panels(), rows.len()).unwrap();
                for panel in 0..outer.panels() {
                    for (i, row) in factors.rows(panel..panel + 1).iter_mut().enumerate() {
                        row.0 = std::array::from_fn(|lane| factor(i, LANES * panel + lane));
                    }
                }
                let mut products = 0;
                strips.clear();
                strips.start(&walker, &outer);
                while strips.advance(kernel, &outer, memory).unwrap() {
                    for (strip, places) in strips.here() {
                        let panels_here = outer.panels_of(strip);
                        let counts = Target::Counts(panels.rows(panels_here.clone()));
                        let factors = Target::Factors(factors.rows(panels_here), &mut products);
                        for target in [counts, factors] {
                            room.join(
                                kernel,
                                (&walker, &counted),
                                (&outer, &strips),
                                (strip, places.clone()),
                                (target, height),
                                &cancel,
                            )
                            .unwrap();
                        }
                    }
                }
                let mut expected_products = 0;
                for i in 0..sides.inner_keys {
                    for (lane, &o) in outer.keys().iter().enumerate() {
                        assert_eq!(u64::from(panels.count(i, lane)), expected(i, o));
                        expected_products += expected(i, o) * u64::from(factor(i, lane));
                    }
                }
                assert_eq!(products, u128::from(expected_products));
            }
            // The trie, with a factor of its own for every pair of keys, and with room
            // for all chunks or for those of one prefix at a time.
            let factors = Factors {
                counts: (0..sides.inner_keys * sides.outer_keys)
                    .map(|k| (k % 251) as u16)
                    .collect(),
                stride: sides.outer_keys,
            };
            let queens = sides.inner.rows.len();
            for depth in 1..queens.min(4) {
                let trie =
                    Trie::new(&sides.inner, &sides.inner_half, depth, &Cancel::new()).unwrap();
                let outer = Outer {
                    diagonals: sides.outer.diagonals().to_vec(),
                    keys: sides.outer.keys().to_vec(),
                };
                for (bound, room) in [(sides.inner_keys, usize::MAX), (sides.inner_keys / 2, 1)] {
                    let mut sum = 0;
                    chunks.start(&trie);
                    while chunks.advance(kernel, &outer, room).unwrap() {
                        sum += walk
                            .join(kernel, &trie, bound as u16, &chunks, &factors, &cancel)
                            .unwrap();
                    }
                    let terms = naive.iter().filter(|((i, _), _)| usize::from(*i) < bound);
                    let expected: u64 = terms
                        .map(|(&(i, o), count)| {
                            let place = usize::from(i) * factors.stride + usize::from(o);
                            count * u64::from(factors.counts[place])
                        })
                        .sum();
                    assert_eq!(sum, expected, "depth {depth}, bound {bound}");
                }
            }
        }
    }
}

#[test]
fn joins_agree_with_the_double_loop() {
    Joins.on_every_kernel();
}

/// w(R, C) · b(Rᶜ, Cᶜ) for all C, from lists and a double loop.
fn terms(n: u32, class: Class, even_rows: u32, odd_rows: u32) -> Vec<(u32, u32, u64)> {
    // Keys of a symmetry that never drops a set: by the sets themselves.
    let halves = HalfBoards::new(n);
    let symmetry = Symmetry::new(n);
    let list = |half: &HalfBoard, rows: u32| {
        let identity: Vec<u16> = (0..1 << half.columns).collect();
        listed(half, rows, &identity, usize::from(u16::MAX))
    };
    let pairs = |a: Placements, b: Placements| {
        let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
        for (&p, &x) in a.keys().iter().zip(a.diagonals()) {
            for (&q, &y) in b.keys().iter().zip(b.diagonals()) {
                if x & y == 0 {
                    *counts.entry((p.into(), q.into())).or_default() += 1;
                }
            }
        }
        counts
    };
    let (all_even, all_odd) = (full(symmetry.even), full(symmetry.odd));
    let white = pairs(list(&halves.ee, even_rows), list(&halves.oo, odd_rows));
    let black = pairs(
        list(&halves.oe, all_odd - odd_rows),
        list(&halves.eo, all_even - even_rows),
    );
    assert_eq!(even_rows.count_ones(), class.even);
    let terms = white.into_iter().filter_map(|((e, o), w)| {
        let b = black.get(&(all_even - e, all_odd - o))?;
        Some((e, o, w * b))
    });
    terms.collect()
}

#[test]
fn every_symmetry_rule_agrees_with_the_sum_without_it() {
    for n in 1..=12 {
        let symmetry = Symmetry::new(n);
        let (even, odd) = (symmetry.even, symmetry.odd);
        let mut plain = 0;
        for even_rows in 0..=full(even) {
            for odd_rows in 0..=full(odd) {
                let class = Class {
                    even: even_rows.count_ones(),
                    odd: odd_rows.count_ones(),
                };
                if class.even - class.odd.min(class.even) == even - odd && class.odd <= class.even {
                    let terms = terms(n, class, even_rows, odd_rows);
                    plain += terms.iter().map(|(_, _, term)| term).sum::<u64>();
                }
            }
        }
        assert_eq!(
            Some(u128::from(plain)),
            QUEENS.value(n),
            "without symmetry, n = {n}"
        );
        let (mut by_rows, mut by_both) = (0, 0);
        for class in symmetry.classes() {
            for representative in symmetry.representatives(class) {
                for odd_rows in (0..=full(odd)).filter(|rows| rows.count_ones() == class.odd) {
                    let Some(weight) = symmetry.weight(&representative, odd_rows) else {
                        continue;
                    };
                    let kappa = representative.kappa;
                    for (e, o, term) in terms(n, class, representative.rows, odd_rows) {
                        by_rows += u64::from(weight) * term;
                        if symmetry.even_reach(e).is_some_and(|reach| reach >= kappa)
                            && symmetry.odd_reach(o) >= kappa
                        {
                            let columns = symmetry
                                .even_weight(kappa, e)
                                .min(symmetry.odd_weight(kappa, o));
                            by_both += u64::from(weight * columns) * term;
                        }
                    }
                }
            }
        }
        assert_eq!(by_rows, plain, "one choice of rows per orbit, n = {n}");
        assert_eq!(
            by_both, plain,
            "and transposed and mirrored columns, n = {n}"
        );
    }
}

#[test]
fn three_ways_agree_on_every_task() {
    for n in 1..=10 {
        let search = whole(n);
        let tasks = search.groups().map(|run| run.tasks).sum::<u64>();
        for &cpu in Cpu::ALL.iter().filter(|cpu| cpu.is_available()) {
            let mut workers = search
                .routes()
                .iter()
                .map(|&route| search.worker(cpu, route))
                .collect::<Vec<_>>();
            for task in 0..tasks {
                let counts: Vec<u128> = workers
                    .iter_mut()
                    .map(|worker| worker.count(task..task + 1, &Cancel::new()).unwrap())
                    .collect();
                assert!(
                    counts.iter().all(|&count| count == counts[0]),
                    "n = {n}, {}: {counts:?}",
                    search.describe(task)
                );
            }
        }
    }
}

#[test]
fn a_shelf_is_shared_by_those_who_hold_it_and_by_no_other_class() {
    let shelves = Shelves::default();
    let held = shelves.get((0, 1), &[0b11, 0b101]);
    assert!(Arc::ptr_eq(&held, &shelves.get((0, 1), &[0b11, 0b101])));
    for other in [(1, 1), (0, 0)] {
        assert!(!Arc::ptr_eq(&held, &shelves.get(other, &[0b110])));
    }
}

#[test]
fn any_division_of_the_tasks_adds_up() {
    let search = whole(12);
    let tasks = search.groups().map(|run| run.tasks).sum::<u64>();
    for step in [1, 7, 100, tasks] {
        let mut worker = search.worker(Cpu::detect(), Route::Direct);
        // Backwards, so that no block follows the one before it.
        let starts = (0..tasks.div_ceil(step)).rev().map(|block| block * step);
        let counts = starts.map(|start| {
            let range = start..tasks.min(start + step);
            worker.count(range, &Cancel::new()).unwrap()
        });
        assert_eq!(counts.sum::<u128>(), 14_200);
    }
}

#[test]
fn spans_number_every_task_once() {
    for n in 0..=18 {
        let search = whole(n);
        let mut next = 0;
        for span in Spans::new(&search) {
            assert_eq!(span.first, next);
            next += span.tasks;
        }
        let mut spans = Spans::new(&search);
        assert_eq!(spans.tasks(0..next).count() as u64, next);
        // By way of landmarks, forwards and backwards.
        let all: Vec<Task> = spans.tasks(0..next).collect();
        let mut spans = Spans::new(&search);
        for number in (0..next).rev().step_by(97).chain((0..next).step_by(1009)) {
            let found: Vec<Task> = spans.tasks(number..number + 1).collect();
            let task = &all[number as usize];
            let rows = |task: &Task| (task.representative.rows, task.odd_rows);
            assert_eq!(rows(&found[0]), rows(task), "n = {n}, task {number}");
        }
    }
}

#[test]
fn a_cancelled_count_builds_no_lists() {
    let cancel = Cancel::new();
    cancel.cancel();
    let half = HalfBoards::new(16).ee;
    let keys = vec![0; 1 << half.columns];
    let mut list = Placements::default();
    let filled = list.fill(&half, full(half.rows), &keys, 1, &cancel);
    assert!(matches!(filled, Err(Error::Interrupted)));
    assert_eq!(list.len(), 0, "it stopped before the first placement");
    let list = listed(&half, full(half.rows), &keys, 1);
    assert_eq!(list.len(), 92);
    let trie = Trie::new(&list, &half, 2, &cancel);
    assert!(matches!(trie, Err(Error::Interrupted)));
}

/// Neighbouring tasks may have the same rows when they are turned, but another κ.
#[test]
fn a_turned_task_has_the_same_count_whatever_came_before_it() {
    for n in [12, 15, 16] {
        let mut search = whole(n);
        for class in &mut search.classes {
            class.shelf = 1;
            let ranks = class
                .odd_rows
                .iter()
                .map(|&rows| search.symmetry.rank(rows));
            class.ranks = ranks.collect();
        }
        (search.landmarks, search.tasks) =
            schedule::numbering::landmarks(&search.classes, &search.symmetry);
        let [mut direct, mut image] =
            [Route::Direct, Route::Image].map(|route| search.worker(Cpu::detect(), route));
        for task in 0..search.tasks {
            let [direct, image] = [&mut direct, &mut image]
                .map(|worker| worker.count(task..task + 1, &Cancel::new()).unwrap());
            assert_eq!(direct, image, "n = {n}, {}", search.describe(task));
        }
    }
}

/// Large boards have neither room for all that tasks share nor for all tasks that do: here
/// there is room for next to nothing, and for a few at a time.
#[test]
fn rooms_of_any_size_give_the_same_counts() {
    for n in [12, 13, 15, 16] {
        for (strips, chunks, batch) in [(1, 1, usize::MAX), (1, 1, 1), (30_000, 9_000, 90_000)] {
            let mut search = whole(n);
            search.rooms = Rooms {
                strips,
                strip_counts: strips,
                chunks,
                batch,
            };
            for class in &mut search.classes {
                // Every method, also where it is not the cheapest.
                let methods: Vec<Method> = Method::all(class.class, &search.symmetry).collect();
                class.method = methods[batch % methods.len()];
            }
            let mut worker = search.worker(Cpu::detect(), Route::Direct);
            let count = worker.count(0..search.tasks, &Cancel::new()).unwrap();
            assert_eq!(Some(count), QUEENS.value(n), "n = {n}, {:?}", search.rooms);
        }
    }
}

#[test]
fn the_second_route_takes_other_rows() {
    for n in [11, 12, 13, 14] {
        let search = whole(n);
        let tasks: Vec<Task> = Spans::new(&search).tasks(0..search.tasks).collect();
        let others = tasks.iter().filter(|task| {
            let (even, odd) = routes::image(&search, task);
            (even.rows, odd) != (task.representative.rows, task.odd_rows)
        });
        // Few tasks are their own image.
        assert!(2 * others.count() > tasks.len(), "n = {n}");
    }
}

/// Where a pair of column sets has more placements than a count has bits for, a task is
/// counted in quarters: with so few bits that most tasks are.
#[test]
fn counts_that_are_too_large_are_counted_in_quarters() {
    for (n, bits) in [(12, 3), (13, 5), (14, 5), (15, 6)] {
        let mut search = whole(n);
        let mut plain = search.worker(Cpu::detect(), Route::Direct);
        let expected: Vec<u128> = (0..search.tasks)
            .map(|task| plain.count(task..task + 1, &Cancel::new()).unwrap())
            .collect();
        drop(plain);
        // Both joins check the factors.
        for (number, class) in search.classes.iter_mut().enumerate() {
            let methods: Vec<Method> = Method::all(class.class, &search.symmetry).collect();
            class.method = methods[number % methods.len()];
        }
        search.factor_bits = bits;
        if n % 2 == 0 {
            // Tasks are counted in batches, of which only some tasks are too large.
            search.rooms = Rooms {
                strips: 1,
                strip_counts: 1,
                chunks: 1,
                batch: usize::MAX,
            };
        }
        for &cpu in Cpu::ALL.iter().filter(|cpu| cpu.is_available()) {
            let mut worker = search.worker(cpu, Route::Direct);
            for (task, &expected) in (0..).zip(&expected).step_by(3) {
                let count = worker.count(task..task + 1, &Cancel::new()).unwrap();
                assert_eq!(count, expected, "n = {n}, {cpu}, {}", search.describe(task));
            }
            let all = worker.count(0..search.tasks, &Cancel::new()).unwrap();
            assert_eq!(Some(all), QUEENS.value(n), "{cpu}");
        }
        // No bits at all are too few, however small the parts.
        search.factor_bits = 0;
        let mut worker = search.worker(Cpu::detect(), Route::Direct);
        let counted = (0..).zip(&expected).filter(|(_, count)| **count > 0);
        for (task, _) in counted.step_by(19) {
            let count = worker.count(task..task + 1, &Cancel::new());
            assert!(matches!(count, Err(Error::Overflow(_))), "n = {n}, {task}");
        }
    }
}

#[test]
fn slices_of_any_kind_add_up() {
    for n in [9, 13, 14] {
        let mut search = whole(n);
        for (number, class) in search.classes.iter_mut().enumerate() {
            assert_eq!(class.slicing, Slicing::NONE);
            class.slicing = Slicing {
                even: 1 << (number % 3),
                odd: 1 << (number / 2 % 3),
                white: 1 << (number % 4),
                black: 1 << ((number + 1) % 4),
            };
        }
        for route in [Route::Direct, Route::Image] {
            let mut worker = search.worker(Cpu::detect(), route);
            let count = worker.count(0..search.tasks, &Cancel::new()).unwrap();
            assert_eq!(Some(count), QUEENS.value(n), "n = {n}");
        }
        let mut worker = search.worker(Cpu::detect(), Route::Direct);
        for task in (0..search.tasks).step_by(7) {
            let whole = worker.count(task..task + 1, &Cancel::new()).unwrap();
            for of in [1, 2, 16] {
                let parts = (0..of).map(|index| {
                    let part = Slice { index, of };
                    worker.count_slice(task, part, &Cancel::new()).unwrap()
                });
                assert_eq!(parts.sum::<u128>(), whole, "n = {n}, task {task} in {of}");
            }
        }
    }
}

/// Boards whose lists are divided are too large to be counted here; what they are divided for
/// is that no list is longer than memory allows.
#[test]
fn only_the_longest_lists_are_divided() {
    for n in 0..=26 {
        let mut classes = whole(n).classes.into_iter();
        assert!(
            classes.all(|class| class.slicing == Slicing::NONE),
            "n = {n}"
        );
    }
    // The costliest, which come first, are still whole.
    for n in [27, 28] {
        let mut classes = whole(n).classes.into_iter().take(3);
        assert!(
            classes.all(|class| class.slicing == Slicing::NONE),
            "n = {n}"
        );
    }
    let largest = whole(32);
    assert!(
        largest
            .classes
            .iter()
            .all(|class| class.slicing != Slicing::NONE)
    );
}

#[test]
fn the_slices_of_a_task_add_up() {
    for n in [9, 12, 13] {
        let search = whole(n);
        let tasks = search.groups().map(|run| run.tasks).sum::<u64>();
        let mut worker = search.worker(Cpu::detect(), Route::Direct);
        for task in (0..tasks).step_by(5) {
            let whole = worker.count(task..task + 1, &Cancel::new()).unwrap();
            for of in [1, 2, 8, 64] {
                let parts = (0..of).map(|index| {
                    let part = Slice { index, of };
                    worker.count_slice(task, part, &Cancel::new()).unwrap()
                });
                assert_eq!(parts.sum::<u128>(), whole, "n = {n}, task {task} in {of}");
            }
        }
    }
}

#[test]
fn the_trie_takes_slices_too() {
    let search = whole(18);
    let method = |stratum: usize| search.classes[stratum].method;
    let mut worker = search.worker(Cpu::detect(), Route::Direct);
    let strata = search.strata().into_iter().enumerate();
    for (stratum, tasks) in strata.filter(|(stratum, _)| method(*stratum) != Method::Packed) {
        let task = (tasks.start + tasks.end) / 2;
        let whole = worker.count(task..task + 1, &Cancel::new()).unwrap();
        let parts = [0, 1, 2, 3].map(|index| {
            let part = Slice { index, of: 4 };
            worker.count_slice(task, part, &Cancel::new()).unwrap()
        });
        assert_eq!(parts.iter().sum::<u128>(), whole, "class {stratum}");
    }
}

#[test]
fn strata_are_the_classes_in_order() {
    for n in [0, 1, 2, 8, 13] {
        let search = whole(n);
        let tasks = search.groups().map(|run| run.tasks).sum::<u64>();
        let strata = search.strata();
        assert_eq!(strata.len(), search.classes.len());
        let ends = strata.iter().map(|stratum| stratum.end);
        let starts = strata.iter().map(|stratum| stratum.start);
        assert!(
            starts.eq([0].into_iter().chain(ends).take(strata.len())),
            "n = {n}"
        );
        assert_eq!(strata.last().map_or(0, |last| last.end), tasks);
    }
}

/// Pearson's coefficient.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let together = mean(&|pair| (pair.0 - x) * (pair.1 - y));
    let alone = mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2));
    together / alone.sqrt()
}

/// One task of a large board by two routes, which must agree, with its time and the memory of
/// the process. The rows are those of the white queens, or their images under a symmetry of an
/// even board.
///
/// ```sh
/// BOARD=30 ROWS=5,6,7,8,10,12,13,14,15,16,18,21,23,25 KERNEL=avx2 \\
///     cargo test --release one_task -- --ignored --nocapture
/// ```
#[test]
#[ignore = "takes minutes"]
fn one_task() {
    let from = |name: &str| std::env::var(name).ok();
    let n: u32 = from("BOARD").map_or(18, |n| n.parse().unwrap());
    let rows = from("ROWS").unwrap_or("0,1,4,6,7,9,13,16".into());
    let cpu = from("KERNEL").map_or(Cpu::detect(), |cpu| cpu.parse().unwrap());
    let (mut even, mut odd) = (0, 0);
    for row in rows.split(',').map(|row| row.parse::<u32>().unwrap()) {
        let set = if row % 2 == 0 { &mut even } else { &mut odd };
        *set |= 1 << (row / 2);
    }
    let search = whole(n);
    let lines = n / 2;
    let turned = (orbits::reversed(odd, lines), orbits::reversed(even, lines));
    let complement = |(e, o): (u32, u32)| (full(lines) - e, full(lines) - o);
    let images = [
        (even, odd),
        turned,
        complement((even, odd)),
        complement(turned),
    ];
    let tasks = images.into_iter().flat_map(|(even, odd_rows)| {
        let classes = search.classes.iter().enumerate();
        let search = &search;
        classes.filter_map(move |(class, plan)| {
            let fits =
                |it: &&Representative| it.rows == even && plan.class.odd == odd_rows.count_ones();
            let representative = *plan.representatives.iter().find(fits)?;
            let place = plan.odd_rows.iter().position(|&rows| rows == odd_rows)?;
            Some(Task {
                class,
                shelf: place / plan.shelf,
                place: place % plan.shelf,
                representative,
                odd_rows,
                weight: search.symmetry.weight(&representative, odd_rows)?,
            })
        })
    });
    let task = tasks.last().expect("the rows of a task");
    let class = &search.classes[task.class];
    println!("{:?} {:?} {:?}", class.class, class.method, class.slicing);
    ByTwoRoutes(&search, task).on(cpu);
}

struct ByTwoRoutes<'a>(&'a Colours, Task);

impl OnKernel for ByTwoRoutes<'_> {
    fn test<K: Kernel>(&mut self, kernel: K) {
        let Self(search, task) = self;
        let count = |route: &str, way: &mut dyn TaskCounter| {
            let before = Instant::now();
            let mut tally = Tally::default();
            way.count_slice(task, Slice::WHOLE, &mut tally, &Cancel::new())
                .expect("a count");
            let seconds = before.elapsed().as_secs_f64();
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let peak = status.lines().find(|line| line.starts_with("VmHWM"));
            println!("{route}: {} in {seconds:.1} s, {peak:?}", tally.total());
            tally.total()
        };
        let direct = count("direct", &mut Direct::new(search, kernel));
        assert_eq!(direct, count("image", &mut Image::new(search, kernel)));
    }
}

/// What tasks cost, class by class, next to the model of the cost: prints, asserts nothing. With
/// `WORK=1`, also the seconds of a task and its work of each kind, as a fit of the weights needs
/// them.
///
/// ```sh
/// BOARD=24 KERNEL=avx2 DRAWS=20 cargo test --release times_by_class -- --ignored --nocapture
/// ```
#[test]
#[ignore = "measures times, which no test depends on"]
fn times_by_class() {
    let from = |name: &str| std::env::var(name).ok();
    let n = from("BOARD").map_or(18, |n| n.parse().unwrap());
    let cpu = from("KERNEL").map_or(Cpu::detect(), |cpu| cpu.parse().unwrap());
    let draws: u32 = from("DRAWS").map_or(20, |draws| draws.parse().unwrap());
    let only = from("CLASS").map(|class| class.parse::<u32>().unwrap());
    let most: usize = from("TASKS").map_or(usize::MAX, |tasks| tasks.parse().unwrap());
    let search = whole(n);
    let strata = search.strata();
    let model: Vec<f64> = search
        .classes
        .iter()
        .map(|class| class.cost as f64)
        .collect();
    let whole: f64 = model.iter().sum();
    let (mut all, mut lines, mut spans) = (0.0, Vec::new(), Vec::new());
    for (class, tasks) in strata.into_iter().enumerate() {
        let plan = &search.classes[class];
        if tasks.is_empty()
            || model[class] < 0.002 * whole
            || only.is_some_and(|only| only != plan.class.even)
        {
            continue;
        }
        // The same tasks in every run: all of a shelf, with some even rows, of which the first
        // build the lists.
        let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
        let mut below = |end: usize| (noise.next() % end as u64) as usize;
        let mut timed = Timed {
            search: &search,
            class,
            spans: Vec::new(),
            counted: 0,
            most,
            lists: 0.0,
            work: [0.0; _],
            draw: (Vec::new(), 0),
        };
        for _ in 0..draws {
            // The first one has a task with every odd rows.
            let drawn = (1..4).map(|_| below(plan.representatives.len()));
            let representatives = std::iter::once(0).chain(drawn).collect();
            let shelf = below(plan.odd_rows.len()) / plan.shelf;
            timed.draw = (representatives, shelf);
            timed.on(cpu);
        }
        let Timed {
            counted,
            work,
            lists,
            ..
        } = timed;
        let (cost, time) = timed
            .spans
            .iter()
            .fold((0.0, 0.0), |sums, span| (sums.0 + span.0, sums.1 + span.1));
        spans.extend(timed.spans);
        if from("WORK").is_some() {
            let each = work.map(|pieces| format!("{:.0}", pieces / f64::from(counted)));
            println!(
                "work {n} {} {:?} {:.3e}: {:.0} {}",
                plan.class.even,
                plan.method,
                time / f64::from(counted),
                lists / f64::from(counted),
                each.join(" ")
            );
        }
        let each = time / f64::from(counted);
        let total = each * (tasks.end - tasks.start) as f64;
        all += total;
        let even = n.div_ceil(2);
        lines.push((
            format!(
                "{}+{} {}+{} {:?}",
                plan.class.even,
                plan.class.odd,
                even - plan.class.even,
                n / 2 - plan.class.odd,
                plan.method
            ),
            tasks.end - tasks.start,
            each,
            total,
            cost / time / 1e9,
        ));
    }
    let logs: Vec<_> = spans
        .iter()
        .map(|span| (span.0.ln(), span.1.ln()))
        .collect();
    println!(
        "n = {n}, {cpu}: {all:.1} core-seconds; cost and time of {} spans: correlation of the \
         logarithms {:.3}",
        logs.len(),
        correlation(&logs)
    );
    for (name, tasks, each, total, model) in lines {
        println!(
            "{name:45} {tasks:9} tasks, {:10.4} ms each, {total:10.2} s, {:5.1} %, model/time {model:.2}",
            1e3 * each,
            100.0 * total / all
        );
    }
}

/// The time of some tasks of a class.
struct Timed<'a> {
    search: &'a Colours,
    class: usize,
    /// The cost and the seconds of each span.
    spans: Vec<(f64, f64)>,
    counted: u32,
    lists: f64,
    work: [f64; cost::KINDS],
    /// How many tasks of each even rows are counted at most.
    most: usize,
    /// The places of even rows, and a shelf.
    draw: (Vec<usize>, usize),
}

impl OnKernel for Timed<'_> {
    fn test<K: Kernel>(&mut self, kernel: K) {
        let plan = &self.search.classes[self.class];
        let mut way = Direct::new(self.search, kernel);
        let (representatives, shelf) = &self.draw;
        let model = cost::Prices::new(plan.class, &self.search.halves, &plan.odd_rows);
        let symmetry = &self.search.symmetry;
        let sharing = model.sharing(plan.method, symmetry, &plan.odd_rows, plan.shelf);
        for (number, &place) in representatives.iter().enumerate() {
            let representative = plan.representatives[place];
            let rows = plan.shelf(*shelf).iter().enumerate();
            let tasks = rows.filter_map(|(place, &odd_rows)| {
                Some(Task {
                    class: self.class,
                    shelf: *shelf,
                    place,
                    representative,
                    odd_rows,
                    weight: self.search.symmetry.weight(&representative, odd_rows)?,
                })
            });
            let tasks: Vec<Task> = tasks.take(self.most).collect();
            let before = Instant::now();
            let mut tally = Tally::default();
            way.count(&tasks, &mut tally, &Cancel::new()).unwrap();
            if number == 0 || tasks.is_empty() {
                continue;
            }
            let seconds = before.elapsed().as_secs_f64();
            let cost = plan.prices[place].of(tasks.len() as u64) as f64;
            self.spans.push((cost, seconds));
            self.counted += tasks.len() as u32;
            let keys = (&plan.even_keys, &plan.odd_keys);
            let sides = model.sides(symmetry, keys, &representative);
            let work = cost::work(&sides, plan.method, sharing, tasks.len() as u64);
            self.lists += sides.iter().map(|side| side.listed() as f64).sum::<f64>();
            for (sum, pieces) in self.work.iter_mut().zip(work.pieces()) {
                *sum += pieces as f64;
            }
        }
    }
}

/// What a whole class takes, or the first `TASKS` of it, on one thread: to compare with another
/// program on the same tasks. With `EVERY=k`, the tasks of each k-th choice of even rows, and what
/// all of them would take: inner lists once, the rest k times.
///
/// ```sh
/// BOARD=22 KERNEL=avx2 CLASS=4 cargo test --release whole_class -- --ignored --nocapture
/// ```
#[test]
#[ignore = "measures times, which no test depends on"]
fn whole_class() {
    let from = |name: &str| std::env::var(name).ok();
    let n = from("BOARD").map_or(18, |n| n.parse().unwrap());
    let cpu = from("KERNEL").map_or(Cpu::detect(), |cpu| cpu.parse().unwrap());
    let only = from("CLASS").map(|class| class.parse::<u32>().unwrap());
    let most = from("TASKS").map_or(u64::MAX, |tasks| tasks.parse().unwrap());
    let every: usize = from("EVERY").map_or(1, |every| every.parse().unwrap());
    let search = whole(n);
    for (place, (plan, tasks)) in search.classes.iter().zip(search.strata()).enumerate() {
        let tasks = tasks.start..tasks.end.min(tasks.start.saturating_add(most));
        if only.is_some_and(|only| only != plan.class.even) {
            continue;
        }
        let timed = |worker: &mut dyn Worker, tasks: Range<u64>| {
            let before = Instant::now();
            let count = worker.count(tasks, &Cancel::new()).unwrap();
            (count, before.elapsed().as_secs_f64())
        };
        // Who has the lists of a shelf keeps them for the others.
        let mut keeper = search.worker(cpu, Route::Direct);
        let (mut all, mut count, mut seconds) = (tasks.end - tasks.start, 0, 0.0);
        if every == 1 {
            (count, seconds) = timed(&mut *keeper, tasks);
        } else {
            all = 0;
            let spans = Spans::new(&search).filter(|span| span.class == place);
            for span in spans.filter(|span| span.representative % every == every / 2) {
                let tasks = span.first..span.first + span.tasks;
                let lists = span.representative == every / 2;
                let first = lists.then(|| timed(&mut *keeper, tasks.clone()).1);
                // A worker keeps what it has made of the last even rows: a new one has nothing.
                let mut worker = search.worker(cpu, Route::Direct);
                let (more, each) = timed(&mut *worker, tasks);
                (all, count) = (all + span.tasks, count + more);
                seconds += each * every as f64 + first.map_or(0.0, |first| first - each);
            }
        }
        println!(
            "n = {n}, {cpu}, {:?}, {:?}: {all} tasks, {seconds:.3} s, {count}",
            plan.class, plan.method
        );
    }
}

/// The memory of a class as calculated and as the system sees it, with the longest lists that
/// it has: the even rows with the longest ones, and the odd rows with the longest inner ones
/// and their neighbours. `CLASS` is the number of white queens on even rows.
///
/// ```sh
/// BOARD=24 CLASS=4 TASKS=20 cargo test --release memory_of_a_class -- --ignored --nocapture
/// ```
#[test]
#[ignore = "measures the memory of the process, which no other test must share"]
fn memory_of_a_class() {
    let from = |name: &str| {
        let text = std::env::var(name).ok()?;
        text.parse::<u32>().ok()
    };
    let search = whole(from("BOARD").unwrap_or(18));
    let Symmetry { even, odd, .. } = search.symmetry;
    let white = from("CLASS").unwrap_or(even / 2);
    let mut classes = search.classes.iter();
    let class = classes.position(|plan| plan.class.even == white);
    let class = class.expect("a class of this board");
    let plan = &search.classes[class];
    let resident = |name: &str| {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
        let mut lines = status.lines().filter_map(|line| line.split_once(':'));
        let value = lines.find(|(key, _)| *key == name).map(|(_, value)| value);
        let kilobytes = value.and_then(|value| value.split_whitespace().next());
        kilobytes.and_then(|kb| kb.parse::<u64>().ok()).expect("kB") >> 10
    };
    let before = resident("VmRSS");

    let all = search.strata()[class].clone();
    let mut spans = Spans::new(&search);
    spans.seek(all.start);
    let spans = spans.take_while(|span| span.class == class);
    let outer = |span: &Span| {
        let Representative { rows, kappa, .. } = plan.representatives[span.representative];
        let (ee, eo) = (&search.halves.ee, &search.halves.eo);
        let (x, u) = (placements(ee, rows), placements(eo, full(even) - rows));
        plan.even_keys.share(x, kappa) + plan.odd_keys.share(u, kappa)
    };
    let span = spans
        .filter(|span| span.tasks > 0)
        .max_by_key(outer)
        .unwrap();
    let numbers = span.first..span.first + span.tasks;
    let mut tasks = Spans::new(&search);
    let tasks = numbers.clone().zip(tasks.tasks(numbers.clone()));
    let (oo, oe) = (&search.halves.oo, &search.halves.oe);
    let inner = |rows: u32| placements(oo, rows) + placements(oe, full(odd) - rows);
    let longest = tasks.max_by_key(|(_, task)| inner(task.odd_rows));
    let (longest, _) = longest.expect("a span with tasks");
    let first = longest.saturating_sub(from("TASKS").unwrap_or(8).into());
    let tasks = first.max(numbers.start)..longest + 1;

    let mut worker = search.worker(Cpu::detect(), Route::Direct);
    worker.count(tasks.clone(), &Cancel::new()).unwrap();
    let Footprint {
        shelf,
        listing,
        own,
    } = plan.footprint;
    println!(
        "n = {}, {:?} {:?}, {} of {} tasks: {} MB; calculated {} MB: {plan:?}",
        search.n,
        plan.class,
        plan.method,
        tasks.end - tasks.start,
        numbers.end - numbers.start,
        resident("VmHWM") - before,
        (shelf + listing + own) >> 20,
        plan = plan.footprint,
    );
}

#[test]
fn memory_grows_with_the_board_up_to_what_its_rooms_allow() {
    let memory = |n| {
        let search = whole(n);
        search.memory(0)
    };
    let mut before = memory(12);
    for n in 14..=32 {
        let now = memory(n);
        // Two shelves.
        assert!(now.shared <= 5 << 29, "n = {n}: {now:?}");
        // From n = 29 on tasks are counted in slices, which need not grow with the board.
        if n > 28 {
            assert!(now.per_thread <= 13 << 27, "n = {n}: {now:?}");
            continue;
        }
        assert!(now.per_thread <= 5 << 28, "n = {n}: {now:?}");
        if n % 2 == 0 {
            assert!(now.per_thread > before.per_thread, "n = {n}: {now:?}");
            before = now;
        }
    }
}
