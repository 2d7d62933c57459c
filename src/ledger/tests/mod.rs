//! A ledger of a small board, written, damaged in every way, and read again. Here is what
//! the tests share, and what they say of sound ledgers.

mod damage;
mod shards;

use std::{fs, path::PathBuf, sync::LazyLock, time::Duration};

use proptest::prelude::*;

use super::{block::BlockLine, header::HeaderLine, *};
use crate::{
    board::{Problem, Square},
    count::{
        DoubleCheck, FinishedBlock, Observer, Runner,
        plan::{PlanId, Shard},
    },
    engine::{Cpu, Engine, Route, Search, TaskGroup, Worker},
    threads::Cancel,
};

/// A board of few tasks, and its solutions.
const N: u32 = 6;
const TOTAL: u128 = 4;

/// A search each of whose tasks costs enough to be a block of its own.
struct OneTaskBlocks(Box<dyn Search>);

impl Search for OneTaskBlocks {
    fn groups(&self) -> Box<dyn Iterator<Item = TaskGroup> + '_> {
        let runs = self.0.groups().flat_map(|run| 0..run.tasks);
        Box::new(runs.map(|_| TaskGroup {
            tasks: 1,
            cost: u64::from(u32::MAX),
        }))
    }
    fn worker(&self, cpu: Cpu, route: Route) -> Box<dyn Worker + '_> {
        self.0.worker(cpu, route)
    }
    fn routes(&self) -> &'static [Route] {
        self.0.routes()
    }
    fn describe(&self, task: u64) -> String {
        self.0.describe(task)
    }
}

fn plan_of_blocks(n: u32) -> Plan {
    let problem = Problem::new(n).unwrap();
    let search = Engine::Rows.search(&problem);
    let search = Box::new(OneTaskBlocks(search));
    Plan::of_search(&problem, Engine::Rows, search, &Cancel::new()).unwrap()
}

static PLAN: LazyLock<Plan> = LazyLock::new(|| plan_of_blocks(N));

fn alone() -> Runner<'static> {
    Runner::new().threads(1)
}

/// Counts what a recorder lacks, and returns the total.
fn fill(recorder: &Recorder, runner: &Runner) -> Result<Option<u128>, Error> {
    let runner = runner.clone().observer(recorder);
    PLAN.run_blocks(&recorder.missing(), &runner)?;
    Ok(recorder.total())
}

/// Stops a run after this many blocks, as if interrupted.
struct Stop(std::sync::atomic::AtomicUsize, Cancel);

impl Observer for Stop {
    fn finished(&self, _: &FinishedBlock) -> Result<(), Error> {
        if self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            self.1.cancel();
        }
        Ok(())
    }
}

/// A folder in memory where there is one: thousands of small files can keep a disk busy
/// for minutes.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A folder with one file in it.
struct Desk {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Desk {
    fn new(contents: Option<&[u8]>) -> Desk {
        let folder = folder();
        let path = folder.path().join("run.jsonl");
        if let Some(contents) = contents {
            fs::write(&path, contents).unwrap();
        }
        Desk {
            _folder: folder,
            path,
        }
    }

    fn open(&self) -> Result<Recorder, Error> {
        Recorder::open(&self.path, &PLAN, Shard::WHOLE, Route::Direct)
    }

    fn finish(&self) -> Result<Option<u128>, Error> {
        fill(&self.open()?, &alone())
    }

    fn contents(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }
}

/// A complete ledger.
static COMPLETE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let desk = Desk::new(None);
    assert_eq!(desk.finish().unwrap(), Some(TOTAL));
    desk.contents()
});

static TRUTH: LazyLock<Ledger> =
    LazyLock::new(|| Ledger::parse("truth".as_ref(), &COMPLETE).unwrap());

/// How many blocks are read, all of which must be true ones.
fn true_blocks(found: &Ledger) -> usize {
    let blocks = found.blocks.len();
    assert_eq!(found.blocks, TRUTH.blocks[..blocks]);
    assert!(matches!(found.total(), None | Some(TOTAL)));
    blocks
}

/// Opens these contents as a checkpoint. A refusal must leave them as they are.
fn taken(desk: &Desk, contents: &[u8]) -> Option<usize> {
    fs::write(&desk.path, contents).unwrap();
    match desk.open() {
        Ok(recorder) => Some(true_blocks(recorder.found())),
        Err(error) => {
            assert!(
                matches!(error, Error::Damaged { .. } | Error::Foreign { .. }),
                "{error}"
            );
            assert_eq!(desk.contents(), contents, "changed after: {error}");
            None
        }
    }
}

