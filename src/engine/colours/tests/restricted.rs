//! Boards with required and forbidden squares, for every group of symmetries that they can
//! have: each task by every route, and all of them against the `rows` engine.

use super::*;
use crate::{
    board::{Square, Symmetry as Map},
    engine::Engine,
    random::Random,
};

/// What generates each of the ten subgroups of the eight symmetries.
const GENERATORS: [&[Map]; 10] = [
    &[],
    &[Map::HalfTurn],
    &[Map::LeftRight],
    &[Map::TopBottom],
    &[Map::Diagonal],
    &[Map::Antidiagonal],
    &[Map::LeftRight, Map::TopBottom],
    &[Map::Diagonal, Map::Antidiagonal],
    &[Map::QuarterTurn],
    &[Map::QuarterTurn, Map::Diagonal],
];

/// The squares and all their images.
fn images(n: u32, mut squares: Vec<Square>, generators: &[Map]) -> Vec<Square> {
    let mut next = 0;
    while next < squares.len() {
        for map in generators {
            let image = map.square(squares[next], n).unwrap();
            if !squares.contains(&image) {
                squares.push(image);
            }
        }
        next += 1;
    }
    squares
}

/// Boards of side `n` with some squares forbidden and perhaps a queen given, symmetric and
/// not.
fn problems(n: u32) -> impl Iterator<Item = Problem> {
    let mut random = Random::new(n.into());
    GENERATORS.into_iter().flat_map(move |generators| {
        let mut square = || {
            let [file, rank] = [(); 2].map(|()| random.below(n.into()) as u32);
            Square::new(file, rank)
        };
        let some = (0..n / 2).map(|_| square()).collect();
        let forbidden = images(n, some, generators);
        let given = images(n, vec![square()], generators);
        let board = forbidden
            .iter()
            .fold(Problem::new(n).unwrap(), |board, &square| {
                board.forbid(square).unwrap()
            });
        let with_queens = given.iter().fold(board.clone(), |board, &square| {
            board.require(square).unwrap()
        });
        let queens_alone = given
            .iter()
            .fold(Problem::new(n).unwrap(), |board, &square| {
                board.require(square).unwrap()
            });
        [board, with_queens, queens_alone]
    })
}

/// The number of solutions by the reference.
fn by_rows(problem: &Problem) -> u128 {
    let search = Engine::Rows.search(problem);
    let tasks = search.groups().map(|group| group.tasks).sum();
    let mut worker = search.worker(Cpu::Portable, Route::Direct);
    worker.count(0..tasks, &Cancel::new()).unwrap()
}

#[test]
fn every_group_of_symmetries_is_met() {
    for n in 6..=9 {
        let mut met: Vec<Vec<Map>> = problems(n).map(|problem| problem.symmetries()).collect();
        met.sort_unstable_by_key(|maps| maps.iter().map(|&map| map as u8).collect::<Vec<_>>());
        met.dedup();
        assert_eq!(met.len(), GENERATORS.len(), "n = {n}");
    }
}

#[test]
fn every_route_agrees_on_every_task_and_all_of_them_with_rows() {
    for n in 1..=if cfg!(debug_assertions) { 8 } else { 10 } {
        for problem in problems(n) {
            let search = Colours::new(&problem);
            let mut workers = Route::ALL
                .iter()
                .map(|&route| search.worker(Cpu::detect(), route))
                .collect::<Vec<_>>();
            let mut sum = 0;
            for task in 0..search.tasks {
                let counts: Vec<u128> = workers
                    .iter_mut()
                    .map(|worker| worker.count(task..task + 1, &Cancel::new()).unwrap())
                    .collect();
                let description = search.describe(task);
                assert!(
                    counts.iter().all(|&count| count == counts[0]),
                    "{problem:?}, {description}: {counts:?}",
                );
                sum += counts[0];
            }
            assert_eq!(sum, by_rows(&problem), "{problem:?}");
        }
    }
}

#[test]
fn larger_boards_agree_with_rows_by_both_fast_routes() {
    for n in 11..=if cfg!(debug_assertions) { 11 } else { 13 } {
        for problem in problems(n) {
            let expected = by_rows(&problem);
            let search = Colours::new(&problem);
            for route in [Route::Direct, Route::Image] {
                let mut worker = search.worker(Cpu::detect(), route);
                let count = worker.count(0..search.tasks, &Cancel::new()).unwrap();
                assert_eq!(count, expected, "{route:?} {problem:?}");
            }
        }
    }
}

#[test]
fn tasks_stand_for_every_choice_of_rows_that_leaves_no_line_empty() {
    for n in 1..=10 {
        for problem in problems(n) {
            let search = Colours::new(&problem);
            let (even, odd) = (search.halves.even_rows(), search.halves.odd_rows());
            let choices = (0..=full(search.symmetry.even))
                .flat_map(|e| (0..=full(search.symmetry.odd)).map(move |o| (e, o)));
            let extra = n % 2;
            let choices = choices
                .filter(|(e, o)| e.count_ones() == o.count_ones() + extra)
                .filter(|&(e, o)| even.allow(e) && odd.allow(o))
                // A class without columns has no task.
                .filter(|(e, _)| {
                    let classes = search.classes.iter();
                    let mut sizes = classes.map(|class| class.class.even);
                    let other = search.symmetry.even - e.count_ones();
                    sizes.any(|size| size == e.count_ones() || n % 2 == 0 && size == other)
                });
            let weights = Spans::new(&search)
                .tasks(0..search.tasks)
                .map(|task| u64::from(task.weight))
                .sum::<u64>();
            assert_eq!(weights, choices.count() as u64, "{problem:?}");
        }
    }
}

#[test]
fn a_restricted_task_has_slices_and_quarters_too() {
    for n in [7, 10] {
        for problem in problems(n).step_by(4) {
            let mut search = Colours::new(&problem);
            let expected = by_rows(&problem);
            for class in &mut search.classes {
                class.slicing = Slicing {
                    even: 2,
                    odd: 2,
                    white: 2,
                    black: 4,
                };
            }
            search.factor_bits = 4;
            for route in [Route::Direct, Route::Image] {
                let mut worker = search.worker(Cpu::detect(), route);
                let count = worker.count(0..search.tasks, &Cancel::new()).unwrap();
                assert_eq!(count, expected, "{route:?} {problem:?}");
            }
        }
    }
}
