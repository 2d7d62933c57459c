//! A ledger of a small board, written, damaged in every way, and read again.

use std::{fs, path::PathBuf, sync::LazyLock};

use proptest::prelude::*;

use super::*;
use crate::{
    count::{DoubleCheck, FinishedBlock, Observer, Runner},
    engine::{Cpu, Run, Search, Worker},
    threads::Cancel,
};

/// A board of few tasks, and its solutions.
const N: u32 = 6;
const TOTAL: u128 = 4;

/// A search whose every task is dear enough to be a block of its own.
struct Dear(Box<dyn Search>);

impl Search for Dear {
    fn runs(&self) -> Box<dyn Iterator<Item = Run> + '_> {
        let runs = self.0.runs().flat_map(|run| 0..run.tasks);
        Box::new(runs.map(|_| Run {
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

fn dear_plan(n: u32) -> Plan {
    let problem = Problem::new(n).unwrap();
    let search = Engine::Rows.search(&problem).unwrap();
    let search = Box::new(Dear(search));
    Plan::of_search(&problem, Engine::Rows, search, &Cancel::new()).unwrap()
}

static PLAN: LazyLock<Plan> = LazyLock::new(|| dear_plan(N));

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

/// How many entries are read, all of which must be true ones.
fn true_entries(found: &Ledger) -> usize {
    let entries = found.entries.len();
    assert_eq!(found.entries, TRUTH.entries[..entries]);
    assert!(matches!(found.total, None | Some(TOTAL)));
    entries
}

/// Opens these contents as a checkpoint. A refusal must leave them as they are.
fn taken(desk: &Desk, contents: &[u8]) -> Option<usize> {
    fs::write(&desk.path, contents).unwrap();
    match desk.open() {
        Ok(recorder) => Some(true_entries(recorder.found())),
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
    assert_eq!(ledger.entries.len(), PLAN.blocks().len());
    assert_eq!((ledger.sum().unwrap(), ledger.total), (TOTAL, Some(TOTAL)));
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
        assert_eq!(Ledger::read(&desk.path).unwrap().entries.len(), stop);
        let total = fill(&desk.open().unwrap(), &alone().threads(3));
        assert_eq!(total, Ok(Some(TOTAL)));
        // The reader refuses a block that is recorded twice.
        assert_eq!(Ledger::read(&desk.path).unwrap().total, Some(TOTAL));
    }
}

#[test]
fn a_cut_at_any_length_loses_no_whole_line_and_no_total() {
    let desk = Desk::new(None);
    for length in 0..COMPLETE.len() {
        let cut = &COMPLETE[..length];
        let lines = cut.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(taken(&desk, cut), Some(lines.saturating_sub(1)), "{length}");
        // Every finish syncs to the disk: one for each way to tear a line will do.
        if !COMPLETE[length.saturating_sub(2)..=length].contains(&b'\n') {
            continue;
        }
        fs::write(&desk.path, cut).unwrap();
        assert_eq!(desk.finish().unwrap(), Some(TOTAL), "{length}");
        let ledger = Ledger::read(&desk.path).unwrap();
        assert_eq!(ledger.total, Some(TOTAL));
        assert_eq!(ledger.entries.len(), TRUTH.entries.len());
    }
}

#[test]
fn any_changed_byte_is_refused_unless_it_only_tears_the_last_line() {
    let last = COMPLETE.len() - 1;
    let desk = Desk::new(None);
    for place in 0..COMPLETE.len() {
        let expected = (place == last).then_some(TRUTH.entries.len());
        let mut changed = COMPLETE.clone();
        let flips = (0..8).map(|bit| COMPLETE[place] ^ (1 << bit));
        let newline = (COMPLETE[place] != b'\n').then_some(b'\n');
        for byte in flips.chain(newline) {
            changed[place] = byte;
            let read = Ledger::parse("changed".as_ref(), &changed);
            assert_eq!(
                read.ok().as_ref().map(true_entries),
                expected,
                "{place} {byte}"
            );
        }
        changed[place] = COMPLETE[place] ^ 1;
        assert_eq!(taken(&desk, &changed), expected, "{place}");
    }
}

#[test]
fn a_message_names_the_file_the_line_and_a_way_out() {
    let mut changed = COMPLETE.clone();
    let third = changed
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .nth(1)
        .unwrap()
        .0
        + 5;
    changed[third] ^= 1;
    let error = Ledger::parse("run.jsonl".as_ref(), &changed).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("run.jsonl, line 3: its check is"),
        "{message}"
    );
    assert!(
        message.ends_with("first 2 lines are sound; copy them to a new file and resume from that"),
        "{message}"
    );
}

#[test]
fn somebody_elses_file_is_never_overwritten() {
    for contents in [
        "my notes",
        "my notes\n",
        "{}\n",
        "{\"format\":2",
        "\n",
        "\0\0",
    ] {
        let desk = Desk::new(None);
        assert_eq!(taken(&desk, contents.as_bytes()), None, "{contents:?}");
    }
}

#[test]
fn a_line_with_a_right_check_and_a_wrong_meaning_is_refused() {
    let header = Header::new(&PLAN, Shard::WHOLE, Route::Direct);
    let block = PLAN.blocks()[1];
    let entry = |block: usize, first: u64, tasks: u64, count: &str, seconds: f64| serde_json::json!({"block": block, "first": first, "tasks": tasks, "count": count, "seconds": seconds});
    let right = entry(1, block.first, block.tasks, "1", 0.5);
    let closing = serde_json::json!({"total": "1", "blocks": 1});
    let cases = [
        vec![entry(99, block.first, block.tasks, "1", 0.5)],
        vec![entry(1, block.first + 1, block.tasks, "1", 0.5)],
        vec![entry(1, block.first, block.tasks + 1, "1", 0.5)],
        vec![entry(1, block.first, block.tasks, "-1", 0.5)],
        vec![entry(1, block.first, block.tasks, "+1", 0.5)],
        vec![entry(1, block.first, block.tasks, "01", 0.5)],
        vec![entry(1, block.first, block.tasks, "1", -0.5)],
        vec![entry(
            1,
            block.first,
            block.tasks,
            &format!("{}0", u128::MAX),
            0.5,
        )],
        vec![right.clone(), right.clone()],
        vec![right.clone(), closing],
        vec![serde_json::json!({"block": 1})],
        vec![serde_json::json!([])],
    ];
    let file = |lines: &[serde_json::Value]| {
        let mut chain = Chain::default();
        let mut text = chain.seal(&HeaderLine::from(&header)).unwrap();
        for line in lines {
            text += &chain.seal(line).unwrap();
        }
        Desk::new(Some(text.as_bytes()))
    };
    assert_eq!(file(&[right]).open().unwrap().found().entries.len(), 1);
    for lines in cases {
        let refused = file(&lines).open();
        assert!(matches!(refused, Err(Error::Damaged { .. })), "{lines:?}");
    }
}

#[test]
fn another_run_and_another_format_are_foreign() {
    let foreign = |desk: &Desk, expected: &str| {
        let before = desk.contents();
        let error = desk.open().unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(desk.contents(), before);
    };
    let record = |plan: &Plan, shard, route| {
        let desk = Desk::new(None);
        drop(Recorder::open(&desk.path, plan, shard, route).unwrap());
        desk
    };
    let shard = Shard::new(1, 2).unwrap();
    foreign(&record(&dear_plan(9), Shard::WHOLE, Route::Direct), "n = 9");
    foreign(&record(&PLAN, shard, Route::Direct), "shard 1 of 2");
    foreign(&record(&PLAN, Shard::WHOLE, Route::Image), "double-check");

    let altered = |field: &str, value: serde_json::Value| {
        let header = Header::new(&PLAN, Shard::WHOLE, Route::Direct);
        let mut line = serde_json::to_value(HeaderLine::from(&header)).unwrap();
        line[field] = value;
        Desk::new(Some(Chain::default().seal(&line).unwrap().as_bytes()))
    };
    foreign(&altered("format", 2.into()), "format 2");
    foreign(&altered("engine", "columns".into()), "\"columns\"");
    foreign(
        &altered("plan", "0123456789abcdef".into()),
        "0123456789abcdef",
    );
    for (field, value) in [
        ("n", serde_json::json!(33)),
        ("n", serde_json::json!(7)),
        ("blocks", serde_json::json!(1)),
        ("shard", serde_json::json!(0)),
        ("route", serde_json::json!("scenic")),
        ("colour", serde_json::json!("white")),
        ("plan", serde_json::json!("0x")),
        ("require", serde_json::json!([[9, 9]])),
    ] {
        let refused = altered(field, value).open();
        assert!(matches!(refused, Err(Error::Damaged { .. })), "{field}");
    }
    // The version that wrote it does not matter.
    assert!(altered("version", "0.0.1".into()).open().is_ok());
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
    let merge = |ledgers: &[Ledger]| merge::merge_with(dear_plan(N), ledgers);
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
    assert_eq!(gaps.missing, expected);
    assert!(matches!(gaps.total(), Err(Error::Missing { .. })));

    let mut wrong = shards[1].clone();
    wrong.entries[0].count += 1;
    let conflict = merge(&[shards[1].clone(), wrong]);
    assert!(matches!(conflict, Err(Error::Conflict { block: 1, .. })));

    let mut foreign = shards[1].clone();
    foreign.header.plan = PlanId(0);
    let refused = merge(&[shards[0].clone(), foreign]);
    assert!(matches!(refused, Err(Error::Foreign { .. })));
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
    assert_eq!(Ledger::read(&second.path).unwrap().entries.len(), 2);

    let check = DoubleCheck::new(&PLAN, run.counts());
    assert_eq!(checked(&check), Ok(Some(TOTAL)));
    assert_eq!(image().counts(), run.counts());
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Ledger::parse("x".as_ref(), &bytes);
    }

    #[test]
    fn any_header_and_entries_are_read_back(
        n in 0..=32u32,
        id in any::<u64>(),
        (index, of) in (0..100u32).prop_flat_map(|index| (Just(index), index + 1..200)),
        counts in prop::collection::vec((any::<u128>(), any::<u32>()), 0..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let header = Header {
            plan: PlanId(id),
            problem: Problem::new(n).unwrap(),
            engine: Engine::Rows,
            blocks: counts.len() * of as usize,
            shard: Shard::new(index, of).unwrap(),
            route: Route::Image,
            version: "9.9.9-rc.1 \"ü\"".into(),
        };
        let mut chain = Chain::default();
        let mut text = chain.seal(&HeaderLine::from(&header)).unwrap();
        let head = text.len();
        let mut entries = Vec::new();
        for (place, &(count, quarters)) in counts.iter().enumerate() {
            let seconds = f64::from(quarters) / 4.0;
            let block = index as usize + place * of as usize;
            let entry = Entry { block, first: 3, tasks: 4, count, seconds };
            text += &chain.seal(&EntryLine::from(&entry)).unwrap();
            entries.push(entry);
        }
        let ledger = Ledger::parse("x".as_ref(), text.as_bytes()).unwrap();
        prop_assert_eq!(&ledger.header, &header);
        prop_assert_eq!(&ledger.entries, &entries);

        let cut = head + cut.index(text.len() - head + 1);
        let ledger = Ledger::parse("x".as_ref(), &text.as_bytes()[..cut]).unwrap();
        prop_assert_eq!(&ledger.entries[..], &entries[..ledger.entries.len()]);
        prop_assert_eq!(ledger.torn > 0, !text[..cut].ends_with('\n'));
    }

    #[test]
    fn spliced_and_shuffled_lines_never_give_a_wrong_entry(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8), 1..4),
    ) {
        let mut lines: Vec<&[u8]> = COMPLETE.split_inclusive(|&byte| byte == b'\n').collect();
        for (one, other, edit) in edits {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            match edit {
                0 => lines.swap(one, other),
                1 => lines.insert(one, lines[other]),
                2 if lines.len() > 1 => drop(lines.remove(one)),
                _ => lines[one] = &lines[one][..lines[one].len() / 2],
            }
            if lines.is_empty() { break; }
        }
        taken(&Desk::new(None), &lines.concat());
    }
}

/// A folder of `OF` shards of `PLAN`.
struct Rack {
    folder: tempfile::TempDir,
}

/// Records blocks with this much added to their counts.
struct Forger<'a> {
    part: &'a Recorder,
    more: u128,
}

