//! The `rows` engine: one queen per row, from the top, with bit masks.
//!
//! The state before a row is three masks of its columns: those taken by a queen
//! above, and those reached by the diagonals that run down to the left and to the
//! right, shifted by one column with every row. A free square is a bit in none of
//! them; the lowest is `free & -free`.
//!
//! A task is a placement of the first two rows. Mirrored left to right, a solution
//! is another one (no queen but one of the middle column stays), so it is enough to
//! start in the left half of the first row and count twice; on the middle column of
//! an odd board the second row is never in the middle again, and is halved instead.

use std::ops::Range;

use super::{Route, Run, Search, Worker};
use crate::{Cancel, Cpu, Error, MAX_N, Problem, Tally, problem::full};

/// The rows search set to one problem.
pub(crate) struct Rows {
    n: u32,
    allowed: Option<[u32; MAX_N as usize]>,
    tasks: Vec<Task>,
}

/// A placement of the first rows, and how many solutions each completion stands for.
#[derive(Debug, Clone, Copy)]
struct Task {
    start: Start,
    weight: u32,
}

/// The masks before the next row.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    row: u32,
    columns: u32,
    left: u32,
    right: u32,
}

impl Start {
    fn free(&self, n: u32) -> u32 {
        full(n) & !(self.columns | self.left | self.right)
    }

    fn place(&self, queen: u32) -> Start {
        Start {
            row: self.row + 1,
            columns: self.columns | queen,
            left: (self.left | queen) << 1,
            right: (self.right | queen) >> 1,
        }
    }
}

/// The set bits of a mask, lowest first.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    })
}

impl Rows {
    pub(crate) fn new(problem: &Problem) -> Self {
        let n = problem.n();
        let allowed = problem.allowed();
        let mut tasks = Vec::new();
        // TODO replaced below
        let half = if allowed.is_some() {
            full(n)
        } else {
            full(n.div_ceil(2))
        };
        let top = Start::default();
        if n == 0 {
            tasks.push(Task {
                start: top,
                weight: 1,
            });
        }
        for first in bits(top.free(n) & half & allowed.map_or(u32::MAX, |a| a[0])) {
            tasks.push(Task {
                start: top.place(first),
                weight: if allowed.is_none() && 2 * first.trailing_zeros() + 1 != n {
                    2
                } else {
                    1
                },
            });
        }
        Rows { n, allowed, tasks }
    }
}

impl Search for Rows {
    fn runs(&self) -> Box<dyn Iterator<Item = Run> + '_> {
        Box::new(self.tasks.iter().map(|_| Run { tasks: 1, cost: 1 }))
    }

    fn worker(&self, _cpu: Cpu, route: Route) -> Box<dyn Worker + '_> {
        let mirrored = route == Route::Image;
        let allowed = match self.allowed {
            Some(allowed) if mirrored => Some(allowed.map(|row| mirror(row, self.n))),
            allowed => allowed,
        };
        Box::new(RowsWorker {
            rows: self,
            mirrored,
            allowed,
        })
    }

    fn routes(&self) -> &'static [Route] {
        &[Route::Direct, Route::Image]
    }

    fn describe(&self, task: u64) -> String {
        let columns = self.tasks[task as usize].start.columns;
        let columns = bits(columns).map(|bit| bit.trailing_zeros().to_string());
        let columns: Vec<String> = columns.collect();
        format!("first rows in columns {}", columns.join(" and "))
    }
}

/// One thread's search, of the tasks or of their images in a mirror.
struct RowsWorker<'a> {
    rows: &'a Rows,
    mirrored: bool,
    allowed: Option<[u32; MAX_N as usize]>,
}

/// Columns read from right to left.
fn mirror(columns: u32, n: u32) -> u32 {
    columns.reverse_bits().checked_shr(32 - n).unwrap_or(0)
}

impl Start {
    /// The same queens seen in a mirror, where left is right.
    fn mirrored(&self, n: u32) -> Start {
        Start {
            row: self.row,
            columns: mirror(self.columns, n),
            left: mirror(self.right, n),
            right: mirror(self.left, n),
        }
    }
}

impl Worker for RowsWorker<'_> {
    fn count(&mut self, tasks: Range<u64>, cancel: &Cancel) -> Result<u128, Error> {
        let n = self.rows.n;
        let mut tally = Tally::default();
        for task in &self.rows.tasks[tasks.start as usize..tasks.end as usize] {
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let start = if self.mirrored {
                task.start.mirrored(n)
            } else {
                task.start
            };
            let count = completions(n, start, self.allowed.as_ref());
            tally.add(task.weight.into(), count.into())?;
        }
        Ok(tally.total())
    }
}

fn completions(n: u32, start: Start, allowed: Option<&[u32; MAX_N as usize]>) -> u64 {
    if start.row == n {
        return 1;
    }
    let allowed_here = allowed.map_or(u32::MAX, |a| a[start.row as usize]);
    bits(start.free(n) & allowed_here)
        .map(|queen| completions(n, start.place(queen), allowed))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn every_task_has_as_many_completions_as_its_mirror_image() {
        let square = Square { row: 2, column: 1 };
        let whole = (0..=9).map(|n| Problem::new(n).unwrap());
        let restricted = Problem::new(8).unwrap().forbid(square).unwrap();
        for problem in whole.chain([restricted]) {
            let rows = Rows::new(&problem);
            let mut direct = rows.worker(Cpu::Portable, Route::Direct);
            let mut image = rows.worker(Cpu::Portable, Route::Image);
            for task in 0..rows.tasks.len() as u64 {
                let count = |worker: &mut Box<dyn Worker + '_>| {
                    worker.count(task..task + 1, &Cancel::new()).unwrap()
                };
                assert_eq!(count(&mut direct), count(&mut image), "{problem:?} {task}");
            }
        }
    }
}
