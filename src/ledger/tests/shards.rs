//! A folder of shards, and all that workers may do to it and to each other.

use super::*;

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

    /// A closed ledger of a shard, each block with this much added, under any name.
    fn forge(&self, shard: Shard, more: u128, name: &str) {
        let path = self.folder.path().join(name);
        let part = Recorder::open(&path, &PLAN, shard, Route::Direct).unwrap();
        self.fill(&part, more);
    }

    /// A part with this many blocks of a shard, as a killed worker leaves it.
    fn leave(&self, shard: Shard, blocks: usize, name: &str) {
        let path = self.folder.path().join(name);
        let part = Recorder::open(&path, &PLAN, shard, Route::Direct).unwrap();
        PLAN.run_blocks(&part.missing()[..blocks], &alone().observer(&part))
            .unwrap();
    }

    /// The shard's result is disputed, for whoever asks, and the dispute is kept.
    #[track_caller]
    fn is_disputed(&self, shard: Shard) {
        let before = self.names();
        let claim = self.shards().claim(shard);
        assert!(matches!(claim, Err(Error::Conflict { .. })), "{claim:?}");
        let bad = self.shards().survey().unwrap().bad;
        assert!(matches!(bad[..], [(_, Error::Conflict { .. })]), "{bad:?}");
        assert_eq!(self.names(), before);
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
    assert!(other.found().blocks.is_empty(), "in use");
    drop((part, other));
    let again = rack.open(nth(2));
    assert_eq!(again.found().blocks.len(), 1);
    let path = again.found().path.clone();
    drop(again);
    assert_eq!(rack.shards().survey().unwrap().begun[0].blocks.len(), 1);

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
    let board = plan_of_blocks(N + 1);
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
            result.blocks.sort_by_key(|block| block.index);
            let counts = result.blocks.iter();
            let counts = counts.map(|block| (block.index, block.first, block.tasks, block.count));
            (result.header, counts.collect::<Vec<_>>())
        });
        results.collect::<Vec<_>>()
    };
    let one = record(1);
    for threads in 2..5 {
        assert_eq!(record(threads), one);
    }
}

#[test]
fn a_contradiction_is_found_whatever_its_number() {
    for number in [0, 1, 7, 4_000_000_000_u32] {
        let rack = Rack::new();
        rack.publish(nth(0), 0).unwrap();
        rack.forge(nth(0), 1, &format!("shard-0-of-3.conflict{number}"));
        rack.is_disputed(nth(0));
    }
}

#[test]
fn a_part_beside_a_result_must_agree_with_it() {
    let rack = Rack::new();
    rack.publish(nth(0), 0).unwrap();
    rack.forge(nth(0), 1, "shard-0-of-3.part5");
    rack.is_disputed(nth(0));

    // Also before it is closed.
    let path = rack.folder.path().join("shard-0-of-3.part5");
    let text = fs::read_to_string(&path).unwrap();
    let open: String = text.split_inclusive('\n').take(2).collect();
    fs::write(&path, open).unwrap();
    rack.is_disputed(nth(0));
}

#[test]
fn the_furthest_part_is_taken_up() {
    for (name, taken) in [(2, 2), (5, 5), (0, 1)] {
        let rack = Rack::new();
        rack.leave(nth(0), 0, "shard-0-of-3.part0");
        rack.leave(nth(0), 1, "shard-0-of-3.part1");
        if name > 0 {
            rack.leave(nth(0), 2, &format!("shard-0-of-3.part{name}"));
        }
        let part = rack.open(nth(0));
        let name = format!("shard-0-of-3.part{taken}");
        assert!(part.found().path().ends_with(name), "{part:?}");
        // The next worker has to be content with less, and the one after begins anew.
        let second = rack.open(nth(0));
        assert!(second.found().blocks().len() <= 1);
    }
}

#[test]
fn parts_are_removed_once_there_is_a_result() {
    let sound = ["shard-0-of-3.jsonl"];
    // The worker that publishes it removes them.
    let rack = Rack::new();
    for (number, blocks) in [(0, 1), (3, 2), (9, 0)] {
        rack.leave(nth(0), blocks, &format!("shard-0-of-3.part{number}"));
    }
    rack.publish(nth(0), 0).unwrap();
    assert_eq!(rack.names(), sound);
    // If that was killed, the next one does.
    rack.leave(nth(0), 1, "shard-0-of-3.part4");
    let (result, part) = (rack.shards().path(nth(0)), "shard-0-of-3.part1");
    fs::hard_link(result, rack.folder.path().join(part)).unwrap();
    assert!(matches!(rack.shards().claim(nth(0)), Ok(Claim::Done(_))));
    assert_eq!(rack.names(), sound);
    // Nobody removes what a living worker has open.
    let other = Recorder::open(&rack.folder.path().join(part), &PLAN, nth(0), Route::Direct);
    assert!(matches!(rack.shards().claim(nth(0)), Ok(Claim::Done(_))));
    assert_eq!(rack.names().len(), 2);
    drop(other);
}

#[test]
fn only_a_complete_part_is_published() {
    let rack = Rack::new();
    let part = rack.open(nth(0));
    PLAN.run_blocks(&part.missing()[1..], &alone().observer(&part))
        .unwrap();
    let refused = rack.shards().publish(part);
    assert!(matches!(refused, Err(Error::Damaged { .. })));
    assert_eq!(rack.names(), ["shard-0-of-3.part0"]);
    // So is what stands in the place of a result.
    rack.leave(nth(1), 1, "shard-1-of-3.jsonl");
    assert!(rack.shards().claim(nth(1)).is_err());
}
