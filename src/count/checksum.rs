//! FNV-1a, 64 bits: names a plan and guards a line of a file against damage.
//!
//! Each step `state = (state ^ byte) * PRIME` is a bijection of the state for a
//! fixed byte (the prime is odd) and of the byte for a fixed state, so two texts of
//! one length that differ in a single byte never have the same sum. It is not meant
//! to resist a forger.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A checksum that is fed piece by piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) fn new() -> Self {
        Checksum(OFFSET)
    }

    pub(crate) fn feed(mut self, bytes: &[u8]) -> Self {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        self
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_test_vectors() {
        let sum = |text: &str| Checksum::new().feed(text.as_bytes()).value();
        assert_eq!(sum(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(sum("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(sum("foobar"), 0x8594_4171_f739_67e8);
    }
}