#[test]
fn a_run_is_recorded_and_answered_from_its_record() {
    let ledger = Ledger::parse("x".as_ref(), &COMPLETE).unwrap();
    assert_eq!(
        ledger.header,
        Header::new(&PLAN, Shard::WHOLE, Route::Direct)
    );
    assert_eq!(ledger.blocks.len(), PLAN.blocks().len());
    assert_eq!((ledger.sum(), ledger.total()), (TOTAL, Some(TOTAL)));
    let desk = Desk::new(Some(&COMPLETE));
    // No block is left to count: a search that is cancelled from the start suffices.
    let cancel = Cancel::new();
    cancel.cancel();
    let total = fill(&desk.open().unwrap(), &alone().cancel(&cancel));
    assert_eq!(total, Ok(Some(TOTAL)));
    assert_eq!(desk.contents(), *COMPLETE);
}

#[test]
fn an_interrupted_run_is_resumed_without_counting_a_block_twice() {
    for stop in 1..PLAN.blocks().len() {
        let desk = Desk::new(None);
        let cancel = Cancel::new();
        let observer = Stop(stop.into(), cancel.clone());
        let recorder = desk.open().unwrap();
        let both = (&recorder, &observer);
        let stopped = alone().cancel(&cancel).observer(&both);
        let outcome = PLAN.run_blocks(&recorder.missing(), &stopped);
        assert_eq!(outcome.unwrap_err(), Error::Interrupted);
        drop(recorder);
        assert_eq!(Ledger::read(&desk.path).unwrap().blocks.len(), stop);
        let total = fill(&desk.open().unwrap(), &alone().threads(3));
        assert_eq!(total, Ok(Some(TOTAL)));
        // The reader refuses a block that is recorded twice.
        assert_eq!(Ledger::read(&desk.path).unwrap().total(), Some(TOTAL));
    }
}

#[test]
fn a_second_recorder_is_refused_while_the_first_lives() {
    let desk = Desk::new(None);
    let first = desk.open().unwrap();
    assert!(matches!(desk.open(), Err(Error::InUse(_))));
    drop(first);
    assert!(desk.open().is_ok());
}

#[test]
fn a_recorder_takes_each_block_of_its_own_plan_once() {
    let desk = Desk::new(None);
    let recorder = desk.open().unwrap();
    let heard = |observer: &dyn Observer, plan: &Plan, blocks: &[usize], route| {
        plan.run_blocks(blocks, &alone().route(route).observer(observer))
    };
    heard(&recorder, &PLAN, &[1], Route::Direct).unwrap();
    let before = desk.contents();
    let other = plan_of_blocks(N + 1);
    for refused in [
        heard(&recorder, &PLAN, &[1], Route::Direct),
        heard(&recorder, &PLAN, &[2], Route::Image),
        heard(&recorder, &other, &[2], Route::Direct),
    ] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Foreign { .. }), "{refused}");
        assert_eq!(desk.contents(), before);
    }
    // 6 queens have no more than 6! = 720 placements.
    let more = recorder.finished(&FinishedBlock {
        index: 2,
        block: PLAN.blocks()[2],
        plan: PLAN.id(),
        route: Route::Direct,
        count: 721,
        elapsed: Duration::ZERO,
        progress: 0.5,
    });
    assert!(matches!(more, Err(Error::Overflow(_))), "{more:?}");
    assert_eq!(desk.contents(), before);
}

#[test]
fn a_restricted_board_is_another_plan_and_is_found_again_from_its_header() {
    let square = Square::new(0, N - 1);
    let problem = Problem::new(N).unwrap().require(square).unwrap();
    let plan = Plan::new(&problem, Engine::Rows).unwrap();
    let desk = Desk::new(None);
    let recorder = Recorder::open(&desk.path, &plan, Shard::WHOLE, Route::Direct).unwrap();
    plan.run(&alone().observer(&recorder)).unwrap();
    assert_eq!(recorder.total(), Some(0));
    let ledger = Ledger::read(&desk.path).unwrap();
    assert_eq!(ledger.plan().unwrap().id(), plan.id());
    assert!(matches!(
        desk.open(),
        Err(Error::Foreign { .. } | Error::InUse(_))
    ));
}

#[test]
fn boards_that_differ_have_plans_of_different_names() {
    let plan = |problem: &Problem| Plan::new(problem, Engine::Rows).unwrap();
    let boards = (0..13).map(|n| Problem::new(n).unwrap());
    // Alike in everything but the place of one square, up to a mirror.
    let corners = [0, N - 1].map(|column| {
        let square = Square::new(column, N - 1);
        Problem::new(N).unwrap().forbid(square).unwrap()
    });
    let [one, other] = corners.each_ref().map(plan);
    assert_eq!(one.tasks(), other.tasks());
    let plans: Vec<Plan> = boards.chain(corners).map(|board| plan(&board)).collect();
    let names: HashSet<PlanId> = plans.iter().map(Plan::id).collect();
    assert_eq!(names.len(), plans.len());
}

