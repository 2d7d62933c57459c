//! Counts against the published values, against the oracles and against each other.

mod oracle;

use std::sync::Mutex;

use queens::{
    Board, Cancel, Count, Cpu, Engine, Error, FinishedBlock, MAX_N, MAX_THREADS, Observer, Problem,
    Runner, Square, known,
    plan::{FORMAT_VERSION, Plan},
    random::Random,
};

/// Every engine on every kernel that this processor has.
fn every_way() -> impl Iterator<Item = (Engine, Cpu)> {
    let cpus = || Cpu::ALL.iter().copied().filter(|cpu| cpu.is_available());
    let ways = Engine::ALL.iter().copied();
    ways.flat_map(move |engine| cpus().map(move |cpu| (engine, cpu)))
}

#[test]
fn the_published_values_to_13() {
    for (engine, cpu) in every_way() {
        for n in 0..=13 {
            let count = Count::new(n).unwrap().engine(engine).cpu(cpu);
            let counted = count.run().unwrap();
            let published = known::QUEENS.value(n);
            assert_eq!(Some(counted.count), published, "{engine} {cpu} n = {n}");
            assert_eq!(counted.engine, engine);
        }
    }
}

#[test]
fn permutations_and_flags_agree_with_every_engine() {
    for n in 0..=10 {
        let flags = oracle::count(n as usize);
        if n <= 8 {
            assert_eq!(oracle::solutions(n).len() as u128, flags, "n = {n}");
        }
        for &engine in Engine::ALL {
            let counted = Count::new(n).unwrap().engine(engine).run().unwrap();
            assert_eq!(counted.count, flags, "{engine} n = {n}");
        }
        assert_eq!(queens::count(n).unwrap(), flags, "auto n = {n}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for &engine in Engine::ALL {
        for threads in [1, 2, 3, 8, 33, MAX_THREADS] {
            let count = Count::new(11).unwrap().engine(engine).threads(threads);
            assert_eq!(count.run().unwrap().count, 2680, "{engine} {threads}");
        }
    }
}

#[test]
fn both_engines_agree_up_to_14_on_every_kernel() {
    for n in 0..=14 {
        let count = || Count::new(n).unwrap().threads(2);
        let rows = count().engine(Engine::Rows).run().unwrap().count;
        for cpu in Cpu::ALL.iter().copied().filter(|cpu| cpu.is_available()) {
            let colours = count().engine(Engine::Colours).cpu(cpu).run().unwrap();
            assert_eq!(colours.count, rows, "n = {n} on {cpu}");
        }
    }
}

#[test]
fn colours_reproduces_the_published_values_to_17() {
    for n in 15..=if cfg!(debug_assertions) { 15 } else { 17 } {
        let counted = Count::new(n)
            .unwrap()
            .engine(Engine::Colours)
            .run()
            .unwrap();
        assert_eq!(Some(counted.count), known::QUEENS.value(n));
    }
}

#[test]
fn no_threads_or_too_many_are_refused() {
    for threads in [0, MAX_THREADS + 1, usize::MAX] {
        let error = Count::new(8).unwrap().threads(threads).run().unwrap_err();
        assert!(matches!(error, Error::ThreadCount(given) if given == threads));
    }
}

fn binomial(n: u32, k: u32) -> u64 {
    (0..k).fold(1, |c, i| {
        c * u64::from(n.saturating_sub(i)) / u64::from(i + 1)
    })
}

/// How many tasks there must be: for `rows` the placements on two rows, up to a mirror;
/// for `colours` the choices of n/2 even and odd rows, up to the symmetries that map
/// rows to rows, by Burnside's lemma.
fn number_of_tasks(engine: Engine, n: u32) -> u64 {
    let (even, odd) = (n.div_ceil(2), n / 2);
    let choices = binomial(n, odd);
    match engine {
        _ if n < 2 => 1,
        Engine::Rows => u64::from(n - 1) * u64::from(n - 2) / 2,
        // Turned by half, the odd rows become the even ones. Complements are never the same.
        Engine::Colours if n.is_multiple_of(2) => {
            let turned = 1 << even;
            let turned_complement = match even % 2 {
                0 => binomial(even, even / 2),
                _ => 0,
            };
            (choices + turned + turned_complement) / 4
        }
        // Turned by half, both sets of rows must be palindromes.
        Engine::Colours => {
            let palindromes = |width: u32, size: u32| match (width % 2, size % 2) {
                (0, 1) => 0,
                _ => binomial(width / 2, size / 2),
            };
            let turned =
                (1..=even).map(|size| palindromes(even, size) * palindromes(odd, size - 1));
            (choices + turned.sum::<u64>()) / 2
        }
        _ => unreachable!("no other engine"),
    }
}

#[test]
fn blocks_cover_every_task_once_for_every_n() {
    for &engine in Engine::ALL {
        // Cutting the largest boards takes a release build.
        let largest = if cfg!(debug_assertions) { 22 } else { MAX_N };
        for n in 0..=largest {
            let Ok(plan) = Plan::new(&Problem::new(n).unwrap(), engine) else {
                panic!("{engine} n = {n} has no plan");
            };
            let (total, mut next) = (plan.cost(), 0);
            for block in plan.blocks() {
                assert_eq!(block.first, next, "{engine} n = {n}");
                assert!(block.tasks > 0, "{engine} n = {n}");
                assert!(block.cost <= total, "{engine} n = {n}");
                next = block.range().end;
            }
            assert_eq!(next, number_of_tasks(engine, n), "{engine} n = {n}");
            assert_eq!(next, plan.tasks(), "{engine} n = {n}");
            assert_eq!(plan.cost() > 0, plan.tasks() > 0, "{engine} n = {n}");
            assert!(plan.blocks().len() <= 1_100_000, "{engine} n = {n}");
        }
    }
}

#[test]
fn an_observer_hears_of_every_block_once_and_of_all_solutions() {
    #[derive(Default)]
    struct Heard(Mutex<Vec<FinishedBlock>>);
    impl Observer for Heard {
        fn finished(&self, block: &FinishedBlock) -> Result<(), Error> {
            self.0.lock().unwrap().push(block.clone());
            Ok(())
        }
    }
    for &engine in Engine::ALL {
        let heard = Heard::default();
        let count = Count::new(12).unwrap().engine(engine).threads(3);
        let count = count.observer(&heard);
        let plan = count.plan().unwrap();
        assert_eq!(count.run().unwrap().count, 14200);
        let mut heard = heard.0.into_inner().unwrap();
        heard.sort_by_key(|finished| finished.index);
        assert!(
            heard
                .iter()
                .map(|finished| finished.index)
                .eq(0..plan.blocks().len())
        );
        assert!(
            heard
                .iter()
                .map(|finished| finished.block)
                .eq(plan.blocks().iter().copied())
        );
        let total: u128 = heard.iter().map(|finished| finished.count).sum();
        assert_eq!(total, 14200, "{engine}");
    }
}

#[test]
fn a_cancelled_count_is_an_error_and_no_number() {
    for &engine in Engine::ALL {
        let cancel = Cancel::new();
        // Years of work, if it were not for the flag.
        let count = Count::new(27).unwrap().engine(engine).cancel(&cancel);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| count.run());
            std::thread::sleep(std::time::Duration::from_millis(50));
            cancel.cancel();
            assert!(matches!(run.join().unwrap(), Err(Error::Interrupted)));
        });
    }
}

