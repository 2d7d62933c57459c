//! How many threads: the flag, else `QUEENS_THREADS`, else `SLURM_CPUS_PER_TASK`,
//! else as many as this process may use.

use std::str::FromStr;

use anyhow::Result;
use queens::MAX_THREADS;

use crate::cli::exit::Exit;

/// The variables that stand in for the flag, the stronger one first.
const VARIABLES: [&str; 2] = ["QUEENS_THREADS", "SLURM_CPUS_PER_TASK"];

/// How many threads the user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    Number(usize),
    Logical,
    Physical,
}

/// How many threads to use, and who said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    pub threads: usize,
    /// The variable that decided, if one did.
    pub variable: Option<&'static str>,
}

impl Threads {
    /// The number that is meant on this machine. Cores that the process may not use do
    /// not count.
    pub fn number(self) -> usize {
        match self {
            Threads::Number(number) => number,
            Threads::Logical => num_cpus::get(),
            Threads::Physical => num_cpus::get_physical().min(num_cpus::get()),
        }
    }

    /// The number of threads for this flag.
    pub fn resolve(flag: Option<Threads>) -> Result<usize> {
        match flag {
            Some(threads) => Ok(threads.number()),
            None => Ok(Threads::without_flag()?.threads),
        }
    }

    /// The number of threads where no flag is given. An empty variable counts as
    /// not set.
    pub fn without_flag() -> Result<Resolved> {
        for name in VARIABLES {
            let value = std::env::var_os(name).unwrap_or_default();
            if value.is_empty() {
                continue;
            }
            let threads = value.to_string_lossy().parse::<Threads>();
            let threads = threads.map_err(|sentence| {
                Exit::Usage.because(format!("the environment variable {name}: {sentence}"))
            })?;
            return Ok(Resolved {
                threads: threads.number(),
                variable: Some(name),
            });
        }
        Ok(Resolved {
            threads: Threads::Logical.number(),
            variable: None,
        })
    }
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("logical", _) => Ok(Threads::Logical),
            ("physical", _) => Ok(Threads::Physical),
            (_, Ok(number)) if (1..=MAX_THREADS).contains(&number) => Ok(Threads::Number(number)),
            _ => Err(format!(
                "\"{text}\" is not a number of threads: use 1 to {MAX_THREADS}, \"logical\" or \"physical\""
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_read_and_anything_else_is_named() {
        assert_eq!("2".parse(), Ok(Threads::Number(2)));
        assert_eq!("logical".parse(), Ok(Threads::Logical));
        assert_eq!("physical".parse(), Ok(Threads::Physical));
        for text in ["0", "-1", "", "all", "1.5", "1000000"] {
            let sentence = text.parse::<Threads>().unwrap_err();
            assert!(sentence.contains(&format!("\"{text}\"")), "{sentence}");
        }
    }

    #[test]
    fn physical_cores_are_at_least_one_and_no_more_than_the_process_may_use() {
        let physical = Threads::Physical.number();
        assert!(1 <= physical && physical <= Threads::Logical.number());
    }
}
