//! What counts must agree with: three obvious ways to count that share no idea with the
//! engines, nor a line with the library. A queen is a column; its row is its place.

#![allow(dead_code, reason = "every test uses some of it")]

/// Whether queens in these rows and columns attack each other.
pub(crate) fn attack((row, column): (u32, u32), (other_row, other_column): (u32, u32)) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    rows == 0 || columns == 0 || rows == columns
}

/// Every solution of side `n`: the permutations without two queens on a diagonal.
pub(crate) fn solutions(n: u32) -> Vec<Vec<u32>> {
    fn extend(n: u32, columns: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if columns.len() == n as usize {
            let queens: Vec<(u32, u32)> = (0..).zip(columns.iter().copied()).collect();
            let peaceful = |(place, &queen): (usize, &(u32, u32))| {
                queens[..place].iter().all(|&above| !attack(above, queen))
            };
            if queens.iter().enumerate().all(peaceful) {
                found.push(columns.clone());
            }
            return;
        }
        for column in 0..n {
            if !columns.contains(&column) {
                columns.push(column);
                extend(n, columns, found);
                columns.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(n, &mut Vec::new(), &mut found);
    found
}

/// How many solutions begin with these queens and stand on allowed squares only: every
/// square of every row is compared with all queens above. Bit c of a row's mask allows
/// column c.
pub(crate) fn completions(n: u32, queens: &mut Vec<u32>, allowed: &[u32]) -> u128 {
    let row = queens.len() as u32;
    if row == n {
        return 1;
    }
    let mut count = 0;
    for column in (0..n).filter(|column| allowed[row as usize] >> column & 1 == 1) {
        let mut above = (0..).zip(&*queens);
        if above.all(|(r, &c)| !attack((r, c), (row, column))) {
            queens.push(column);
            count += completions(n, queens, allowed);
            queens.pop();
        }
    }
    count
}

/// The number of solutions by the textbook search: a flag for every column and for every
/// diagonal.
pub(crate) fn count(n: usize) -> u128 {
    struct Flags {
        n: usize,
        columns: Vec<bool>,
        rising: Vec<bool>,
        falling: Vec<bool>,
    }

    impl Flags {
        fn below(&mut self, row: usize) -> u128 {
            if row == self.n {
                return 1;
            }
            let mut count = 0;
            for column in 0..self.n {
                let (up, down) = (row + column, row + self.n - column);
                if !(self.columns[column] || self.rising[up] || self.falling[down]) {
                    self.set(column, up, down, true);
                    count += self.below(row + 1);
                    self.set(column, up, down, false);
                }
            }
            count
        }

        fn set(&mut self, column: usize, up: usize, down: usize, taken: bool) {
            self.columns[column] = taken;
            self.rising[up] = taken;
            self.falling[down] = taken;
        }
    }

    let flags = |length| vec![false; length];
    let (columns, rising, falling) = (flags(n), flags(2 * n), flags(2 * n));
    let mut flags = Flags {
        n,
        columns,
        rising,
        falling,
    };
    flags.below(0)
}