/// Ledgers of shards, which the merge must recognise as parts of `PLAN`.
fn shards(of: u32) -> Vec<Ledger> {
    (0..of)
        .map(|index| {
            let desk = Desk::new(None);
            let shard = Shard::new(index, of).unwrap();
            let recorder = Recorder::open(&desk.path, &PLAN, shard, Route::Direct).unwrap();
            fill(&recorder, &alone()).unwrap();
            drop(recorder);
            Ledger::read(&desk.path).unwrap()
        })
        .collect()
}

#[test]
fn shards_add_up_in_any_number_and_gaps_and_contradictions_are_refused() {
    let merge = |ledgers: &[Ledger]| merge::merge_with(plan_of_blocks(N), ledgers);
    let blocks = PLAN.blocks().len();
    for of in 1..=blocks as u32 + 1 {
        let mut shards = shards(of);
        assert_eq!(merge(&shards).unwrap().total().unwrap(), TOTAL);
        shards.push(shards[0].clone());
        assert_eq!(merge(&shards).unwrap().total().unwrap(), TOTAL);
    }
    let shards = shards(3);
    let gaps = merge(&shards[..2]).unwrap();
    let expected: Vec<usize> = (0..blocks).filter(|block| block % 3 == 2).collect();
    assert_eq!(gaps.missing(), expected);
    assert!(matches!(gaps.total(), Err(Error::Missing { .. })));

    let mut wrong = shards[1].clone();
    wrong.blocks[0].count += 1;
    for pair in [[&shards[1], &wrong], [&wrong, &shards[1]]] {
        let conflict = merge(&pair.map(Ledger::clone));
        assert!(matches!(conflict, Err(Error::Conflict { block: 1, .. })));
    }

    // Each may be right, but not both: 6 queens have no more than 6! = 720 placements.
    let [mut many, mut more] = [0, 1].map(|index: usize| shards[index].clone());
    many.blocks[0].count = 500;
    more.blocks[0].count = 500;
    let refused = merge(&[many, more]);
    assert!(matches!(refused, Err(Error::Damaged { line: 2, .. })));

    let mut longer = shards[1].clone();
    longer.blocks[0].tasks += 1;
    let refused = merge(&[shards[0].clone(), longer]);
    assert!(matches!(refused, Err(Error::Damaged { line: 2, .. })));

    let mut foreign = shards[1].clone();
    foreign.header.plan = PlanId(0);
    let refused = merge(&[shards[0].clone(), foreign]).unwrap_err();
    assert!(matches!(refused, Error::Foreign { .. }));
    assert!(refused.to_string().ends_with("merge files of one plan"));
}

#[test]
fn a_double_check_is_a_second_ledger_and_does_not_record_what_it_rejects() {
    let (first, second) = (Desk::new(None), Desk::new(None));
    let run = first.open().unwrap();
    fill(&run, &alone()).unwrap();
    let image = || Recorder::open(&second.path, &PLAN, Shard::WHOLE, Route::Image).unwrap();

    let mut wrong = run.counts();
    *wrong.get_mut(&2).unwrap() += 1;
    let check = DoubleCheck::new(&PLAN, wrong);
    let checked = |check: &DoubleCheck| {
        let recorder = image();
        check.run_blocks(&recorder.missing(), &alone().observer(&recorder))?;
        Ok::<_, Error>(recorder.total())
    };
    let outcome = checked(&check);
    assert!(matches!(outcome, Err(Error::Mismatch { .. })));
    assert_eq!(Ledger::read(&second.path).unwrap().blocks.len(), 2);

    let check = DoubleCheck::new(&PLAN, run.counts());
    assert_eq!(checked(&check), Ok(Some(TOTAL)));
    assert_eq!(image().counts(), run.counts());
}

#[test]
fn recorded_blocks_of_a_double_check_are_compared_too() {
    let counts = |ledger: &Ledger| -> Vec<(usize, u128)> {
        let blocks = ledger.blocks().iter();
        blocks.map(|block| (block.index, block.count)).collect()
    };
    let check = DoubleCheck::new(&PLAN, counts(&TRUTH));
    assert_eq!(check.compare(counts(&TRUTH), &alone()), Ok(()));
    for wrong in 0..PLAN.blocks().len() {
        let mut other = TRUTH.clone();
        other.blocks[wrong].count += 1;
        let compared = check.compare(counts(&other), &alone());
        assert!(matches!(compared, Err(Error::Mismatch { .. })), "{wrong}");
    }
}
