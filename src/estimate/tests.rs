//! Intervals hold the truth as often as they claim, and the mean of estimates is it.

use super::{
    found::look,
    interval::{mean, variance},
    strata::{draw, strata},
    *,
};
use crate::{
    count::{Runner, known::QUEENS},
    engine::{Route, Slice},
    threads::Cancel,
};

/// The estimate of the count alone, which must be one.
fn sampled(count: &Count<'_>, samples: u64, seed: u64) -> Figure {
    let plan = count.plan().unwrap();
    let workers = Workers::new(&plan, count.runner()).unwrap();
    let estimate = Estimate::new(count.clone()).samples(samples).seed(seed);
    let mut study = estimate.study(&workers, Instant::now());
    study.count_small().unwrap();
    assert!(!study.is_complete(), "nothing was sampled");
    study.sample().unwrap();
    study.count()
}

/// How many of these seeds give an interval that holds the published value.
fn covered(n: u32, samples: u64, seeds: u64) -> u64 {
    let count = Count::new(n).unwrap().engine(Engine::Colours).threads(1);
    let truth = QUEENS.value(n).unwrap() as f64;
    let hits = (0..seeds).filter(|&seed| {
        let estimated = sampled(&count, samples, seed);
        estimated.contains(truth).expect("an interval")
    });
    hits.count() as u64
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_claim() {
    // Without optimisation only a glimpse.
    let seeds = if cfg!(debug_assertions) { 10 } else { 400 };
    for (n, samples) in [(13, 220), (14, 200), (15, 300)] {
        let hits = covered(n, samples, seeds) as f64;
        // Four standard deviations of the binomial distribution, and a hundredth
        // for a distribution that is not quite normal.
        let claimed = 0.95 * seeds as f64;
        let tolerance = 4.0 * (claimed * 0.05).sqrt() + 0.01 * seeds as f64;
        assert!(
            (hits - claimed).abs() <= tolerance,
            "n = {n}: {hits} of {seeds}"
        );
    }
}

#[test]
fn the_mean_over_many_seeds_is_the_truth() {
    let seeds = if cfg!(debug_assertions) { 10 } else { 400 };
    for (engine, samples) in [(Engine::Colours, 60), (Engine::Rows, 15)] {
        let count = Count::new(12).unwrap().engine(engine).threads(1);
        let values = (0..seeds).map(|seed| sampled(&count, samples, seed).value);
        let values: Vec<f64> = values.collect();
        let error = (mean(&values) - 14_200.0).abs();
        let deviation = (variance(&values) / seeds as f64).sqrt();
        assert!(
            error <= 4.5 * deviation,
            "{engine}: {error} with deviation {deviation}"
        );
    }
}

#[test]
fn slices_of_tasks_estimate_the_same() {
    let count = Count::new(12).unwrap().engine(Engine::Colours).threads(1);
    let plan = count.plan().unwrap();
    let strata = strata(plan.search());
    let mut worker = plan.search().worker(Cpu::detect(), Route::Direct);
    let mut random = Random::new(1);
    let numbers = vec![2_000; strata.len()];
    let draws = draw(plan.search(), &strata, &numbers, f64::MAX, &mut random);
    let (mut value, mut square) = (0.0, 0.0);
    for mut draws in draws {
        let seen = draws.iter_mut().map(|draw| {
            let index = random.below(16) as u32;
            draw.slice = Slice { index, of: 16 };
            look(&mut *worker, draw, &Cancel::new()).unwrap().count
        });
        let seen: Vec<f64> = seen.collect();
        value += mean(&seen);
        square += variance(&seen) / seen.len() as f64;
    }
    let error = (value - 14_200.0).abs();
    assert!(
        error <= 4.0 * square.sqrt(),
        "{value} with deviation {}",
        square.sqrt()
    );
}

#[test]
fn a_seed_has_one_estimate_on_any_number_of_threads() {
    let estimate = |threads| {
        let count = Count::new(13).unwrap().threads(threads);
        let estimate = Estimate::new(count).samples(200).seed(5);
        estimate.run().unwrap().count
    };
    assert_eq!(estimate(1), estimate(3));
}

#[test]
fn as_many_samples_as_tasks_count_them_all() {
    for engine in [Engine::Rows, Engine::Colours] {
        let count = Count::new(12).unwrap().engine(engine);
        let tasks = count.plan().unwrap().tasks();
        let estimated = Estimate::new(count).samples(tasks).run().unwrap();
        let exact = Some((14_200.0, 14_200.0));
        assert_eq!(estimated.count.bounds, exact, "{engine}");
    }
}

#[test]
fn small_boards_are_counted() {
    for n in 0..=8 {
        let count = Count::new(n).unwrap();
        let estimated = Estimate::new(count).run().unwrap();
        let truth = QUEENS.value(n).unwrap() as f64;
        assert_eq!(estimated.count.bounds, Some((truth, truth)), "n = {n}");
    }
}

#[test]
fn a_sample_of_nothing_is_no_count() {
    // Two draws without a solution, of ten tasks.
    let count = Count::new(6).unwrap();
    for seed in 0..20 {
        let estimate = Estimate::new(count.clone()).samples(1).seed(seed);
        let estimated = estimate.run().unwrap();
        assert!(estimated.complete == 0 && estimated.count.bounds.is_none());
    }
}

#[test]
fn the_cost_of_what_was_counted_is_what_it_took() {
    let estimated = Estimate::new(Count::new(8).unwrap()).run().unwrap();
    let seconds = estimated.core_seconds;
    assert_eq!(seconds.bounds, Some((seconds.value, seconds.value)));
}

#[test]
fn a_measured_cost_is_a_mean_with_an_interval_around_it() {
    let estimate = Estimate::new(Count::new(15).unwrap()).samples(300);
    let estimated = estimate.run().unwrap();
    assert!(estimated.complete < estimated.strata);
    let Figure { value, bounds } = estimated.core_seconds;
    let (low, high) = bounds.expect("there are twenty draws");
    assert!(0.0 <= low && low < value && value < high);
}

#[test]
fn a_board_beyond_all_time_has_a_cost_and_no_interval() {
    let estimate = Estimate::new(Count::new(26).unwrap()).samples(2);
    let plan = estimate.count.plan().unwrap();
    let runner = Runner::new();
    let workers = Workers::new(&plan, &runner).unwrap();
    let budget = estimate.budget(Instant::now());
    let rates = rate::measure(&workers, budget, &mut Random::new(1)).unwrap();
    assert!(rates.is_empty());
    let rate = estimate.rate_of_smaller_board(plan.engine()).unwrap();
    assert!(rate > 0.0 && rate.is_finite());
    assert_eq!(rate::seconds(&[rate], 1e9).bounds, None);
}
