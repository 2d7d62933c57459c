//! Files that are not as they were written: nothing wrong is ever read from them.

use super::*;

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
        assert_eq!(ledger.total(), Some(TOTAL));
        assert_eq!(ledger.blocks.len(), TRUTH.blocks.len());
    }
}

#[test]
fn a_torn_tail_is_cut_off_however_long_it_is() {
    let desk = Desk::new(None);
    let header = COMPLETE.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for tail in [&b"{"[..], &[b'x'; 100_000], &[0; 4096]] {
        let torn = [&COMPLETE[..header], tail].concat();
        fs::write(&desk.path, &torn).unwrap();
        assert_eq!(desk.open().unwrap().found().torn(), tail.len());
        assert_eq!(desk.contents(), &COMPLETE[..header]);
        fs::write(&desk.path, &torn).unwrap();
        assert_eq!(desk.finish().unwrap(), Some(TOTAL));
        assert_eq!(Ledger::read(&desk.path).unwrap().total(), Some(TOTAL));
    }
}

#[test]
fn a_ledger_is_closed_once_and_only_when_it_is_complete() {
    let read = |text: &str| Ledger::parse("x".as_ref(), text.as_bytes());
    let refused = |text: &str, line: usize| match read(text) {
        Err(Error::Damaged { line: found, .. }) => assert_eq!(found, line),
        other => panic!("{text}: {other:?}"),
    };
    let whole = String::from_utf8(COMPLETE.clone()).unwrap();
    let (lines, blocks) = (whole.lines().count(), TRUTH.blocks.len());
    let again = format!("{{\"total\":\"{TOTAL}\",\"blocks\":{blocks}");
    refused(
        &(whole.clone() + &TRUTH.chain.clone().seal_text(&again)),
        lines + 1,
    );
    refused(&(whole.clone() + "{"), lines + 1);
    refused(&(whole.clone() + "\n"), lines + 1);

    // The first blocks, and a line that says of them what is true.
    for recorded in 0..=blocks {
        let text: String = whole.split_inclusive('\n').take(1 + recorded).collect();
        let ledger = read(&text).unwrap();
        let (sum, mut chain) = (ledger.sum(), ledger.chain.clone());
        let closing = format!("{{\"total\":\"{sum}\",\"blocks\":{recorded}");
        let closed = text + &chain.seal_text(&closing);
        if recorded < blocks {
            refused(&closed, recorded + 2);
        } else {
            assert_eq!(closed, whole);
        }
    }
}

#[test]
fn only_regular_files_are_read_or_written() {
    let folder = folder();
    let refused = |path: &Path| {
        let opened = Recorder::open(path, &PLAN, Shard::WHOLE, Route::Direct).map(drop);
        for outcome in [Ledger::read(path).map(drop), opened] {
            let said = outcome.unwrap_err().to_string();
            assert!(said.contains("it is "), "{said}");
        }
    };
    refused(folder.path());
    if cfg!(unix) {
        refused("/dev/zero".as_ref());
    }
}

#[test]
fn any_changed_byte_is_refused_unless_it_only_tears_the_last_line() {
    let last = COMPLETE.len() - 1;
    let desk = Desk::new(None);
    for place in 0..COMPLETE.len() {
        let expected = (place == last).then_some(TRUTH.blocks.len());
        let mut changed = COMPLETE.clone();
        let flips = (0..8).map(|bit| COMPLETE[place] ^ (1 << bit));
        let newline = (COMPLETE[place] != b'\n').then_some(b'\n');
        for byte in flips.chain(newline) {
            changed[place] = byte;
            let read = Ledger::parse("changed".as_ref(), &changed);
            assert_eq!(
                read.ok().as_ref().map(true_blocks),
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
        "{\"format\":9",
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
        vec![entry(
            1,
            block.first,
            block.tasks,
            &u128::MAX.to_string(),
            0.5,
        )],
        // More than 6! solutions, at once or together.
        vec![entry(1, block.first, block.tasks, "721", 0.5)],
        vec![
            entry(1, block.first, block.tasks, "700", 0.5),
            entry(0, PLAN.blocks()[0].first, PLAN.blocks()[0].tasks, "21", 0.5),
        ],
        vec![right.clone(), right.clone()],
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
    assert_eq!(file(&[right]).open().unwrap().found().blocks.len(), 1);
    // A block of another shard, in a ledger that would else be sound.
    for (index, taken) in [(0, false), (1, true)] {
        let header = Header::new(&PLAN, Shard::new(1, 2).unwrap(), Route::Direct);
        let block = PLAN.blocks()[index];
        let mut chain = Chain::default();
        let mut text = chain.seal(&HeaderLine::from(&header)).unwrap();
        let line = entry(index, block.first, block.tasks, "1", 0.5);
        text += &chain.seal(&line).unwrap();
        let read = Ledger::parse("x".as_ref(), text.as_bytes());
        assert_eq!(read.is_ok(), taken, "block {index}");
    }
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
    foreign(
        &record(&plan_of_blocks(9), Shard::WHOLE, Route::Direct),
        "n = 9",
    );
    foreign(&record(&PLAN, shard, Route::Direct), "shard 1 of 2");
    foreign(&record(&PLAN, Shard::WHOLE, Route::Image), "double-check");

    let altered = |field: &str, value: serde_json::Value| {
        let header = Header::new(&PLAN, Shard::WHOLE, Route::Direct);
        let mut line = serde_json::to_value(HeaderLine::from(&header)).unwrap();
        line[field] = value;
        Desk::new(Some(Chain::default().seal(&line).unwrap().as_bytes()))
    };
    foreign(&altered("format", 1.into()), "format 1");
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
        ("engine", serde_json::json!("colours")),
        ("forbid", serde_json::json!([[0, 0]])),
        ("plan", serde_json::json!("0x")),
        ("require", serde_json::json!([[9, 9]])),
    ] {
        let refused = altered(field, value).open();
        assert!(matches!(refused, Err(Error::Damaged { .. })), "{field}");
    }
    // The version that wrote it does not matter.
    assert!(altered("version", "0.0.1".into()).open().is_ok());
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
        counts in prop::collection::vec((0.0..1.0, any::<u32>()), 0..20),
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
        let mut blocks = Vec::new();
        let most: u128 = (1..=u128::from(n)).product();
        for (place, &(share, quarters)) in counts.iter().enumerate() {
            let count = (most as f64 / 20.0 * share) as u128;
            let seconds = f64::from(quarters) / 4.0;
            let index = index as usize + place * of as usize;
            let block = RecordedBlock { index, first: 3, tasks: 4, count, seconds };
            text += &chain.seal(&BlockLine::from(&block)).unwrap();
            blocks.push(block);
        }
        let ledger = Ledger::parse("x".as_ref(), text.as_bytes()).unwrap();
        prop_assert_eq!(&ledger.header, &header);
        prop_assert_eq!(&ledger.blocks, &blocks);

        let cut = head + cut.index(text.len() - head + 1);
        let ledger = Ledger::parse("x".as_ref(), &text.as_bytes()[..cut]).unwrap();
        prop_assert_eq!(&ledger.blocks[..], &blocks[..ledger.blocks.len()]);
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
