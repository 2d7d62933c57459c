//! What each choice of the rows engine is worth: a ladder from the plain recursion to
//! the engine, each rung with one idea more than the one before. Every rung counts, and
//! a wrong count ends the bench.
//!
//! `cargo bench --bench rows`

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queens::{Count, Engine, known};

/// A board with this many rows to fill, as masks: the columns without a queen, and what is
/// attacked in the next row along the falling and the rising diagonals.
#[derive(Clone, Copy)]
struct Node {
    rows: u32,
    open: u32,
    falling: u32,
    rising: u32,
}

impl Node {
    fn first(n: u32) -> Node {
        Node {
            rows: n,
            open: (1 << n) - 1,
            falling: 0,
            rising: 0,
        }
    }

    fn free(self) -> u32 {
        self.open & !(self.falling | self.rising)
    }

    fn place(self, queen: u32) -> Node {
        Node {
            rows: self.rows - 1,
            open: self.open ^ queen,
            falling: (self.falling | queen) << 1,
            rising: (self.rising | queen) >> 1,
        }
    }

    /// The sum over the queens on these squares.
    fn sum(self, mut squares: u32, count: impl Fn(Node) -> u64) -> u64 {
        let mut sum = 0;
        while squares != 0 {
            let queen = squares & squares.wrapping_neg();
            squares ^= queen;
            sum += count(self.place(queen));
        }
        sum
    }

    /// The sum over the queens in the first row: twice the left half, and the middle of
    /// an odd board with twice the left half of the second row.
    fn mirrored(self, count: impl Fn(Node) -> u64) -> u64 {
        let half = self.rows / 2;
        let left = (1 << half) - 1;
        let middle = (self.rows % 2) << half;
        let from_middle = |node: Node| node.sum(node.free() & left, &count);
        2 * (self.sum(left, &count) + self.sum(middle, from_middle))
    }

    /// The squares of the row after the next that no queen attacks so far.
    fn after(self) -> u32 {
        self.open & !(self.falling << 1 | self.rising >> 1)
    }

    fn lives(self) -> bool {
        self.free() != 0 && self.after() != 0
    }

    fn pairs(self) -> u64 {
        let (free, last) = (self.free(), self.after());
        let fits = (self.open & self.open >> 1 == 0) & (free | last == self.open);
        u64::from(fits) + u64::from(fits & (free == last))
    }
}

/// Lowest free square first, one row after the other.
fn plain(node: Node) -> u64 {
    match node.rows {
        0 => 1,
        _ => node.sum(node.free(), plain),
    }
}

/// Gives up a board without a free square in the row after the next.
fn look_ahead(node: Node) -> u64 {
    match node.rows {
        1 => u64::from(node.free() != 0),
        _ if !node.lives() => 0,
        _ => node.sum(node.free(), look_ahead),
    }
}

/// Counts the last two rows without a search.
fn last_two_rows(node: Node) -> u64 {
    match node.rows {
        _ if !node.lives() => 0,
        2 => node.pairs(),
        _ => node.sum(node.free(), last_two_rows),
    }
}

/// The engine, which adds lists without a branch.
fn engine(n: u32) -> u64 {
    let count = Count::new(n).unwrap().engine(Engine::Rows).threads(1);
    count.run().unwrap().count.try_into().unwrap()
}

fn ladder(criterion: &mut Criterion) {
    type Rung = (&'static str, fn(u32) -> u64);
    let rungs: [Rung; 5] = [
        ("1 plain", |n| plain(Node::first(n))),
        ("2 mirror", |n| Node::first(n).mirrored(plain)),
        ("3 look ahead", |n| Node::first(n).mirrored(look_ahead)),
        ("4 last two rows", |n| {
            Node::first(n).mirrored(last_two_rows)
        }),
        ("5 engine: lists", engine),
    ];
    let mut group = criterion.benchmark_group("rows");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for n in [12, 14] {
        let published = known::QUEENS.value(n);
        for (name, count) in rungs {
            assert_eq!(Some(count(n).into()), published, "{name}, n = {n}");
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                bencher.iter(|| count(black_box(n)))
            });
        }
    }
}

criterion_group!(benches, ladder);
criterion_main!(benches);
