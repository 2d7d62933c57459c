//! A plan, a ledger and an estimate are the same on every machine: what one of them has made
//! is written down in `recorded.txt` beside this, and every other makes the same of it.
//!
//! Ledgers and shards on people's disks name a plan and the counts of its blocks. Should
//! either change, as a plan does when an engine's costs do, they must be refused: change
//! `FORMAT_VERSION`, have `RECORDED=write cargo test --test recorded` write the file anew, and
//! look at the difference before you commit it.
#![cfg(feature = "ledger")]

use std::{fmt::Write, fs, path::Path};

use queens::{
    Count, Engine, Problem, Route, Runner,
    estimate::Estimate,
    ledger::Recorder,
    plan::{Plan, Shard},
    random::Random,
};

/// The plans of small and of large boards, by their ids.
fn plans(text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let plain = [
        (Engine::Rows, 8),
        (Engine::Rows, 16),
        (Engine::Rows, 24),
        (Engine::Colours, 14),
        (Engine::Colours, 18),
        (Engine::Colours, 22),
    ];
    for (engine, n) in plain {
        let plan = Plan::new(&Problem::new(n)?, engine)?;
        let (id, blocks, tasks) = (plan.id(), plan.blocks().len(), plan.tasks());
        writeln!(
            text,
            "plan {engine} {n}: {id}, {blocks} blocks, {tasks} tasks"
        )?;
    }
    let problem = Problem::new(12)?.require("a3".parse()?)?;
    let problem = problem.forbid("d5".parse()?)?;
    let id = Plan::new(&problem, Engine::Rows)?.id();
    writeln!(text, "plan rows 12 with a3 without d5: {id}")?;
    Ok(())
}

/// The lines of a ledger but for version and times, and so without their checks.
fn ledger(text: &mut String, engine: Engine, n: u32) -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.jsonl");
    let plan = Plan::new(&Problem::new(n)?, engine)?;
    let recorder = Recorder::open(&path, &plan, Shard::WHOLE, Route::Direct)?;
    plan.run(&Runner::new().threads(1).observer(&recorder))?;
    for line in fs::read_to_string(&path)?.lines() {
        let end = [",\"version\"", ",\"seconds\"", ",\"check\""];
        let said = end.iter().find_map(|end| line.find(end));
        writeln!(text, "ledger {engine} {n}: {}", &line[..said.unwrap()])?;
    }
    Ok(())
}

/// What a seed draws: numbers, and a sample of tasks by the count that follows from it.
fn draws(text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random::new(7);
    let numbers: Vec<u64> = (0..5).map(|_| random.below(1_000_000)).collect();
    writeln!(text, "seed 7: {numbers:?}")?;
    for seed in [1, 2] {
        let count = Count::new(16)?.engine(Engine::Colours).threads(1);
        let estimated = Estimate::new(count).samples(40).seed(seed).run()?;
        let (samples, value) = (estimated.samples, estimated.count.value);
        writeln!(
            text,
            "estimate colours 16 seed {seed}: {value} of {samples}"
        )?;
    }
    Ok(())
}

#[test]
fn every_machine_makes_the_same_plans_ledgers_and_draws() -> Result<(), Box<dyn std::error::Error>>
{
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded.txt");
    let mut text = String::new();
    plans(&mut text)?;
    ledger(&mut text, Engine::Rows, 13)?;
    ledger(&mut text, Engine::Colours, 16)?;
    draws(&mut text)?;
    if std::env::var_os("RECORDED").is_some_and(|value| value == "write") {
        fs::write(&path, &text)?;
    }
    let recorded = fs::read_to_string(&path)?;
    for (recorded, made) in recorded.lines().zip(text.lines()) {
        assert_eq!(recorded, made, "RECORDED=write writes it anew");
    }
    assert_eq!(recorded.lines().count(), text.lines().count());
    Ok(())
}