impl Observer for Forger<'_> {
    fn finished(&self, finished: &FinishedBlock) -> Result<(), Error> {
        let mut forged = finished.clone();
        forged.count += self.more;
        self.part.finished(&forged)
    }

    fn ended(&self) -> Result<(), Error> {
        self.part.ended()
    }
}

const OF: u32 = 3;

fn nth(index: u32) -> Shard {
    Shard::new(index, OF).unwrap()
}

impl Rack {
    fn new() -> Rack {
        let folder = folder();
        Rack { folder }
    }

    fn shards(&self) -> Shards<'static> {
        Shards::new(self.folder.path(), &PLAN, OF).unwrap()
    }

    fn open(&self, shard: Shard) -> Recorder {
        match self.shards().claim(shard).unwrap() {
            Claim::Open(part) => part,
            Claim::Done(result) => panic!("done: {result:?}"),
        }
    }

    /// Counts a shard, each block with this much added, and publishes it.
    fn publish(&self, shard: Shard, more: u128) -> Result<(), Error> {
        let part = self.open(shard);
        self.fill(&part, more);
        self.shards().publish(part)
    }

    /// Records all blocks of a part and closes it.
    fn fill(&self, part: &Recorder, more: u128) {
        let forger = Forger { part, more };
        PLAN.run_blocks(&part.missing(), &alone().observer(&forger))
            .unwrap();
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn two_workers_publishing_one_shard_at_the_same_moment_leave_one_valid_file() {
    for _ in 0..20 {
        let rack = Rack::new();
        let parts = [rack.open(nth(1)), rack.open(nth(1)), rack.open(nth(1))];
        let together = std::sync::Barrier::new(parts.len());
        std::thread::scope(|scope| {
            for part in parts {
                let (rack, together) = (&rack, &together);
                scope.spawn(move || {
                    fill(&part, &alone()).unwrap();
                    together.wait();
                    rack.shards().publish(part).unwrap();
                });
            }
        });
        assert_eq!(rack.names(), ["shard-1-of-3.jsonl"]);
        assert!(matches!(rack.shards().claim(nth(1)), Ok(Claim::Done(_))));
    }
}

#[test]
fn equal_results_are_no_conflict_and_unequal_ones_are_kept_and_reported() {
    let rack = Rack::new();
    let [first, second, third] = [(); 3].map(|()| rack.open(nth(0)));
    rack.fill(&first, 0);
    rack.shards().publish(first).unwrap();
    let published = fs::read(rack.shards().path(nth(0))).unwrap();

    // The same counts in other times, as another machine would take.
    fill(&second, &alone()).unwrap();
    rack.shards().publish(second).unwrap();
    assert_eq!(rack.names(), ["shard-0-of-3.jsonl", "shard-0-of-3.part2"]);

    rack.fill(&third, 1);
    let conflict = rack.shards().publish(third).unwrap_err();
    assert!(matches!(conflict, Error::Conflict { .. }), "{conflict}");
    assert_eq!(
        rack.names(),
        ["shard-0-of-3.conflict0", "shard-0-of-3.jsonl"]
    );
    assert_eq!(fs::read(rack.shards().path(nth(0))).unwrap(), published);
    let claim = rack.shards().claim(nth(0));
    assert!(matches!(claim, Err(Error::Conflict { .. })));
    let survey = rack.shards().survey().unwrap();
    assert_eq!(survey.missing, [1, 2]);
    assert!(matches!(survey.bad[..], [(0, Error::Conflict { .. })]));
}

#[test]
fn what_a_worker_has_recorded_is_taken_up_unless_it_is_damaged_or_in_use() {
    let rack = Rack::new();
    let cancel = Cancel::new();
    let observer = Stop(1.into(), cancel.clone());
    let part = rack.open(nth(2));
    let both = (&part, &observer);
    let stopped = alone().cancel(&cancel).observer(&both);
    let outcome = PLAN.run_blocks(&part.missing(), &stopped);
    assert_eq!(outcome.unwrap_err(), Error::Interrupted);
    let other = rack.open(nth(2));
    assert!(other.found().entries.is_empty(), "in use");
    drop((part, other));
    let again = rack.open(nth(2));
    assert_eq!(again.found().entries.len(), 1);
    let path = again.found().path.clone();
    drop(again);
    assert_eq!(rack.shards().survey().unwrap().begun[0].entries.len(), 1);

    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(&path, &bytes).unwrap();
    rack.publish(nth(2), 0).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes, "left as it is");
}

