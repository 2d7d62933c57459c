//! Long lists ask for their memory here, where that can fail: a count that gets no more ends
//! with a sentence, as after any other error, and what it has recorded stays.

use crate::error::Error;

/// Makes room for so many items more, and perhaps for some to come.
#[inline]
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Error> {
    match list.try_reserve(more) {
        Ok(()) if !is_refused() => Ok(()),
        _ => Err(too_long::<T>(more)),
    }
}

/// Makes room for so many items in all, and for no others.
#[inline]
pub(crate) fn reserve_exact<T>(list: &mut Vec<T>, len: usize) -> Result<(), Error> {
    let more = len.saturating_sub(list.len());
    match list.try_reserve_exact(more) {
        Ok(()) if !is_refused() => Ok(()),
        _ => Err(too_long::<T>(more)),
    }
}

/// Cuts the list to a length, or fills it up to that, with room for no others.
#[inline]
pub(crate) fn resize<T: Clone>(list: &mut Vec<T>, len: usize, item: T) -> Result<(), Error> {
    reserve_exact(list, len)?;
    list.resize(len, item);
    Ok(())
}

/// A list of so many equal items.
pub(crate) fn filled<T: Clone>(item: T, len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    reserve_exact(&mut list, len)?;
    list.resize(len, item);
    Ok(list)
}

/// A list of these items.
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    reserve_exact(&mut list, items.len())?;
    list.extend(items);
    Ok(list)
}

#[cold]
fn too_long<T>(items: usize) -> Error {
    Error::Memory(items.saturating_mul(size_of::<T>()))
}

/// Whether a test wants this request to be refused.
#[inline(always)]
fn is_refused() -> bool {
    #[cfg(test)]
    return tests::is_refused();
    #[cfg(not(test))]
    false
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{
        board::Problem,
        engine::{Cpu, Engine, Route},
        threads::Cancel,
    };

    thread_local! {
        /// How many more requests of this thread are granted before one is refused.
        static GRANTED: Cell<Option<u64>> = const { Cell::new(None) };
    }

    pub(super) fn is_refused() -> bool {
        let granted = GRANTED.get();
        GRANTED.set(granted.and_then(|left| left.checked_sub(1)));
        granted == Some(0)
    }

    #[test]
    fn a_count_that_is_refused_memory_is_an_error_and_never_a_number() {
        for (n, published) in [(13, 73_712), (16, 14_772_512)] {
            let search = Engine::Colours.search(&Problem::new(n).unwrap());
            let tasks: u64 = search.groups().map(|group| group.tasks).sum();
            let mut refusals = 0;
            for granted in (0..).map(|power| 3u64.pow(power) - 1) {
                GRANTED.set(Some(granted));
                let mut worker = search.worker(Cpu::Portable, Route::Direct);
                let counted = worker.count(0..tasks, &Cancel::new());
                if GRANTED.take().is_some() {
                    assert_eq!(counted, Ok(published), "all were granted");
                    break;
                }
                refusals += 1;
                assert!(
                    matches!(counted, Err(Error::Memory(_))),
                    "n = {n}, {granted} granted: {counted:?}"
                );
            }
            assert!(refusals > 5, "{refusals}");
        }
    }

    #[test]
    fn what_cannot_be_had_is_an_error_and_leaves_the_list_as_it_was() {
        const TOO_MANY: usize = usize::MAX / 4;
        let error = Err(Error::Memory(usize::MAX / 4 * 2));
        let mut list = vec![7u16];
        assert_eq!(reserve(&mut list, TOO_MANY), error);
        assert_eq!(resize(&mut list, TOO_MANY + 1, 0), error);
        assert_eq!(reserve_exact(&mut list, TOO_MANY + 1), error);
        assert_eq!(filled(7u16, TOO_MANY).map(drop), error);
        assert_eq!(list, [7]);
        resize(&mut list, 3, 0).unwrap();
        assert_eq!(list, [7, 0, 0]);
        resize(&mut list, 1, 0).unwrap();
        assert_eq!(list, [7]);
        assert_eq!(collected([1, 2].into_iter()).unwrap(), [1, 2]);
    }
}
