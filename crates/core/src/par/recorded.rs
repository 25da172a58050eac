//! Rayon's parallel loops for a build that records them ([`super::recorder`]): each loop notes its
//! items.

use super::recorder::{self, Loop, Place};
use rayon::iter::plumbing::{Consumer, Folder, Producer, ProducerCallback, UnindexedConsumer};
use rayon::iter::{self, IndexedParallelIterator, MaxLen, ParallelIterator};
use rayon::slice;
use std::panic::Location;

/// A parallel iterator that notes each item when it is asked for.
pub struct Recorded<I> {
    base: I,
    most: usize,
    place: Place,
}

impl<I> Recorded<I> {
    fn new(base: I, place: Place) -> Recorded<I> {
        Recorded { base, most: 0, place }
    }

    fn begin(&self) -> Loop {
        Loop::begin(self.most, self.place)
    }
}

impl<I: IndexedParallelIterator> Recorded<I> {
    /// As in rayon: threads take at most `most` items at once.
    pub fn with_max_len(mut self, most: usize) -> MaxLen<Recorded<I>> {
        self.most = most;
        IndexedParallelIterator::with_max_len(self, most)
    }
}

impl<I: ParallelIterator> ParallelIterator for Recorded<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let noted = self.begin();
        self.base.drive_unindexed(Noting { base: consumer, noted: &noted })
    }

    fn opt_len(&self) -> Option<usize> {
        self.base.opt_len()
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for Recorded<I> {
    fn len(&self) -> usize {
        self.base.len()
    }

    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        let noted = self.begin();
        self.base.drive(Noting { base: consumer, noted: &noted })
    }

    fn with_producer<C: ProducerCallback<I::Item>>(self, callback: C) -> C::Output {
        let noted = self.begin();
        self.base.with_producer(Called { base: callback, noted: &noted })
    }
}

struct Called<'n, C> {
    base: C,
    noted: &'n Loop,
}

impl<T, C: ProducerCallback<T>> ProducerCallback<T> for Called<'_, C> {
    type Output = C::Output;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Output {
        self.base.callback(Noting { base: producer, noted: self.noted })
    }
}

/// A producer or consumer of items that notes each of them.
struct Noting<'n, B> {
    base: B,
    noted: &'n Loop,
}

impl<'n, P: Producer> Producer for Noting<'n, P> {
    type Item = P::Item;
    type IntoIter = Noting<'n, P::IntoIter>;

    fn into_iter(self) -> Self::IntoIter {
        Noting { base: self.base.into_iter(), noted: self.noted }
    }

    fn min_len(&self) -> usize {
        self.base.min_len()
    }

    fn max_len(&self) -> usize {
        self.base.max_len()
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(at);
        (Noting { base: left, noted: self.noted }, Noting { base: right, noted: self.noted })
    }
}

impl<I: Iterator> Iterator for Noting<'_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let next = self.base.next()?;
        self.noted.item();
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.base.size_hint()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Noting<'_, I> {
    fn next_back(&mut self) -> Option<I::Item> {
        let next = self.base.next_back()?;
        self.noted.item();
        Some(next)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Noting<'_, I> {}

impl<'n, T, C: Consumer<T>> Consumer<T> for Noting<'n, C> {
    type Folder = Noting<'n, C::Folder>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    fn split_at(self, at: usize) -> (Self, Self, C::Reducer) {
        let (left, right, reducer) = self.base.split_at(at);
        let noting = |base| Noting { base, noted: self.noted };
        (noting(left), noting(right), reducer)
    }

    fn into_folder(self) -> Self::Folder {
        Noting { base: self.base.into_folder(), noted: self.noted }
    }

    fn full(&self) -> bool {
        self.base.full()
    }
}

impl<T, C: UnindexedConsumer<T>> UnindexedConsumer<T> for Noting<'_, C> {
    fn split_off_left(&self) -> Self {
        Noting { base: self.base.split_off_left(), noted: self.noted }
    }

    fn to_reducer(&self) -> C::Reducer {
        self.base.to_reducer()
    }
}

impl<T, F: Folder<T>> Folder<T> for Noting<'_, F> {
    type Result = F::Result;

    fn consume(self, item: T) -> Self {
        self.noted.item();
        Noting { base: self.base.consume(item), noted: self.noted }
    }

    fn complete(self) -> F::Result {
        self.base.complete()
    }

    fn full(&self) -> bool {
        self.base.full()
    }
}

/// As in rayon, but iterators record their items.
pub trait IntoParallelIterator: iter::IntoParallelIterator + Sized {
    /// As in rayon.
    #[track_caller]
    fn into_par_iter(self) -> Recorded<<Self as iter::IntoParallelIterator>::Iter> {
        Recorded::new(iter::IntoParallelIterator::into_par_iter(self), Location::caller())
    }
}

impl<T: iter::IntoParallelIterator> IntoParallelIterator for T {}

