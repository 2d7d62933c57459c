//! Counts in JSON objects: decimal strings, as many readers of JSON keep only the first 53
//! bits of a number.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A count that is written, and read, as a decimal string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal(pub u128);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        json.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(json)?;
        digits.parse().map(Decimal).map_err(D::Error::custom)
    }
}
