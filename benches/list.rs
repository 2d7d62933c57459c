//! Listing: the search alone, and with each notation written to nowhere. A listing that
//! misses a solution ends the bench.
//!
//! `cargo bench --bench list`

use std::{io::sink, time::Duration};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queens::{
    ParallelSolutions, Problem,
    format::{Format, Printer},
    known, solutions,
};

const N: u32 = 12;

fn list(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("list");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(2));
    let published = known::QUEENS.value(N);
    group.bench_function(BenchmarkId::new("search", N), |bencher| {
        bencher.iter(|| {
            let listed = solutions(N).unwrap().count() as u128;
            assert_eq!(Some(listed), published)
        })
    });
    for &format in Format::ALL {
        group.bench_function(BenchmarkId::new(format.name(), N), |bencher| {
            bencher.iter(|| {
                let mut boards = ParallelSolutions::of(&Problem::new(N).unwrap(), 1).unwrap();
                let mut printer = Printer::new(format, N, sink());
                let mut listed = 0;
                while let Some(columns) = boards.advance() {
                    printer.print(columns).unwrap();
                    listed += 1;
                }
                printer.finish().unwrap();
                assert_eq!(Some(listed), published)
            })
        });
    }
}

criterion_group!(benches, list);
criterion_main!(benches);
