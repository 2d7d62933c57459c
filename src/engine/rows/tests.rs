//! The kernel counts what brute force counts, whatever the start and the squares; the
//! tasks are the whole board once.

use super::*;
use crate::{board::Square, oracle, random::Random};

/// Masks that allow about this share of all squares.
fn random_masks(random: &mut Random, share: f64) -> Masks {
    std::array::from_fn(|_| (0..32).fold(0, |mask, c| mask | u32::from(random.unit() < share) << c))
}

/// A random start of a board, as long as it goes but at most this many rows.
fn random_start(random: &mut Random, n: u32, rows: u32, allowed: &Masks) -> Vec<u32> {
    let mut queens = Vec::new();
    while (queens.len() as u32) < rows {
        let free = Node::below(n, &queens, &|row| allowed[row]).free;
        if free == 0 {
            break;
        }
        let choice = random.below(free.count_ones().into());
        queens.extend(columns(free).nth(choice as usize));
    }
    queens
}

fn whole(n: u32) -> Rows {
    Rows::new(&Problem::new(n).unwrap())
}

#[test]
fn completions_are_those_of_brute_force_on_any_squares() {
    // The same lists for all boards: what one leaves must not matter to the next.
    let mut lists = Lists::default();
    let mut random = Random::new(1);
    let mut solved = 0;
    for n in 1..=8 {
        for share in [0.5, 0.7, 0.9, 1.0].into_iter().cycle().take(300) {
            let allowed = random_masks(&mut random, share);
            let rows = random.below(u64::from(n) + 1) as u32;
            let mut queens = random_start(&mut random, n, rows, &allowed);
            let count = lists
                .completions(n, &queens, &|row| allowed[row], &Cancel::new())
                .unwrap();
            assert_eq!(
                count,
                oracle::completions(n, &mut queens, &allowed),
                "{n} {queens:?}"
            );
            solved += u32::from(count > 0);
        }
    }
    assert!(solved > 500, "{solved} cases with a solution");
}

#[test]
fn wide_boards_use_all_32_columns() {
    let (mut several, mut lists) = (0, Lists::default());
    for (n, seed) in (28..=MAX_N).cycle().zip(0..25) {
        // The upper rows of one solution, and all ways to go on from there.
        let solution = crate::solutions::solve_random(n, seed).unwrap().unwrap();
        let start = &solution.columns()[..n as usize - 9];
        let mut allowed = [u32::MAX; MAX_N as usize];
        for (mask, column) in allowed.iter_mut().zip(start) {
            *mask = 1 << column;
        }
        let count = completions_within(n, &allowed, &mut lists, &Cancel::new()).unwrap();
        assert_eq!(count, oracle::completions(n, &mut start.to_vec(), &allowed));
        assert!(count > 0);
        several += u32::from(count > 1);
    }
    assert!(several > 3, "{several} boards with several solutions");
}

#[test]
fn weights_are_all_placements_of_the_first_rows() {
    for n in 2..=MAX_N {
        let weights: u128 = whole(n).tasks.iter().map(|task| task.weight).sum();
        // Of n² pairs of columns, n are equal and 2 (n − 1) are neighbours.
        let pairs = (n - 1) * (n - 2);
        let triples = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        let triples = triples.filter(|(a, b)| a.abs_diff(*b) > 1).map(|(a, b)| {
            let is_free = |c: &u32| c.abs_diff(b) > 1 && *c != a && c.abs_diff(a) != 2;
            (0..n).filter(is_free).count() as u32
        });
        let all = if n < 15 { pairs } else { triples.sum() };
        assert_eq!(weights, u128::from(all), "n = {n}");
    }
    for n in [0, 1] {
        let weights: Vec<u128> = whole(n).tasks.iter().map(|task| task.weight).collect();
        assert_eq!(weights, [1]);
    }
}

#[test]
fn required_queens_leave_tasks_for_many_threads() {
    let top = crate::solutions::solve(20).unwrap().unwrap();
    for given in 1..=10 {
        let queens = top.squares().take(given);
        let problem = queens.fold(Problem::new(20).unwrap(), |problem, queen| {
            problem.require(queen).unwrap()
        });
        assert!(Rows::new(&problem).tasks.len() > 10, "{given} given queens");
    }
}

#[test]
fn a_full_board_of_required_queens_is_one_task() {
    for n in [1, 4, 31, MAX_N] {
        let solution = crate::solutions::solve(n).unwrap().unwrap();
        let problem = solution
            .squares()
            .fold(Problem::new(n).unwrap(), |problem, queen| {
                problem.require(queen).unwrap()
            });
        let rows = Rows::new(&problem);
        assert_eq!(rows.tasks.len(), 1);
        let mut worker = rows.worker(Cpu::Portable, Route::Direct);
        assert_eq!(worker.count(0..1, &Cancel::new()).unwrap(), 1, "n = {n}");
    }
}

#[test]
fn every_task_has_as_many_completions_as_its_image() {
    let square = Square::new(1, 5);
    let restricted = Problem::new(8).unwrap().forbid(square).unwrap();
    for rows in (0..=9).map(whole).chain([Rows::new(&restricted)]) {
        let mut direct = rows.worker(Cpu::Portable, Route::Direct);
        let mut image = rows.worker(Cpu::Portable, Route::Image);
        for task in 0..rows.tasks.len() as u64 {
            let [direct, image] = [&mut direct, &mut image]
                .map(|worker| worker.count(task..task + 1, &Cancel::new()).unwrap());
            assert_eq!(direct, image, "n = {}, {}", rows.n, rows.describe(task));
        }
    }
}

#[test]
fn costly_tasks_come_first() {
    for n in 0..=MAX_N {
        let tasks = whole(n).tasks;
        assert!(tasks.is_sorted_by(|one, next| one.cost >= next.cost));
        assert!(tasks.iter().all(|task| task.cost > 0), "n = {n}");
    }
}