/// As in rayon, but iterators record their items.
pub trait IntoParallelRefIterator<'d>: iter::IntoParallelRefIterator<'d> {
    /// As in rayon.
    #[track_caller]
    fn par_iter(&'d self) -> Recorded<<Self as iter::IntoParallelRefIterator<'d>>::Iter> {
        Recorded::new(iter::IntoParallelRefIterator::par_iter(self), Location::caller())
    }
}

impl<'d, T: iter::IntoParallelRefIterator<'d> + ?Sized> IntoParallelRefIterator<'d> for T {}

/// As in rayon, but iterators record their items.
pub trait IntoParallelRefMutIterator<'d>: iter::IntoParallelRefMutIterator<'d> {
    /// As in rayon.
    #[track_caller]
    fn par_iter_mut(
        &'d mut self,
    ) -> Recorded<<Self as iter::IntoParallelRefMutIterator<'d>>::Iter> {
        Recorded::new(iter::IntoParallelRefMutIterator::par_iter_mut(self), Location::caller())
    }
}

impl<'d, T: iter::IntoParallelRefMutIterator<'d> + ?Sized> IntoParallelRefMutIterator<'d> for T {}

/// As in rayon, but iterators record their items.
pub trait ParallelSlice<T: Sync> {
    /// The slice as such.
    fn elements(&self) -> &[T];

    /// As in rayon.
    #[track_caller]
    fn par_chunks(&self, size: usize) -> Recorded<slice::Chunks<'_, T>> {
        Recorded::new(slice::ParallelSlice::par_chunks(self.elements(), size), Location::caller())
    }

    /// As in rayon.
    #[track_caller]
    fn par_chunk_by<F>(&self, same: F) -> Recorded<slice::ChunkBy<'_, T, F>>
    where
        F: Fn(&T, &T) -> bool + Send + Sync,
    {
        Recorded::new(slice::ParallelSlice::par_chunk_by(self.elements(), same), Location::caller())
    }
}

impl<T: Sync> ParallelSlice<T> for [T] {
    fn elements(&self) -> &[T] {
        self
    }
}

/// As in rayon, but iterators record their items, and sorts are recorded.
pub trait ParallelSliceMut<T: Send> {
    /// The slice as such.
    fn elements_mut(&mut self) -> &mut [T];

    /// As in rayon.
    #[track_caller]
    fn par_chunks_mut(&mut self, size: usize) -> Recorded<slice::ChunksMut<'_, T>> {
        Recorded::new(
            slice::ParallelSliceMut::par_chunks_mut(self.elements_mut(), size),
            Location::caller(),
        )
    }

    /// As in rayon.
    #[track_caller]
    fn par_chunk_by_mut<F>(&mut self, same: F) -> Recorded<slice::ChunkByMut<'_, T, F>>
    where
        F: Fn(&T, &T) -> bool + Send + Sync,
    {
        Recorded::new(
            slice::ParallelSliceMut::par_chunk_by_mut(self.elements_mut(), same),
            Location::caller(),
        )
    }

    /// As in rayon.
    #[track_caller]
    fn par_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K + Sync) {
        sort(self.elements_mut(), Location::caller(), |elements| {
            slice::ParallelSliceMut::par_sort_by_key(elements, key)
        });
    }

    /// As in rayon.
    #[track_caller]
    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        sort(self.elements_mut(), Location::caller(), |elements| {
            slice::ParallelSliceMut::par_sort_unstable(elements)
        });
    }

    /// As in rayon.
    #[track_caller]
    fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> std::cmp::Ordering + Sync) {
        sort(self.elements_mut(), Location::caller(), |elements| {
            slice::ParallelSliceMut::par_sort_unstable_by(elements, compare);
        });
    }

    /// As in rayon.
    #[track_caller]
    fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K + Sync) {
        sort(self.elements_mut(), Location::caller(), |elements| {
            slice::ParallelSliceMut::par_sort_unstable_by_key(elements, key);
        });
    }
}

impl<T: Send> ParallelSliceMut<T> for [T] {
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

fn sort<T: Send>(elements: &mut [T], place: Place, act: impl FnOnce(&mut [T])) {
    recorder::sort(elements.len(), place, || act(elements));
}

/// As in rayon; both closures are recorded as tasks.
#[track_caller]
pub fn join<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let noted = Loop::begin(1, Location::caller());
    let noted = &noted;
    rayon::join(
        move || {
            noted.item();
            first()
        },
        move || {
            noted.item();
            second()
        },
    )
}

/// As in rayon, but spawned tasks are recorded only if the scope itself spawns them.
pub struct Scope<'s, 'scope> {
    base: &'s rayon::Scope<'scope>,
    noted: &'static Loop,
}

impl<'scope> Scope<'_, 'scope> {
    /// As in rayon.
    pub fn spawn(&self, task: impl FnOnce(&rayon::Scope<'scope>) + Send + 'scope) {
        let noted = self.noted;
        self.base.spawn(move |scope| {
            noted.item();
            task(scope);
        });
    }
}

/// As in rayon.
#[track_caller]
pub fn scope<'scope, R: Send>(begin: impl for<'s> FnOnce(&Scope<'s, 'scope>) -> R + Send) -> R {
    let noted: &'static Loop = Box::leak(Box::new(Loop::begin(1, Location::caller())));
    let result = rayon::scope(|base| begin(&Scope { base, noted }));
    noted.end();
    result
}