#[test]
fn every_field_of_a_shard_file_altered_is_refused() {
    let rack = Rack::new();
    for index in 0..OF {
        rack.publish(nth(index), 0).unwrap();
    }
    let path = rack.shards().path(nth(1));
    let sound = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = sound.lines().collect();
    let object = |line: &str| -> serde_json::Map<String, serde_json::Value> {
        serde_json::from_str(line).unwrap()
    };
    let refused = |text: String| {
        fs::write(&path, text).unwrap();
        let survey = rack.shards().survey().unwrap();
        assert_eq!(survey.done.len() + survey.bad.len(), OF as usize);
        !survey.bad.is_empty()
    };
    assert!(!refused(sound.clone()));
    let mut altered_fields = 0;
    for (place, line) in lines.iter().enumerate() {
        for (field, value) in object(line) {
            let altered = match &value {
                serde_json::Value::String(text) => {
                    let last = text.chars().last().unwrap();
                    let other = if last == '1' { '2' } else { '1' };
                    format!("{}{other}", &text[..text.len() - last.len_utf8()]).into()
                }
                number if number.is_f64() => serde_json::json!(number.as_f64().unwrap() + 1.0),
                number => serde_json::json!(number.as_u64().unwrap() + 1),
            };
            // As a fault of the disk would leave it: the check is as it was.
            let (from, to) = (
                format!("\"{field}\":{value}"),
                format!("\"{field}\":{altered}"),
            );
            assert!(line.contains(&from), "{from} {line}");
            let mut changed: Vec<String> = lines.iter().map(ToString::to_string).collect();
            changed[place] = line.replace(&from, &to);
            assert!(refused(changed.join("\n") + "\n"), "{from}");
            altered_fields += 1;

            // As a program would write it: every check is right. Who wrote it and how
            // long it took does not bear on the count.
            if ["check", "version", "seconds"].contains(&&*field) {
                continue;
            }
            let mut chain = Chain::default();
            let resealed = lines.iter().enumerate().map(|(number, line)| {
                let text = if number == place {
                    line.replace(&from, &to)
                } else {
                    line.to_string()
                };
                let (text, _) = text.rsplit_once(",\"check\"").unwrap();
                chain.seal_text(text)
            });
            assert!(refused(resealed.collect()), "{from} with a right check");
        }
    }
    assert!(altered_fields >= 20);
    assert!(!refused(sound));
}

