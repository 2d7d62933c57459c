//! The numbering of the tasks: class by class, shelf by shelf, and there by even rows.
//!
//! A span is the tasks of one representative on one shelf. There are too many to
//! store at n = 28, and no need to: threads ask for rising task numbers, so walking
//! on from the last span asked for is enough. A sample goes from landmark to landmark.

use std::ops::Range;

use super::{Colours, symmetry::Representative};

/// Tasks with the same even rows and the same shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    /// The place of the class, the shelf and the representative.
    pub(super) class: usize,
    pub(super) shelf: usize,
    pub(super) representative: usize,
    /// The number of its first task.
    pub(super) first: u64,
    /// How many tasks it has, perhaps none.
    pub(super) tasks: u64,
}

/// One choice of rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    /// The place of the class, of the shelf, and on the shelf.
    pub(super) class: usize,
    pub(super) shelf: usize,
    pub(super) place: usize,
    /// The even rows of the white queens.
    pub(super) representative: Representative,
    /// The odd rows of the white queens.
    pub(super) odd_rows: u32,
    /// How many choices of rows it stands for.
    pub(super) weight: u32,
}

impl Span {
    fn end(&self) -> u64 {
        self.first + self.tasks
    }

    fn tasks(self, search: &Colours) -> impl Iterator<Item = Task> {
        let class = &search.classes[self.class];
        let representative = class.representatives[self.representative];
        let places = class.shelf(self.shelf).iter().enumerate();
        places.filter_map(move |(place, &odd_rows)| {
            Some(Task {
                class: self.class,
                shelf: self.shelf,
                place,
                representative,
                odd_rows,
                weight: search.symmetry.weight(&representative, odd_rows)?,
            })
        })
    }
}

/// Spans from which on it is not far to any other: one every so many.
pub(super) const LANDMARK: usize = 512;

/// All spans in order.
#[derive(Clone)]
pub(super) struct Spans<'a> {
    search: &'a Colours,
    /// The span that [`seek`](Spans::seek) stopped at.
    current: Option<Span>,
}

impl<'a> Spans<'a> {
    pub(super) fn new(search: &'a Colours) -> Self {
        Spans {
            search,
            current: None,
        }
    }

    /// These tasks, one by one. They must exist.
    pub(super) fn tasks(&mut self, numbers: Range<u64>) -> impl Iterator<Item = Task> {
        let mut next = numbers.start;
        let spans = std::iter::from_fn(move || {
            (next < numbers.end).then(|| {
                let span = self.seek(next);
                let skip = (next - span.first) as usize;
                let take = (numbers.end.min(span.end()) - next) as usize;
                next += take as u64;
                let tasks: Vec<Task> = span.tasks(self.search).skip(skip).take(take).collect();
                tasks
            })
        });
        spans.flatten()
    }

    /// The span that holds a task. The task must exist.
    fn seek(&mut self, task: u64) -> Span {
        if self.current.is_some_and(|span| span.first > task) {
            self.current = None;
        }
        if let Some(landmarks) = self.search.landmarks.get() {
            let passed = landmarks.partition_point(|span| span.first <= task);
            let landmark = landmarks[..passed].last();
            let is_ahead = |span: &&Span| self.current.is_none_or(|at| at.first < span.first);
            self.current = landmark.filter(is_ahead).copied().or(self.current);
        }
        loop {
            match self.current {
                Some(span) if task < span.end() => return span,
                _ => self.next().expect("the task exists"),
            };
        }
    }

    fn after(&self, span: Span) -> Option<Span> {
        let class = &self.search.classes[span.class];
        let mut next = Span {
            representative: span.representative + 1,
            first: span.end(),
            tasks: 0,
            ..span
        };
        if next.representative == class.representatives.len() {
            next.representative = 0;
            next.shelf += 1;
        }
        if next.shelf == class.shelves() {
            next.shelf = 0;
            next.class += 1;
        }
        (next.class < self.search.classes.len()).then_some(next)
    }
}

impl Iterator for Spans<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let mut span = match self.current {
            None => Span::default(),
            Some(span) => self.after(span)?,
        };
        span.tasks = span.tasks(self.search).count() as u64;
        self.current = Some(span);
        Some(span)
    }
}
