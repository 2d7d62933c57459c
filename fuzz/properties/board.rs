//! Any text is a solution or is refused with a reason. One that is read can be written in
//! every notation, and is the same when it is read again.

use queens::{Board, format::Format};

pub fn holds(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match text.parse::<Board>() {
        Ok(board) => {
            let columns = board.columns().to_vec();
            assert_eq!(Board::new(columns).as_ref(), Ok(&board), "no solution");
            for format in Format::ALL {
                let text = format.text(&board);
                assert_eq!(
                    text.parse::<Board>().as_ref(),
                    Ok(&board),
                    "{format}: {text}"
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
