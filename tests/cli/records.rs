//! `queens records`: the list, and the recount of a ledger with everything that it refuses.

use std::{fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};
use queens::{Observer, Route, known::QUEENS, plan::Shard};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{COUNTED, N, Ran, object, queens, queens_in, recorder};

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A ledger of the first blocks, where some have more or less than was counted.
    fn write(&self, name: &str, route: Route, blocks: usize, changes: &[(usize, i64)]) {
        let recorder = recorder(&self.path(name), Shard::WHOLE, route);
        for block in &COUNTED.1[..blocks] {
            let mut block = block.clone();
            block.route = route;
            for (_, more) in changes.iter().filter(|(index, _)| *index == block.index) {
                block.count = block.count.checked_add_signed((*more).into()).unwrap();
            }
            recorder.finished(&block).unwrap();
        }
        recorder.ended().unwrap();
    }

    /// A whole ledger.
    fn whole(&self, changes: &[(usize, i64)]) {
        self.write("run.jsonl", Route::Direct, COUNTED.1.len(), changes);
    }

    fn verify(&self, line: &str) -> Ran {
        queens_in(self.0.path(), &format!("records verify {line}"))
    }

    fn verified(&self, line: &str) -> Value {
        self.verify(&format!("run.jsonl --json {line}")).json()
    }
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn the_list_is_a_page_and_a_line_of_json_for_each() {
    assert!(!queens("records").ok().is_empty());
    for line in queens("records --json").ok().lines() {
        let record = object(line);
        let n = record["count"]["n"].as_u64().unwrap() as u32;
        let published = QUEENS.value(n).unwrap().to_string();
        assert_eq!(record["count"]["count"], published);
    }
    queens("records --json verify x").refused(2, &["--json"]);
}

#[test]
fn all_blocks_are_confirmed_if_there_is_time_and_one_if_there_is_none() {
    let desk = Desk::new();
    desk.whole(&[]);
    let all = COUNTED.1.len();
    let whole = desk.verified("--threads 2");
    assert_eq!((&whole["blocks"], &whole["of"]), (&all.into(), &all.into()));
    for name in ["cost_percent", "count_percent"] {
        assert_eq!(whole[name], 100.0);
    }
    assert_eq!(whole["verified"], format!("0-{}", all - 1));
    assert_eq!(whole["known"], "match");
    assert_eq!(
        desk.verified("--threads 1 --seconds 0.000000001")["blocks"],
        1
    );
    let said = desk.verify("run.jsonl --sample 100%").ok();
    let words = format!("{all} of {all} blocks, 100.00 % of the cost, 100.00 % of the count\n");
    assert!(said.ends_with(&words), "{said}");
}

#[test]
fn a_seed_draws_the_same_blocks_and_shards_are_the_whole() {
    let desk = Desk::new();
    desk.whole(&[]);
    let two = desk.verified("--sample 2 --seed 7");
    assert_eq!((&two["blocks"], &two["seed"]), (&2.into(), &7.into()));
    assert_eq!(
        desk.verified("--sample 2 --seed 7")["verified"],
        two["verified"]
    );
    let (mut blocks, mut count) = (0, 0.0);
    for shard in 0..3 {
        let part = desk.verified(&format!("--shard {shard}/3"));
        blocks += part["blocks"].as_u64().unwrap();
        count += part["count_percent"].as_f64().unwrap();
    }
    assert_eq!(blocks as usize, COUNTED.1.len());
    // Each is rounded down.
    assert!((99.9..=100.001).contains(&count), "{count}");
    desk.verify("run.jsonl --shard 3/3")
        .refused(2, &["\"3/3\""]);
    desk.verify("run.jsonl --shard 0/1000")
        .refused(2, &["1000 shards", &COUNTED.1.len().to_string()]);
    desk.verify("run.jsonl --sample 0").refused(2, &["\"0\""]);
}

#[test]
fn a_forged_count_is_noticed() {
    let desk = Desk::new();
    // The total is right, and so is every check of a line.
    desk.whole(&[(2, 8), (3, -8)]);
    let words = ["run.jsonl is not verified", "block ", "by image"];
    desk.verify("run.jsonl --sample 100%").refused(3, &words);
    // Elsewhere nothing is wrong: such a sample confirms what it has counted and no more.
    let all = COUNTED.1.len();
    desk.verify(&format!("run.jsonl --shard 0/{all}")).ok();

    let desk = Desk::new();
    desk.whole(&[(2, 8)]);
    let ran = desk.verify(&format!("run.jsonl --shard 0/{all}"));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("OEIS A000170 says"), "{ran:?}");
}

