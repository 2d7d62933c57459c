//! The numbering of the tasks: class by class, shelf by shelf, and there by even rows.
//!
//! A span is the tasks of one representative on one shelf. There are too many to
//! store at n = 28, and no need to: the first of each shelf is a landmark, and from there
//! it is not far. How many tasks a span has is found without a look at them.

use std::ops::Range;

use crate::engine::colours::{
    Colours,
    orbits::{Representative, Symmetry},
    schedule::class::ClassPlan,
};

/// Tasks with the same even rows and the same shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    /// The place of the class, the shelf and the representative.
    pub(crate) class: usize,
    pub(crate) shelf: usize,
    pub(crate) representative: usize,
    /// The number of its first task.
    pub(crate) first: u64,
    /// How many tasks it has, perhaps none.
    pub(crate) tasks: u64,
}

/// One choice of rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task {
    /// The place of the class, of the shelf, and on the shelf.
    pub(crate) class: usize,
    pub(crate) shelf: usize,
    pub(crate) place: usize,
    /// The even rows of the white queens.
    pub(crate) representative: Representative,
    /// The odd rows of the white queens.
    pub(crate) odd_rows: u32,
    /// How many choices of rows it stands for.
    pub(crate) weight: u32,
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

/// The first task of each shelf, and the number of all tasks.
pub(crate) fn landmarks(classes: &[ClassPlan], symmetry: &Symmetry) -> (Vec<Landmark>, u64) {
    let mut landmarks = Vec::new();
    let mut first = 0;
    for (class, plan) in classes.iter().enumerate() {
        let representatives = plan.representatives.iter();
        let mut asked: Vec<u32> = representatives.map(|it| symmetry.asked_rank(it)).collect();
        asked.sort_unstable();
        for shelf in 0..plan.shelves() {
            landmarks.push(Landmark {
                class,
                shelf,
                first,
            });
            // With how many representatives each of the odd rows makes a task.
            let ranks = plan.ranks[plan.places(shelf)].iter();
            let tasks = ranks.map(|rank| asked.partition_point(|asked| asked <= rank) as u64);
            first += tasks.sum::<u64>();
        }
    }
    (landmarks, first)
}

/// Where a shelf begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landmark {
    pub(crate) class: usize,
    shelf: usize,
    /// The number of its first task.
    pub(crate) first: u64,
}

/// All spans in order.
#[derive(Clone)]
pub(crate) struct Spans<'a> {
    search: &'a Colours,
    /// The span that [`seek`](Spans::seek) stopped at.
    current: Option<Span>,
}

impl<'a> Spans<'a> {
    pub(crate) fn new(search: &'a Colours) -> Self {
        Spans {
            search,
            current: None,
        }
    }

    /// These tasks, one by one. They must exist.
    pub(crate) fn tasks(&mut self, numbers: Range<u64>) -> impl Iterator<Item = Task> {
        self.neighbours(numbers).flatten()
    }

    /// These tasks, those with the same even rows on the same shelf together. They must
    /// exist.
    pub(crate) fn neighbours(&mut self, numbers: Range<u64>) -> impl Iterator<Item = Vec<Task>> {
        let mut next = numbers.start;
        std::iter::from_fn(move || {
            (next < numbers.end).then(|| {
                let span = self.seek(next);
                let skip = (next - span.first) as usize;
                let take = (numbers.end.min(span.end()) - next) as usize;
                next += take as u64;
                span.tasks(self.search).skip(skip).take(take).collect()
            })
        })
    }

    /// The span that holds a task. The task must exist.
    pub(crate) fn seek(&mut self, task: u64) -> Span {
        let landmarks = &self.search.landmarks;
        let passed = landmarks.partition_point(|landmark| landmark.first <= task);
        let landmark = landmarks[passed - 1];
        let is_behind = |span: &Span| landmark.first <= span.first && span.first <= task;
        let mut span = self.current.filter(is_behind).unwrap_or_else(|| {
            self.counted(Span {
                class: landmark.class,
                shelf: landmark.shelf,
                first: landmark.first,
                ..Span::default()
            })
        });
        while task >= span.end() {
            span = self.after(span).expect("the task exists");
        }
        self.current = Some(span);
        span
    }

    /// The span with the number of its tasks.
    fn counted(&self, span: Span) -> Span {
        let class = &self.search.classes[span.class];
        let representative = &class.representatives[span.representative];
        let asked = self.search.symmetry.asked_rank(representative);
        let tasks = class.tasks(span.shelf, asked);
        Span { tasks, ..span }
    }

    fn after(&self, span: Span) -> Option<Span> {
        let class = &self.search.classes[span.class];
        let mut next = Span {
            representative: span.representative + 1,
            first: span.end(),
            tasks: 0,
            ..span
        };
        // Representatives of an even board ask for ever higher ranks.
        let is_over = span.tasks == 0 && self.search.n.is_multiple_of(2);
        if is_over || next.representative == class.representatives.len() {
            next.representative = 0;
            next.shelf += 1;
            if next.shelf == class.shelves() {
                next.shelf = 0;
                next.class += 1;
            }
        }
        (next.class < self.search.classes.len()).then(|| self.counted(next))
    }
}

impl Iterator for Spans<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        self.current = match self.current {
            // Squares may be required and forbidden so that there is no task at all.
            None if self.search.classes.is_empty() => None,
            None => Some(self.counted(Span::default())),
            Some(span) => Some(self.after(span)?),
        };
        self.current
    }
}