#[test]
fn every_plan_has_a_name_of_its_own() {
    let id = |n, engine| Plan::new(&Problem::new(n).unwrap(), engine).unwrap().id();
    let mut seen = Vec::new();
    for &engine in Engine::ALL {
        for n in 0..=16 {
            assert!(!seen.contains(&id(n, engine)), "{engine} n = {n}");
            seen.push(id(n, engine));
        }
    }
}

/// Ledgers and shards name a plan and the counts of its blocks. Should either change,
/// they must be refused: change `FORMAT_VERSION`, and then this test.
#[test]
fn plans_and_the_counts_of_their_blocks_stay_what_files_say() {
    let plans = [
        (Engine::Rows, 16, "a943fa7a5bb522f0", 145558),
        (Engine::Colours, 16, "55efb297e6321230", 3374010),
        (Engine::Colours, 17, "958c828c85903449", 159584),
    ];
    assert_eq!(FORMAT_VERSION, 2);
    for (engine, n, id, in_middle) in plans {
        let plan = Plan::new(&Problem::new(n).unwrap(), engine).unwrap();
        assert_eq!(plan.id().to_string(), id, "{engine} n = {n}");
        let middle = plan.blocks().len() / 2;
        let counted = plan.run_blocks(&[middle], &Runner::new()).unwrap();
        assert_eq!(counted.count, in_middle, "{engine} n = {n}, block {middle}");
    }
}