#[test]
fn a_compressed_ledger_is_read_like_any_other() {
    let desk = Desk::new();
    desk.whole(&[]);
    let text = fs::read(desk.path("run.jsonl")).unwrap();
    fs::write(desk.path("kept.gz"), packed(&text)).unwrap();
    desk.verify("kept.gz --sample 1").ok();
    let ledger = |line: &str| queens_in(desk.0.path(), &format!("ledger {line}"));
    let total = QUEENS.value(N).unwrap().to_string();
    assert_eq!(ledger("merge kept.gz run.jsonl").ok().trim_end(), total);
    let shown = |name: &str| ledger(&format!("show {name}")).ok();
    assert_eq!(shown("kept.gz"), shown("run.jsonl"));
    let threads = |name: &str| ledger(&format!("threads {name}")).ok();
    assert_eq!(threads("kept.gz"), threads("run.jsonl"));

    // Damage below the compression is found, too, and what is above it is shown.
    let mut damaged = text.clone();
    damaged[text.len() - 9] ^= 1;
    fs::write(desk.path("damaged.gz"), packed(&damaged)).unwrap();
    let words = ["damaged.gz, line", "its check is"];
    desk.verify("damaged.gz").refused(13, &words);
    assert!(ledger("show damaged.gz").stdout.contains("problems"));
}

#[test]
fn what_is_no_ledger_of_a_complete_count_is_refused_in_a_sentence() {
    let desk = Desk::new();
    desk.whole(&[]);
    let text = fs::read(desk.path("run.jsonl")).unwrap();
    let whole = packed(&text);
    let put = |name: &str, bytes: &[u8]| fs::write(desk.path(name), bytes).unwrap();
    put("torn.gz", &whole[..whole.len() / 2]);
    put("bare.gz", &whole[..2]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    put("flipped.gz", &flipped);
    put("text.gz", &packed(b"solutions\n"));
    put("nothing.gz", &packed(b""));
    for (name, word) in [
        ("torn.gz", "not a whole gzip file"),
        ("bare.gz", "not a whole gzip file"),
        ("flipped.gz", "not a whole gzip file"),
        ("text.gz", "does not end with a check"),
        ("nothing.gz", "no whole line"),
    ] {
        desk.verify(name).refused(13, &[name, word]);
    }

    // Without its last line; without some blocks; a check of another ledger.
    put("open.jsonl", &text[..text.len() - 1]);
    let all = COUNTED.1.len();
    let words = [&*format!("{all} of {all} blocks"), "open.jsonl", "resume"];
    desk.verify("open.jsonl").refused(10, &words);
    desk.write("some.jsonl", Route::Direct, 2, &[]);
    let words = [&*format!("2 of {all} blocks"), "some.jsonl"];
    desk.verify("some.jsonl").refused(10, &words);
    desk.write("run.jsonl.check", Route::Image, all, &[]);
    desk.verify("run.jsonl.check")
        .refused(12, &["run.jsonl.check", "double-check"]);

    desk.verify("none.gz").refused(1, &["none.gz"]);
    desk.verify(".").refused(1, &["it is a folder"]);
    desk.verify("").refused(2, &["FILE"]);
}

#[test]
fn a_ledger_of_another_format_or_plan_is_refused() {
    let desk = Desk::new();
    desk.whole(&[]);
    let text = fs::read_to_string(desk.path("run.jsonl")).unwrap();
    let id = COUNTED.0.id().to_string();
    for (from, to) in [("\"format\":3", "\"format\":2"), (&*id, "0123456789abcdef")] {
        let lines = text.lines().map(|line| {
            let (line, _) = line.split_once(",\"check\"").unwrap();
            line.replace(from, to) + "}"
        });
        let forged = super::ledger::sealed(&lines.collect::<Vec<_>>());
        fs::write(desk.path("other.gz"), packed(forged.as_bytes())).unwrap();
        desk.verify("other.gz").refused(12, &["other.gz"]);
    }
}

#[test]
fn an_interruption_says_how_much_was_verified() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    // Blocks of one task each would take a second or so again, and the limit far less.
    let n = if cfg!(debug_assertions) { 15 } else { 16 };
    let made = queens(&format!(
        "count {n} --engine rows --checkpoint {}",
        file.display()
    ));
    assert_eq!(made.code, Some(0), "{made:?}");
    let again = "--threads 1 --sample 100% --time-limit 0.1";
    let ran = queens(&format!("records verify {} {again}", file.display()));
    ran.refused(130, &["time limit of 0.1", "verified; begin again with: "]);
}
