//! The first line of a ledger: which plan it is about, which blocks of it, and how they
//! are counted.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::chain;
use crate::{
    board::{Problem, Square},
    count::plan::{FORMAT_VERSION, Plan, PlanId, Shard},
    engine::{Engine, Route},
    error::Error,
};

/// What a ledger is about: its first line.
///
/// ```
/// use queens::{Count, Engine, Route, ledger::{Ledger, Recorder}, plan::Shard};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let plan = Count::new(8)?.plan()?;
/// Recorder::open(file.path(), &plan, Shard::WHOLE, Route::Direct)?;
/// let ledger = Ledger::read(file.path())?;
/// assert_eq!((ledger.header().plan, ledger.header().engine), (plan.id(), Engine::Rows));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The name of the plan.
    pub plan: PlanId,
    /// What is counted.
    pub problem: Problem,
    /// What counts it.
    pub engine: Engine,
    /// How many blocks the whole plan has.
    pub blocks: usize,
    /// Which of them are recorded here.
    pub shard: Shard,
    /// By which route they are counted.
    pub route: Route,
    /// The version of the program that began the ledger.
    pub version: String,
}

impl Header {
    /// The first line of a run of this plan by this program.
    pub(super) fn new(plan: &Plan, shard: Shard, route: Route) -> Self {
        Header {
            plan: plan.id(),
            problem: plan.problem().clone(),
            engine: plan.engine(),
            blocks: plan.blocks().len(),
            shard,
            route,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Whether both are about the same blocks, counted by the same route.
    pub(super) fn is_same_run(&self, other: &Header) -> bool {
        self.plan == other.plan && self.shard == other.shard && self.route == other.route
    }

    /// Whether both say the same of the plan that they name. The order in which squares
    /// are required or forbidden does not matter.
    pub(super) fn is_same_plan(&self, other: &Header) -> bool {
        let meaning = |header: &Header| {
            let problem = &header.problem;
            (header.engine, header.blocks, problem.n(), problem.allowed())
        };
        self.plan == other.plan && meaning(self) == meaning(other)
    }
}

/// What distinguishes one run from another, for messages.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plan, n, engine) = (self.plan, self.problem.n(), self.engine);
        write!(f, "plan {plan} (n = {n}, engine {engine}")?;
        if self.problem.is_restricted() {
            f.write_str(", a restricted board")?;
        }
        if self.shard != Shard::WHOLE {
            write!(f, ", {}", self.shard)?;
        }
        if self.route != Route::Direct {
            write!(f, ", the double-check")?;
        }
        f.write_str(")")
    }
}

/// The header as it is written. Fields that would say the usual are left out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine {
    format: u32,
    plan: String,
    n: u32,
    engine: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    require: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forbid: Vec<(u32, u32)>,
    blocks: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    route: Option<String>,
    version: String,
}

/// What a program must be able to read of any format.
#[derive(Deserialize)]
struct FormatLine {
    format: u32,
    #[serde(default)]
    version: String,
}

/// Why a header is refused.
pub(super) enum Refusal {
    /// It is not as it was written.
    Damaged(String),
    /// It may well be, but another program wrote it.
    Foreign(String),
}

impl HeaderLine {
    /// Reads a line that the chain found sound.
    pub(super) fn read(object: &str) -> Result<Header, Refusal> {
        let FormatLine { format, version } = chain::read(object).map_err(Refusal::Damaged)?;
        if format != FORMAT_VERSION {
            return Err(Refusal::Foreign(format!(
                "it has format {format}, and this program knows format {FORMAT_VERSION}; use queens {version}, which wrote it, or name another file"
            )));
        }
        let line: HeaderLine = chain::read(object).map_err(Refusal::Damaged)?;
        line.header()
    }

    fn header(self) -> Result<Header, Refusal> {
        let damaged = |error: Error| Refusal::Damaged(error.to_string());
        let square = |&(row, column): &(u32, u32)| {
            Square::in_row(row, column, self.n).ok_or_else(|| {
                Refusal::Damaged(format!("a board of side {} has no row {row}", self.n))
            })
        };
        let mut problem = Problem::new(self.n).map_err(damaged)?;
        for required in self.require.iter().map(square) {
            problem = problem.require(required?).map_err(damaged)?;
        }
        for forbidden in self.forbid.iter().map(square) {
            problem = problem.forbid(forbidden?).map_err(damaged)?;
        }
        let shard = match (self.shard, self.of) {
            (None, None) => Shard::WHOLE,
            (Some(index), Some(of)) => Shard::new(index, of).map_err(damaged)?,
            _ => return Err(Refusal::Damaged("it names half a shard".into())),
        };
        let route = match &self.route {
            None => Route::Direct,
            Some(name) => name.parse().map_err(damaged)?,
        };
        Ok(Header {
            plan: self.plan.parse().map_err(damaged)?,
            problem,
            engine: self.engine.parse().map_err(|_| {
                Refusal::Foreign(format!(
                    "it is counted by the engine \"{}\", which this program does not have; use queens {}, which wrote it",
                    self.engine, self.version
                ))
            })?,
            blocks: self.blocks,
            shard,
            route,
            version: self.version,
        })
    }
}

impl From<&Header> for HeaderLine {
    fn from(header: &Header) -> Self {
        let n = header.problem.n();
        let row_and_column = |square: &Square| Some((square.row(n)?, square.file()));
        let squares = |squares: &[Square]| squares.iter().filter_map(row_and_column).collect();
        let shard = (header.shard != Shard::WHOLE).then_some(header.shard);
        HeaderLine {
            format: FORMAT_VERSION,
            plan: header.plan.to_string(),
            n,
            engine: header.engine.name().to_owned(),
            require: squares(header.problem.required()),
            forbid: squares(header.problem.forbidden()),
            blocks: header.blocks,
            shard: shard.map(Shard::index),
            of: shard.map(Shard::of),
            route: (header.route != Route::Direct).then(|| header.route.name().to_owned()),
            version: header.version.clone(),
        }
    }
}