#[test]
fn shards_of_another_cut_or_of_another_board_are_foreign() {
    let rack = Rack::new();
    rack.publish(nth(0), 0).unwrap();
    let other = Shards::new(rack.folder.path(), &PLAN, 2).unwrap();
    assert!(matches!(other.survey(), Err(Error::Foreign { .. })));
    let board = dear_plan(N + 1);
    let other = Shards::new(rack.folder.path(), &board, OF).unwrap();
    assert!(matches!(other.claim(nth(0)), Err(Error::Foreign { .. })));
    assert!(matches!(
        other.survey().unwrap().bad[..],
        [(0, Error::Foreign { .. })]
    ));

    let blocks = PLAN.blocks().len();
    for of in [0, blocks as u32 + 1] {
        let refused = Shards::new(rack.folder.path(), &PLAN, of);
        assert!(matches!(refused, Err(Error::ShardCount { .. })));
    }
}

#[test]
fn plan_and_shards_are_the_same_on_every_number_of_threads() {
    let record = |threads: usize| {
        let rack = Rack::new();
        let results = (0..OF).map(|index| {
            let part = rack.open(nth(index));
            fill(&part, &alone().threads(threads)).unwrap();
            rack.shards().publish(part).unwrap();
            let mut result = Ledger::read(&rack.shards().path(nth(index))).unwrap();
            result.entries.sort_by_key(|entry| entry.block);
            let counts = result.entries.iter();
            let counts = counts.map(|entry| (entry.block, entry.first, entry.tasks, entry.count));
            (result.header, counts.collect::<Vec<_>>())
        });
        results.collect::<Vec<_>>()
    };
    let one = record(1);
    for threads in 2..5 {
        assert_eq!(record(threads), one);
    }
}
