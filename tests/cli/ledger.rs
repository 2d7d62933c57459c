//! `queens ledger`: what it shows, adds up and refuses.

use std::{fs, path::Path};

use queens::{
    FinishedBlock, Observer, Route,
    plan::{Plan, Shard},
};
use serde_json::Value;
use tempfile::TempDir;

#[cfg(unix)]
use super::program::clean;
use super::program::{COUNTED, N, Ran, object, queens_in, recorder};

struct Desk {
    folder: TempDir,
    plan: &'static Plan,
    blocks: &'static [FinishedBlock],
}

impl Desk {
    fn new() -> Desk {
        let (plan, blocks) = &*COUNTED;
        Desk {
            folder: tempfile::tempdir().unwrap(),
            plan,
            blocks,
        }
    }

    /// Writes a ledger of these blocks, each with this much added to its count.
    fn write(&self, name: &str, blocks: impl IntoIterator<Item = usize>, more: u128) {
        let path = self.folder.path().join(name);
        let recorder = recorder(&path, Shard::WHOLE, Route::Direct);
        for index in blocks {
            let mut block = self.blocks[index].clone();
            block.count += more;
            recorder.finished(&block).unwrap();
        }
    }

    fn ledger(&self, line: &str) -> Ran {
        queens_in(self.folder.path(), &format!("ledger {line}"))
    }

    fn show(&self, name: &str) -> Value {
        object(&self.ledger(&format!("show {name} --json")).stdout)
    }

    fn path(&self, name: &str) -> impl AsRef<Path> {
        self.folder.path().join(name)
    }
}

#[test]
fn show_tells_what_is_there_what_is_missing_and_what_is_wrong() {
    let desk = Desk::new();
    let all = desk.plan.blocks().len();
    desk.write("some.jsonl", [1, 2], 0);
    let text = desk.ledger("show some.jsonl").ok();
    let expected = [
        format!("n = {N}, engine rows"),
        format!("2 of {all} blocks"),
        format!("0,3-{}", all - 1),
        "problems  none".to_owned(),
    ];
    for words in expected {
        assert!(text.contains(&words), "{words}: {text}");
    }
    let shown = desk.show("some.jsonl");
    let partial = desk.blocks[1].count + desk.blocks[2].count;
    assert_eq!(shown["total"], partial.to_string());
    assert_eq!(shown["complete"], false);
    assert_eq!(shown["plan"], desk.plan.id().to_string());

    desk.write("none.jsonl", [], 0);
    let text = desk.ledger("show none.jsonl").ok();
    assert!(text.contains("blocks, 0.0 % of"), "{text}");

    // A torn line is a remark; damage is shown after what can be read, and fails.
    let whole = fs::read(desk.path("some.jsonl")).unwrap();
    fs::write(desk.path("torn.jsonl"), &whole[..whole.len() - 9]).unwrap();
    let shown = desk.show("torn.jsonl");
    assert_eq!(
        (
            &shown["recorded"],
            shown["problems"].as_array().unwrap().len()
        ),
        (&1.into(), 1)
    );
    let mut damaged = whole.clone();
    damaged[whole.len() - 9] ^= 1;
    fs::write(desk.path("damaged.jsonl"), &damaged).unwrap();
    let ran = desk.ledger("show damaged.jsonl");
    assert_eq!(ran.code, Some(13));
    assert!(
        ran.stdout.contains(&format!("1 of {all} blocks")),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("damaged.jsonl, line 3"), "{ran:?}");
    desk.ledger("show nothing.jsonl")
        .refused(1, &["nothing.jsonl"]);
}

/// These lines with the checks (FNV-1a) that they should have.
pub fn sealed(lines: &[String]) -> String {
    let (mut file, mut check) = (String::new(), String::new());
    for line in lines {
        let text = line.strip_suffix('}').unwrap();
        let bytes = check.bytes().chain(text.bytes());
        let sum = bytes.fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        check = format!("{sum:016x}");
        file += &format!("{text},\"check\":\"{check}\"}}\n");
    }
    file
}