#[test]
fn only_blocks_of_the_plan_are_counted() {
    let plan = Count::new(8).unwrap().plan().unwrap();
    let blocks = plan.blocks().len();
    let beyond = plan.run_blocks(&[0, blocks], &Runner::new());
    let index = blocks;
    assert_eq!(beyond.unwrap_err(), Error::NoBlock { index, blocks });
}

#[test]
fn a_cancelled_plan_is_no_plan() {
    let cancel = Cancel::new();
    cancel.cancel();
    for &engine in Engine::ALL {
        let count = Count::new(12).unwrap().engine(engine).cancel(&cancel);
        assert!(matches!(count.plan(), Err(Error::Interrupted)));
    }
}

mod restricted {
    use super::*;

    /// Counts by brute force and by `rows`, and compares.
    fn check(n: u32, all: &[Vec<u32>], required: &[Square], forbidden: &[Square]) {
        let fits = |columns: &&Vec<u32>| {
            let on = |square: &Square| columns[square.row(n).unwrap() as usize] == square.file();
            required.iter().all(on) && !forbidden.iter().any(on)
        };
        let expected = all.iter().filter(fits).count() as u128;
        let problem = Problem::new(n).unwrap();
        let problem = required
            .iter()
            .try_fold(problem, |problem, &square| problem.require(square));
        let problem = forbidden
            .iter()
            .try_fold(problem.unwrap(), |problem, &square| problem.forbid(square));
        let counted = Count::from(problem.unwrap()).run().unwrap();
        assert_eq!(
            counted.count, expected,
            "n = {n} {required:?} {forbidden:?}"
        );
    }

    fn board(n: u32) -> impl Iterator<Item = Square> {
        (0..n).flat_map(move |file| (0..n).map(move |rank| Square::new(file, rank)))
    }

    #[test]
    fn every_single_square() {
        for n in 0..=7 {
            let all = oracle::solutions(n);
            check(n, &all, &[], &[]);
            for square in board(n) {
                check(n, &all, &[square], &[]);
                check(n, &all, &[], &[square]);
            }
        }
    }

    #[test]
    fn every_pair_of_squares() {
        let all = oracle::solutions(5);
        for a in board(5) {
            for b in board(5).filter(|&b| b != a) {
                check(5, &all, &[a, b], &[]);
                check(5, &all, &[], &[a, b]);
                check(5, &all, &[a], &[b]);
            }
        }
    }

    #[test]
    fn many_squares_at_random() {
        let mut random = Random::new(1);
        for n in [6, 7, 8] {
            let all = oracle::solutions(n);
            for _ in 0..200 {
                let solution = &all[random.below(all.len() as u64) as usize];
                let solution = Board::new(solution.clone()).unwrap();
                let required = solution.squares().filter(|_| random.below(4) == 0);
                let required: Vec<_> = required.collect();
                let density = 2 + random.below(10);
                let forbidden = board(n).filter(|_| random.below(density) == 0);
                let forbidden: Vec<_> = forbidden
                    .filter(|square| !required.contains(square))
                    .collect();
                check(n, &all, &required, &forbidden);
            }
        }
    }
}
