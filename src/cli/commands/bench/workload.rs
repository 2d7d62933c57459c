//! What is measured: boards and engines. Either one of the fixed workloads, whose
//! results compare across machines and versions, or what the user names, or a board
//! that keeps this machine busy for a few seconds.

use anyhow::Result;
use clap::ValueEnum;
use queens::{Engine, Error, MAX_N, Problem};

/// Rounds unless the user says otherwise.
pub const REPEATS: usize = 5;

/// A fixed set of boards, each with its engine. Never change one once it is released:
/// that is what makes old results worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// rows n = 16, colours n = 18: a second or two on one thread
    Small,
    /// rows n = 17, colours n = 20: about ten seconds each
    Medium,
    /// rows n = 18, colours n = 21: minutes each, three rounds
    Large,
}

impl Workload {
    pub fn boards(self) -> Vec<(u32, Engine)> {
        let (rows, colours) = match self {
            Workload::Small => (16, 18),
            Workload::Medium => (17, 20),
            Workload::Large => (18, 21),
        };
        vec![(rows, Engine::Rows), (colours, Engine::Colours)]
    }

    /// How often each point is measured unless the user says otherwise. Short disturbances matter less
    /// in a long run.
    pub fn repeats(self) -> usize {
        match self {
            Workload::Small | Workload::Medium => REPEATS,
            Workload::Large => 3,
        }
    }
}

/// Every board with every engine; where none is named, with the one that `queens count`
/// would use.
pub fn boards(sizes: &[u32], engines: &[Option<Engine>]) -> Result<Vec<(u32, Engine)>> {
    let mut boards = Vec::new();
    for &n in sizes {
        let problem = Problem::new(n)?;
        for engine in engines {
            let board = (n, engine.unwrap_or_else(|| Engine::auto(&problem)));
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
    }
    Ok(boards)
}

/// Less time than this on one thread says little about larger boards.
const TELLING: f64 = 0.1;

/// The largest board that each of these engines counts within this many seconds on one
/// thread, as far as smaller boards can tell.
///
/// `seconds` counts a board and tells how long that took.
pub fn calibrate(
    target: f64,
    engines: &[Option<Engine>],
    mut seconds: impl FnMut(u32, Option<Engine>) -> Result<f64, Error>,
) -> Result<u32, Error> {
    let mut largest = MAX_N;
    for &engine in engines {
        // Two steps before, because for some engines odd and even boards differ.
        let mut before = [f64::INFINITY; 2];
        for n in 8..=largest {
            let time = seconds(n, engine)?;
            let growth = (time / before[0]).sqrt().clamp(2.0, 12.0);
            if time >= TELLING.min(target / growth) {
                let steps = ((target / time).ln() / growth.ln()).floor();
                largest = largest.min(n.saturating_add_signed(steps as i32)).max(1);
                break;
            }
            before = [before[1], time];
        }
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calibrated_board_fills_the_time_but_no_more() {
        let time = |factor: f64, unit: f64| move |n: u32| unit * factor.powi(n as i32);
        for (factor, unit) in [(8.0, 1e-14), (4.0, 1e-12), (6.0, 1e-15)] {
            let time = time(factor, unit);
            let n = calibrate(3.0, &[None], |n, _| Ok(time(n))).unwrap();
            assert!(time(n) <= 3.0 * 1.01, "{factor}: {n}");
            assert!(time(n + 1) > 3.0 * 0.99, "{factor}: {n}");
        }
    }

    #[test]
    fn with_several_engines_the_slowest_decides() {
        let engines = [Some(Engine::Rows), None];
        let n = calibrate(3.0, &engines, |n, engine| {
            Ok(1e-14 * if engine.is_some() { 8.0f64 } else { 5.0 }.powi(n as i32))
        });
        assert_eq!(n.unwrap(), 16);
        let at_once = calibrate(3.0, &[None], |_, _| Ok(1e-9)).unwrap();
        assert_eq!(at_once, MAX_N);
        let endless = calibrate(1e-3, &[None], |_, _| Ok(60.0)).unwrap();
        assert!((1..=8).contains(&endless));
    }

    #[test]
    fn the_boards_of_an_engine_named_twice_are_measured_once() {
        let engines = [Some(Engine::Rows), None, Some(Engine::Rows)];
        assert_eq!(boards(&[8], &engines).unwrap(), [(8, Engine::Rows)]);
    }
}