#[test]
fn a_forged_line_with_a_right_check_is_damage_all_the_same() {
    let desk = Desk::new();
    desk.write("true.jsonl", 0..3, 0);
    let text = fs::read_to_string(desk.path("true.jsonl")).unwrap();
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.split(",\"check\"").next().unwrap().to_owned() + "}")
        .collect();
    assert_eq!(sealed(&lines), text);
    let forged = |from: &str, to: &str| {
        let lines: Vec<String> = lines.iter().map(|line| line.replace(from, to)).collect();
        fs::write(desk.path("forged.jsonl"), sealed(&lines)).unwrap();
        assert_ne!(sealed(&lines), text);
    };
    // Another engine under the name of the plan.
    forged("\"rows\"", "\"colours\"");
    for line in ["show forged.jsonl", "merge true.jsonl forged.jsonl"] {
        assert!(matches!(desk.ledger(line).code, Some(12 | 13)), "{line}");
    }
    // More solutions than a board can have: the sum would not even fit its type.
    let count = format!("\"count\":\"{}\"", desk.blocks[1].count);
    forged(&count, &format!("\"count\":\"{}\"", u128::MAX - 1));
    for line in ["show forged.jsonl", "merge forged.jsonl true.jsonl"] {
        let ran = desk.ledger(line);
        assert_eq!(ran.code, Some(13), "{line}: {ran:?}");
        assert!(ran.stderr.contains("forged.jsonl, line 3"), "{ran:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_a_device_and_a_folder_are_refused_at_once() {
    let desk = Desk::new();
    desk.write("true.jsonl", 0..3, 0);
    let pipe = desk.folder.path().join("pipe");
    assert!(clean("mkfifo").arg(&pipe).status().unwrap().success());
    for name in ["pipe", "/dev/full", "/dev/zero", "/dev/null", "."] {
        for command in ["show", "merge", "merge true.jsonl"] {
            let ran = desk.ledger(&format!("{command} {name}"));
            ran.refused(1, &[name, "cannot read", "it is "]);
        }
    }
}

#[test]
fn merge_adds_up_one_plan_and_refuses_gaps_contradictions_and_others() {
    let desk = Desk::new();
    let all = desk.plan.blocks().len();
    desk.write("a.jsonl", 0..3, 0);
    desk.write("b.jsonl", 2..all, 0);
    desk.write("gap.jsonl", 4..all, 0);
    desk.write("wrong.jsonl", [2], 1);
    let total: u128 = desk.blocks.iter().map(|block| block.count).sum();
    assert_eq!(
        desk.ledger("merge a.jsonl b.jsonl").ok(),
        format!("{total}\n")
    );
    let object = desk.ledger("merge b.jsonl a.jsonl a.jsonl --json").json();
    assert_eq!(object["count"], total.to_string());
    assert_eq!(
        (&object["known"], &object["files"]),
        (&"match".into(), &3.into())
    );

    let words = format!("1 of {all} blocks is missing: 3");
    desk.ledger("merge a.jsonl gap.jsonl")
        .refused(10, &[&words]);
    desk.ledger("merge a.jsonl wrong.jsonl")
        .refused(11, &["block 2", "a.jsonl", "wrong.jsonl"]);
    // One wrong block, and nothing to contradict it but the published value.
    desk.write("rest.jsonl", (0..all).filter(|&block| block != 2), 0);
    let ran = desk.ledger("merge rest.jsonl wrong.jsonl");
    assert_eq!(ran.code, Some(3), "{ran:?}");

    let other = "count 10 --engine rows --checkpoint ten.jsonl";
    queens_in(desk.folder.path(), other).ok();
    desk.ledger("merge a.jsonl ten.jsonl")
        .refused(12, &["ten.jsonl", "n = 10"]);
    fs::write(desk.path("notes.txt"), "not a ledger\n").unwrap();
    desk.ledger("merge a.jsonl notes.txt")
        .refused(13, &["notes.txt, line 1"]);
    assert_eq!(desk.ledger("merge").code, Some(2));
}
