//! Short texts prepared once and then appended with a single store.

use super::buffer::Buffer;

/// The room for a label. The longest is the rank of a board of side a million in
/// JSON, `1000000",`.
const WIDTH: usize = 12;

/// A short text: all its room is copied at once, and only its length kept.
#[derive(Clone, Copy)]
pub(super) struct Label {
    bytes: [u8; WIDTH],
    length: u32,
}

impl Label {
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; WIDTH];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Label {
            bytes,
            length: text.len() as u32,
        }
    }

    /// Appends these labels, up to `most` of them, without what separates the last
    /// one from a next one.
    pub(super) fn push_all<'a>(
        labels: impl Iterator<Item = &'a Label>,
        most: usize,
        separator: &str,
        buffer: &mut Buffer<'_>,
    ) {
        let bytes = &mut buffer.bytes;
        let start = bytes.len();
        bytes.resize(start + WIDTH * most, 0);
        let mut end = start;
        for label in labels {
            bytes[end..end + WIDTH].copy_from_slice(&label.bytes);
            end += label.length as usize;
        }
        if most > 0 {
            end -= separator.len();
        }
        bytes.truncate(end);
    }
}
