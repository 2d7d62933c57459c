//! Results in files: one JSON object each, whose field `check` guards all the others.
//!
//! The check is the FNV-1a sum of the object without it, written without blanks and with
//! its names in alphabetical order. So it does not matter how the file is laid out, and a
//! digit that is changed, lost or added shows. It guards against damage and mistakes; to
//! resist a forger would take a signature.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use serde_json::Value;

use super::{
    checksum::Checksum,
    reference::{self, Reference},
    report::{FORMAT, KIND, Report},
};
use crate::cli::{args::input, exit::Exit, report::atomic_file::save};

/// A report as it is written.
#[derive(Serialize)]
pub struct Sealed<'a> {
    #[serde(flatten)]
    report: &'a Report,
    check: String,
}

impl<'a> Sealed<'a> {
    pub fn new(report: &'a Report) -> Result<Sealed<'a>> {
        let check = check(&serde_json::to_value(report)?);
        Ok(Sealed { report, check })
    }
}

/// The check of an object, which it does not hold itself.
fn check(object: &Value) -> String {
    let sum = Checksum::new().feed(object.to_string().as_bytes());
    format!("{:016x}", sum.value())
}

/// Writes all there is so far.
pub fn write(report: &Report, path: &Path) -> Result<()> {
    let text = serde_json::to_string_pretty(&Sealed::new(report)?)?;
    save(path, &(text + "\n"))
}

/// Reads what an earlier benchmark has exported, or one of the reference results by its
/// name.
pub fn read(path: &Path) -> Result<Report> {
    read_among(reference::ALL, path)
}

fn read_among(references: &[Reference], path: &Path) -> Result<Report> {
    let stem = path.file_stem().unwrap_or_default().display().to_string();
    let known = path
        .to_str()
        .and_then(|name| reference::text(references, name));
    let mut report = match known.filter(|_| !path.exists()) {
        Some(text) => open(text.as_bytes(), &stem)?,
        None => open(&input::read(path)?, &path.display().to_string())?,
    };
    report.name = stem;
    Ok(report)
}

/// The report in this text, if it is whole.
pub fn open(text: &[u8], name: &str) -> Result<Report> {
    let foreign = |what: String| Exit::Foreign.because(format!("{name} {what}"));
    let damaged = |reason: String| {
        Exit::Damaged.because(format!(
            "{name} is not a whole result of `queens bench --export-json`: {reason}; measure again"
        ))
    };
    let mut value: Value =
        serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
    if value["kind"] != KIND {
        let what = "is not a result of `queens bench --export-json`";
        return Err(foreign(what.to_owned()));
    }
    match value["format"].as_u64() {
        Some(FORMAT) => {}
        Some(format) if format > FORMAT => {
            return Err(foreign(format!(
                "is of format {format}, and this program reads {FORMAT}: use a newer queens"
            )));
        }
        Some(format) => {
            return Err(foreign(format!(
                "is of the former format {format}, and this program reads {FORMAT}: measure again"
            )));
        }
        None => return Err(damaged("its format is not a number".to_owned())),
    }
    let given = value
        .as_object_mut()
        .and_then(|object| object.remove("check"));
    let right = check(&value);
    match given {
        Some(Value::String(given)) if given == right => {}
        Some(given) => {
            return Err(damaged(format!(
                "its check is {given}, and the rest of it has \"{right}\""
            )));
        }
        None => return Err(damaged("it has no check".to_owned())),
    }
    serde_json::from_value(value).map_err(|error| damaged(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::report::tests::example, *};

    /// A report as text, with this instead of that and the check that belongs to it.
    fn changed(that: &str, this: &str) -> String {
        let text = serde_json::to_string(&example()).unwrap();
        assert!(text.contains(that), "{that}: {text}");
        let value: Value = serde_json::from_str(&text.replace(that, this)).unwrap();
        let check = check(&value);
        format!(
            "{},\"check\":\"{check}\"}}",
            value.to_string().strip_suffix('}').unwrap()
        )
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.json");
        let mut report = example();
        report.name = "bench".to_owned();
        write(&report, &path).unwrap();
        assert_eq!(read(&path).unwrap(), report);
        // However it is laid out.
        let line = serde_json::to_string(&Sealed::new(&report).unwrap()).unwrap();
        fs::write(&path, line).unwrap();
        assert_eq!(read(&path).unwrap(), report);
    }

    #[test]
    fn a_reference_is_read_by_its_name_unless_there_is_such_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("epyc");
        let name = own.to_str().unwrap();
        let mut report = example();
        report.name = "epyc".to_owned();
        let text = serde_json::to_string(&Sealed::new(&report).unwrap()).unwrap();
        let read = |path| read_among(&[("other", "{}"), (name, &text)], path);
        assert_eq!(read(&own).unwrap(), report);
        assert!(read(Path::new("nobody")).is_err());
        assert_eq!(
            Exit::of(&read(Path::new("other")).unwrap_err()),
            Exit::Foreign
        );
        report.complete = true;
        write(&report, &own).unwrap();
        assert_eq!(read(&own).unwrap(), report);
    }

    #[test]
    fn the_check_is_that_of_the_page() {
        let object: Value =
            serde_json::from_str(r#"{ "n": 8, "count": "92", "a": [0.5] }"#).unwrap();
        assert_eq!(object.to_string(), r#"{"a":[0.5],"count":"92","n":8}"#);
        assert_eq!(check(&object), "4b4a49b74e3cc2bb");
    }

    #[test]
    fn no_digit_changes_unnoticed() {
        let whole = serde_json::to_string(&Sealed::new(&example()).unwrap()).unwrap();
        let digits = whole.char_indices().filter(|(_, c)| c.is_ascii_digit());
        for (at, digit) in digits {
            let other = if digit == '7' { '6' } else { '7' };
            let mut text = whole.clone();
            text.replace_range(at..=at, &other.to_string());
            let value = |text: &str| serde_json::from_str::<Value>(text).ok();
            // The last digits of a number may be more than it has.
            let same = value(&text) == value(&whole);
            assert_eq!(open(text.as_bytes(), "x").is_ok(), same, "{}", &text[at..]);
        }
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.json");
        let whole = changed("", "");
        let unchecked = serde_json::to_string(&example()).unwrap();
        for (text, exit, word) in [
            ("", Exit::Damaged, "EOF"),
            (&whole[..whole.len() / 2], Exit::Damaged, "EOF"),
            (&whole.replace("15", "16"), Exit::Damaged, "its check is"),
            (&unchecked, Exit::Damaged, "no check"),
            (
                &changed("\"threads\":1,", "\"threads\":-1,"),
                Exit::Damaged,
                "-1",
            ),
            ("{\"n\":8,\"count\":\"92\"}", Exit::Foreign, "not a result"),
            ("[1,2]", Exit::Foreign, "not a result"),
            (
                &changed("\"format\":2", "\"format\":3"),
                Exit::Foreign,
                "newer",
            ),
            (
                &changed("\"format\":2", "\"format\":1"),
                Exit::Foreign,
                "former",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let error = read(&path).unwrap_err();
            assert_eq!(Exit::of(&error), exit, "{text}");
            assert!(error.to_string().contains("bench.json"), "{error}");
            assert!(error.to_string().contains(word), "{error}");
        }
        fs::write(&path, whole).unwrap();
        read(&path).unwrap();
        let missing = read(&folder.path().join("none.json"));
        assert_eq!(Exit::of(&missing.unwrap_err()), Exit::Failure);
    }
}
