//! `queens estimate`: from a sample, for people and for scripts.

use super::program::queens;
#[cfg(unix)]
use super::program::{command, written_to_terminal};

#[test]
fn json_has_numbers_and_an_interval_around_the_estimate() {
    let object = queens("estimate 14 --samples 130 --seed 3 --json").json();
    let number = |name: &str| {
        object[name]
            .as_f64()
            .unwrap_or_else(|| panic!("{name}: {object}"))
    };
    assert!(number("low") <= number("estimate") && number("estimate") <= number("high"));
    assert!(number("core_seconds") > 0.0);
    assert!(number("shards") >= 1.0);
    assert!(number("samples") >= 60.0);
    assert_eq!(object["engine"], "colours");
    assert_eq!(object["seed"], 3);
}

#[test]
fn a_seed_has_one_estimate_and_a_small_board_its_count() {
    let line = "estimate 14 --samples 100 --seed 3";
    let first = queens(line).ok();
    assert_eq!(first, queens(&format!("{line} --threads 1")).ok());
    assert_eq!(first.trim().split('\t').count(), 3);
    assert_eq!(queens("estimate 8").ok(), "92\t92\t92\n");
}

#[test]
fn too_few_samples_have_no_interval() {
    let object = queens("estimate 16 --samples 20 --seed 1 --json").json();
    assert!(object["estimate"].is_number() && object["low"].is_null() && object["high"].is_null());
}

#[test]
#[cfg(unix)]
fn memory_is_that_of_the_threads_that_a_count_would_start() {
    let (code, shown) = written_to_terminal(command("estimate 8 --threads 64"));
    assert_eq!(code, Some(0), "{shown}");
    for word in [" shared + ", " per thread; ", " on 1 of 64 threads"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn nonsense_is_named() {
    queens("estimate 33").refused(2, &["33", "0 to 32"]);
    queens("estimate 8..9").refused(2, &["8..9", "0 to 32"]);
    queens("estimate 16 --samples 0").refused(2, &["\"0\"", "from 1"]);
    queens("estimate 16 --samples 100000000000").refused(2, &["1 to 10000000"]);
    queens("estimate 16 --seconds 2e9").refused(2, &["\"2e9\"", "above 0"]);
    queens("estimate 16 --seconds 1m1h").refused(2, &["\"1m1h\"", "1h30m"]);
    queens("estimate 16 --seconds -1").refused(2, &["\"-1\"", "above 0"]);
    queens("estimate 16 --seconds inf").refused(2, &["\"inf\"", "above 0"]);
}

#[test]
#[cfg(unix)]
fn a_terminal_shows_a_bar_unless_that_is_unwanted() {
    let shown = |options: &str| {
        let line = format!("estimate 22 --seconds 1 --threads 1 {options}");
        written_to_terminal(command(&line)).1
    };
    let bar = shown("");
    for word in ["%, ", "ETA", "draws", "\r"] {
        assert!(bar.contains(word), "{word}: {bar:?}");
    }
    for options in ["-q", "--no-progress"] {
        let shown = shown(options);
        assert!(!shown.contains("ETA"), "{shown:?}");
    }
}
