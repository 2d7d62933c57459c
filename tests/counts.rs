//! Counts against the published values, against the oracles and against each other.

mod oracle;

use std::sync::Mutex;

use proptest::prelude::*;
use queens::{
    Board, Cancel, Count, Cpu, Engine, Error, FinishedBlock, MAX_N, MAX_THREADS, Problem, Runner,
    Square, known, plan::Plan, random::Random,
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

/// How many tasks there must be: for `rows` the placements on two rows, or three, up to
/// a mirror;
/// for `colours` the choices of n/2 even and odd rows, up to the symmetries that map
/// rows to rows, by Burnside's lemma.
fn number_of_tasks(engine: Engine, n: u32) -> u64 {
    let (even, odd) = (n.div_ceil(2), n / 2);
    let choices = binomial(n, odd);
    match engine {
        _ if n < 2 => 1,
        Engine::Rows if n < 15 => u64::from(n - 1) * u64::from(n - 2) / 2,
        Engine::Rows => {
            let free = |a: u32, b: u32, rows: u32| a != b && a.abs_diff(b) != rows;
            let below = |a, b| {
                (0..n)
                    .filter(move |&c| free(b, c, 1) && free(a, c, 2))
                    .count()
            };
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
            let triples = pairs
                .filter(|&(a, b)| free(a, b, 1))
                .map(|(a, b)| below(a, b) as u64);
            triples.sum::<u64>() / 2
        }
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
fn an_observer_hears_of_every_block_once_however_many_threads_share_it() {
    for (n, engine) in [(14, Engine::Rows), (15, Engine::Colours)] {
        let plan = Count::new(n).unwrap().engine(engine).plan().unwrap();
        let blocks = plan.blocks();
        let heard = |threads| {
            let heard = Mutex::new(Vec::new());
            let listen = |block: &FinishedBlock| heard.lock().unwrap().push(block.clone());
            let runner = Runner::new().threads(threads).observer(&listen);
            let counted = plan.run(&runner).unwrap();
            let mut heard = heard.into_inner().unwrap();
            assert!(heard.iter().any(|finished| finished.progress == 1.0));
            heard.sort_by_key(|finished| finished.index);
            let indices = heard.iter().map(|finished| finished.index);
            assert!(indices.eq(0..blocks.len()), "{engine}, {threads} threads");
            let known = heard.iter().map(|finished| finished.block);
            assert!(known.eq(blocks.iter().copied()));
            let counts: Vec<u128> = heard.iter().map(|finished| finished.count).collect();
            assert_eq!(counts.iter().sum::<u128>(), counted.count);
            (counted.used, counts)
        };
        let (used, counts) = heard(1);
        assert_eq!(used, 1);
        for threads in [2, 3, blocks.len(), 4 * blocks.len()] {
            assert_eq!(heard(threads).1, counts, "{engine}, {threads} threads");
        }
        let (used, _) = heard(2 * blocks.len());
        assert!(used > blocks.len(), "{engine}: {used} threads had work");
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

    /// Counts by brute force and by every engine, and compares.
    fn check(n: u32, all: &[Vec<u32>], required: &[Square], forbidden: &[Square]) {
        let fits = |columns: &&Vec<u32>| {
            let on = |square: &Square| columns[square.row(n).unwrap() as usize] == square.file();
            required.iter().all(on) && !forbidden.iter().any(on)
        };
        let expected = all.iter().filter(fits).count() as u128;
        let problem = problem(n, required, forbidden);
        for &engine in Engine::ALL {
            assert_eq!(
                counted(&problem, Some(engine)),
                expected,
                "{engine} n = {n} {required:?} {forbidden:?}"
            );
        }
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

    /// The allowed columns of each row, by the definition.
    fn masks(n: u32, required: &[Square], forbidden: &[Square]) -> Vec<u32> {
        let mut masks = vec![u32::MAX; n as usize];
        for square in required {
            masks[square.row(n).unwrap() as usize] &= 1 << square.file();
        }
        for square in forbidden {
            masks[square.row(n).unwrap() as usize] &= !(1 << square.file());
        }
        masks
    }

    /// Squares of a board of side `n`.
    fn squares(n: u32, most: usize) -> impl Strategy<Value = Vec<Square>> {
        let square = (0..n, 0..n).prop_map(|(file, rank)| Square::new(file, rank));
        prop::collection::vec(square, 0..=most)
    }

    /// A board side in this range, squares to forbid, and how many queens of a random solution
    /// to require, or any squares instead.
    fn restrictions(
        sides: std::ops::RangeInclusive<u32>,
    ) -> impl Strategy<Value = (u32, Vec<Square>, Vec<Square>)> {
        sides.prop_flat_map(|n| {
            let given = (
                0..=n as usize / 2,
                any::<u64>(),
                any::<bool>(),
                squares(n, 2),
            );
            (Just(n), given, squares(n, 3 * n as usize)).prop_map(
                |(n, (queens, seed, sound, any), forbidden)| {
                    let solution = queens::solve_random(n, seed).unwrap();
                    let queens = solution
                        .iter()
                        .flat_map(|board| board.squares().take(queens));
                    let required: Vec<Square> = if sound { queens.collect() } else { any };
                    (n, required, forbidden)
                },
            )
        })
    }

    fn problem(n: u32, required: &[Square], forbidden: &[Square]) -> Problem {
        let problem = Problem::new(n).unwrap();
        let problem = required
            .iter()
            .fold(problem, |problem, &square| problem.require(square).unwrap());
        forbidden
            .iter()
            .fold(problem, |problem, &square| problem.forbid(square).unwrap())
    }

    fn counted(problem: &Problem, engine: Option<Engine>) -> u128 {
        let count = Count::from(problem.clone()).threads(1);
        let count = match engine {
            Some(engine) => count.engine(engine),
            None => count,
        };
        count.run().unwrap().count
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_restriction_agrees_with_brute_force(
            (n, required, forbidden) in restrictions(1..=9)
        ) {
            let masks = masks(n, &required, &forbidden);
            let expected = oracle::completions(n, &mut Vec::new(), &masks);
            let problem = problem(n, &required, &forbidden);
            for &engine in Engine::ALL {
                prop_assert_eq!(counted(&problem, Some(engine)), expected, "{}", engine);
            }
            if problem.contradiction().is_some() {
                prop_assert_eq!(expected, 0);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_restriction_of_a_larger_board_agrees_with_rows(
            (n, required, forbidden) in
                restrictions(10..=if cfg!(debug_assertions) { 12 } else { 14 })
        ) {
            let problem = problem(n, &required, &forbidden);
            let expected = counted(&problem, Some(Engine::Rows));
            prop_assert_eq!(counted(&problem, Some(Engine::Colours)), expected);
            prop_assert_eq!(counted(&problem, None), expected);
        }
    }

    #[test]
    fn the_squares_of_any_row_add_up_to_all_solutions() {
        for n in 1..=12 {
            for &engine in Engine::ALL {
                for rank in [0, n / 2] {
                    let counts = (0..n).map(|file| {
                        counted(&problem(n, &[Square::new(file, rank)], &[]), Some(engine))
                    });
                    let sum = counts.sum();
                    assert_eq!(Some(sum), known::QUEENS.value(n), "{engine} n = {n}");
                }
            }
        }
    }

    #[test]
    fn squares_of_one_orbit_have_one_count() {
        for n in 5..=8 {
            let holes = [Square::new(1, 0), Square::new(n - 2, n - 1)];
            let all: Vec<Square> = board(n).collect();
            for forbidden in [&holes[..0], &holes[..1], &holes] {
                let orbits = problem(n, &[], forbidden).orbits(&all);
                assert_eq!(orbits.iter().map(Vec::len).sum::<usize>(), all.len());
                assert!(forbidden.len() == 1 || orbits.len() < all.len());
                for orbit in orbits {
                    let count = |&square: &Square| counted(&problem(n, &[square], forbidden), None);
                    let counts: Vec<u128> = orbit.iter().map(count).collect();
                    assert!(counts.iter().all(|count| *count == counts[0]), "{orbit:?}");
                }
            }
        }
    }

    #[test]
    fn restrictions_have_plans_of_their_own() {
        let (corner, hole) = (Square::new(0, 0), Square::new(3, 5));
        let mut seen = Vec::new();
        for problem in [
            problem(13, &[], &[]),
            problem(13, &[corner], &[]),
            problem(13, &[], &[corner]),
            problem(13, &[corner], &[hole]),
        ] {
            for &engine in Engine::ALL {
                let id = Plan::new(&problem, engine).unwrap().id();
                assert!(!seen.contains(&id), "{problem:?}");
                seen.push(id);
            }
        }
        let id = |required: &[Square]| {
            let plan = Plan::new(&problem(13, required, &[]), Engine::Colours);
            plan.unwrap().id()
        };
        let other = Square::new(5, 7);
        assert_eq!(id(&[corner, other]), id(&[other, corner]));
    }

    #[test]
    fn the_engine_goes_by_what_is_left_of_the_board() {
        let solution = queens::solve(18).unwrap().unwrap();
        let given = |queens| {
            let squares: Vec<Square> = solution.squares().take(queens).collect();
            Engine::auto(&problem(18, &squares, &[]))
        };
        assert_eq!((given(1), given(9)), (Engine::Colours, Engine::Rows));
        let hole = Square::new(0, 0);
        for (n, engine) in [
            (8, Engine::Rows),
            (12, Engine::Rows),
            (14, Engine::Colours),
            (20, Engine::Colours),
            (MAX_N, Engine::Colours),
        ] {
            assert_eq!(Engine::auto(&problem(n, &[], &[hole])), engine, "n = {n}");
            let nothing = problem(n, &[hole], &[hole]);
            assert_eq!(Engine::auto(&nothing), Engine::Rows);
        }
    }

    #[test]
    fn a_contradiction_has_no_task_on_the_largest_board() {
        let attack = problem(MAX_N, &[Square::new(0, 0), Square::new(5, 5)], &[]);
        let hole = Square::new(9, 4);
        let forbidden = problem(MAX_N, &[hole], &[hole]);
        let file: Vec<Square> = (0..MAX_N).map(|rank| Square::new(7, rank)).collect();
        for nothing in [attack, forbidden, problem(MAX_N, &[], &file)] {
            assert!(nothing.contradiction().is_some());
            for &engine in Engine::ALL {
                let plan = Plan::new(&nothing, engine).unwrap();
                assert_eq!((plan.tasks(), plan.cost()), (0, 0), "{engine}");
                assert_eq!(plan.run(&Runner::new()).unwrap().count, 0);
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
