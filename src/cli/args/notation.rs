//! The notation of solutions on the command line, shared by every command that
//! prints them.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use queens::format::Format;

/// Reads the name of a notation.
pub fn parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
        .try_map(|name| name.parse())
}
