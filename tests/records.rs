//! The records: how `scripts/record` makes one, and whether those of this project are what
//! their ledgers say.
#![cfg(all(unix, feature = "cli"))]

use std::{
    fs::{self, File},
    io::Read,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

use flate2::read::GzDecoder;
use queens::{
    Error,
    known::{FUNDAMENTAL, QUEENS},
    ledger::Ledger,
};
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_queens");

/// The records in this folder.
fn records(folder: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(folder.join("records.jsonl")).unwrap();
    let read = |line| serde_json::from_str(line).unwrap();
    lines.lines().map(read).collect()
}

/// The text of a kept ledger.
fn kept(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    GzDecoder::new(file).read_to_end(&mut text).unwrap();
    text
}

/// The SHA-256 sum, as anybody would ask for it.
fn sum(text: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let said = Command::new("sha256sum").arg(file.path()).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    said.split(' ').next().unwrap().to_owned()
}

/// What is wrong with a record: its counts, its check, or its ledger, if that is kept.
fn wrong(record: &Value, folder: &Path) -> Option<String> {
    let (count, check, ledger) = (&record["count"], &record["check"], &record["ledger"]);
    let n = count["n"].as_u64().unwrap() as u32;
    let differs = |what: &str, said: &Value, right: Value| {
        (*said != right).then(|| format!("n = {n}: {what} is {said}, not {right}"))
    };
    let published = QUEENS.value(n).unwrap().to_string();
    let fundamental = FUNDAMENTAL.value(n).unwrap().to_string();
    let mut found = vec![
        differs("the count", &count["count"], published.into()),
        differs("the fundamental", &count["fundamental"], fundamental.into()),
        differs(
            "the plan of the check",
            &check["plan"],
            count["plan"].clone(),
        ),
    ];
    if check["double_checked"] != true {
        let (some, all) = (&check["blocks"], count["blocks"].as_f64().unwrap());
        let enough = some.as_f64().unwrap() >= 0.05 * all;
        found.push((!enough).then(|| format!("n = {n}: only {some} of {all} blocks are checked")));
    }
    if let Some(name) = ledger["file"].as_str() {
        let path = folder.join(name);
        let text = kept(&path);
        found.extend([
            differs("the digest", &ledger["sha256"], sum(&text).into()),
            differs("the length", &ledger["bytes"], text.len().into()),
        ]);
        match Ledger::parse(&path, &text).and_then(|ledger| ledger.plan().map(|_| ledger)) {
            Ok(ledger) => {
                let plan = ledger.header().plan.to_string();
                let total = ledger.total().map(|total| total.to_string());
                found.extend([
                    differs("the plan", &count["plan"], plan.into()),
                    differs("the blocks", &count["blocks"], ledger.blocks().len().into()),
                    differs("the total", &count["count"], total.into()),
                ]);
            }
            // A later version may plan otherwise; the program of that commit can read it.
            Err(Error::Foreign { .. }) => {}
            Err(error) => return Some(error.to_string()),
        }
    }
    found.into_iter().flatten().next()
}

#[test]
fn every_record_of_this_project_is_what_its_ledger_says() {
    let folder = Path::new(ROOT).join("data/records");
    let mut files = Vec::new();
    for record in records(&folder) {
        assert_eq!(wrong(&record, &folder), None);
        assert!(!record["commit"].as_str().unwrap().ends_with('+'));
        files.extend(record["ledger"]["file"].as_str().map(str::to_owned));
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = files.contains(&name) || ["README.md", "records.jsonl"].contains(&&*name);
        assert!(known, "data/records/{name} belongs to no record");
    }
}

/// A desk for the script, with this program.
struct Desk(tempfile::TempDir);

impl Desk {
    fn record(&self, program: &Path, variables: &[(&str, &str)], sizes: &str) -> Output {
        let mut script = Command::new(Path::new(ROOT).join("scripts/record"));
        script.args(sizes.split(' ')).env("QUEENS", program);
        script.env("RECORDS", self.0.path().join("records"));
        script.env("WORK", self.0.path().join("work"));
        script.env("QUEENS_THREADS", "2");
        for name in ["DIRTY", "ALL_UP_TO", "SAMPLE"] {
            script.env_remove(name);
        }
        script.envs(variables.iter().copied());
        script.output().unwrap()
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_record_is_made_and_gone_on_with() {
    let desk = Desk(tempfile::tempdir().unwrap());
    let folder = desk.0.path().join("records");
    // The tests may be built from any sources.
    let record = |more: &[(&str, &str)], sizes| {
        let variables = [&[("DIRTY", "yes"), ("ALL_UP_TO", "14")], more].concat();
        desk.record(PROGRAM.as_ref(), &variables, sizes)
    };
    // It ends before its check, and the second time does not count again.
    let ended = record(&[("SAMPLE", "nonsense")], "15");
    assert_eq!(ended.status.code(), Some(2), "{}", text(&ended.stderr));
    assert_eq!(records(&folder).len(), 0);
    let counted = desk.0.path().join("work/15/count.json");
    let before = fs::read(&counted).unwrap();
    let made = record(&[("SAMPLE", "10%")], "15 14");
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(fs::read(&counted).unwrap(), before);

    let made = records(&folder);
    let sides: Vec<_> = made.iter().map(|one| one["count"]["n"].clone()).collect();
    assert_eq!(sides, [14, 15], "in order of n");
    for one in &made {
        assert_eq!(wrong(one, &folder), None);
        assert_eq!(one["count"]["threads"], 2);
        assert_eq!(one["machine"]["version"], one["count"]["version"]);
    }
    assert_eq!(made[0]["check"]["double_checked"], true);
    assert!(made[1]["check"]["cost_percent"].as_f64().unwrap() > 0.0);

    // Anybody can confirm a part of it.
    let mut verify = Command::new(PROGRAM);
    verify
        .args(["records", "verify"])
        .arg(folder.join("15.jsonl.gz"));
    let verified = verify.args(["--sample", "2"]).output().unwrap();
    assert!(verified.status.success(), "{}", text(&verified.stderr));

    // A record stays as it is; a changed one is noticed.
    let again = record(&[], "14 15");
    assert_eq!(text(&again.stdout).matches("has a record").count(), 2);
    assert_eq!(records(&folder), made);
    for (part, name) in [
        ("count", "count"),
        ("count", "plan"),
        ("count", "blocks"),
        ("ledger", "sha256"),
    ] {
        let mut forged = made[1].clone();
        forged[part][name] = 7.into();
        assert!(wrong(&forged, &folder).is_some(), "{part} {name}");
    }
}

#[test]
fn a_record_of_uncommitted_sources_is_refused() {
    let desk = Desk(tempfile::tempdir().unwrap());
    let program = desk.0.path().join("queens");
    for commit in ["\"0123456789ab+\"", "null"] {
        let lines = format!("#!/bin/sh\necho '{{\"version\":\"1\",\"commit\":{commit}}}'\n");
        fs::write(&program, lines).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let refused = desk.record(&program, &[], "14");
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains("DIRTY=yes"));
    }
    for sizes in ["x", "33", "14 -1"] {
        let refused = desk.record(&program, &[], sizes);
        assert_eq!(refused.status.code(), Some(2), "{sizes}");
        assert_eq!(text(&refused.stderr).lines().count(), 1);
    }
}
