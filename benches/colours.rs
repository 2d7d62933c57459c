//! The kernels of the colours engine, one after the other: the same count on every
//! instruction set that this processor has. A wrong count ends the bench.
//!
//! `cargo bench --bench colours`

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queens::{Count, Cpu, Engine, known};

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("colours");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for n in [14, 16] {
        let published = known::QUEENS.value(n);
        for cpu in Cpu::ALL.iter().copied().filter(|cpu| cpu.is_available()) {
            let count = |n| {
                let count = Count::new(n).unwrap().engine(Engine::Colours);
                count.cpu(cpu).threads(1).run().unwrap().count
            };
            group.bench_function(BenchmarkId::new(cpu.name(), n), |bencher| {
                bencher.iter(|| assert_eq!(Some(count(black_box(n))), published))
            });
        }
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
