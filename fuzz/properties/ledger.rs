//! Any lines, with the checks that they should have, are a ledger or are refused.
//! Those that are one, cut anywhere after the header, are the beginning of the same
//! one; and those that are not one as they stand are not read at all.

use std::path::Path;

use queens::ledger::Ledger;

/// The lines, each with its closing check.
fn sealed(lines: &[u8]) -> Vec<u8> {
    let (mut file, mut check) = (Vec::new(), String::new());
    for line in lines.split(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"}").unwrap_or(line);
        let fnv = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let sum = check
            .as_bytes()
            .iter()
            .chain(text)
            .fold(0xcbf2_9ce4_8422_2325, fnv);
        check = format!("{sum:016x}");
        file.extend_from_slice(text);
        file.extend_from_slice(format!(",\"check\":\"{check}\"}}\n").as_bytes());
    }
    file
}

pub fn holds(bytes: &[u8]) {
    let path = Path::new("fuzz");
    let _ = Ledger::parse(path, bytes);
    let file = sealed(bytes);
    let Ok(whole) = Ledger::parse(path, &file) else {
        return;
    };
    assert_eq!(whole.total().unwrap_or(whole.sum()), whole.sum());
    let header = file.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for end in header..file.len() {
        match Ledger::parse(path, &file[..end]) {
            Ok(cut) => assert_eq!(cut.blocks(), &whole.blocks()[..cut.blocks().len()]),
            Err(error) => panic!("cut at {end}: {error}"),
        }
    }
}
