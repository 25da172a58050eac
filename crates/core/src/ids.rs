//! Ids: dense numbers of entities, each kind of entity with a type of its own, and columns that
//! only ids of that kind index.
//!
//! An id is a `u32` and costs what a `u32` costs: [`Column::index`](std::ops::Index) is the bounds
//! check that indexing a slice is. An id that may be missing is an [`OptionalId`], four bytes too.

use crate::column::{self, ZeroValid};
use crate::par::prelude::*;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// What the ids of one kind of entity have in common. Types of it are made by [`id!`](crate::id).
pub trait Id: Copy + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The id of the entity at `index` of its columns.
    fn from_index(index: usize) -> Self;
    /// The index of this id in its columns.
    fn index(self) -> usize;
}

/// Makes the type of one kind of id.
#[macro_export]
macro_rules! id {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default,
            ::zerocopy::FromBytes, ::zerocopy::IntoBytes,
            ::zerocopy::Immutable, ::zerocopy::KnownLayout,
        )]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[inline(always)]
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// The id of the entity at `index` of its columns.
            #[inline(always)]
            pub const fn from_index(index: usize) -> $name {
                debug_assert!(index <= u32::MAX as usize);
                $name(index as u32)
            }

            /// The id as a number, to be stored in packed words.
            #[inline(always)]
            pub const fn number(self) -> u32 {
                self.0
            }

            /// The index of this id in its columns.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// This id and all behind it.
            #[inline(always)]
            pub fn onward(self) -> impl Iterator<Item = $name> + Clone {
                (self.0..).map($name)
            }
        }

        /// The id that is so many behind this one.
        impl ::std::ops::Add<u32> for $name {
            type Output = $name;

            #[inline(always)]
            fn add(self, count: u32) -> $name {
                $name(self.0 + count)
            }
        }

        /// The distance of two ids.
        impl ::std::ops::Sub for $name {
            type Output = u32;

            #[inline(always)]
            fn sub(self, other: $name) -> u32 {
                self.0 - other.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl From<$name> for u64 {
            #[inline(always)]
            fn from(id: $name) -> u64 {
                u64::from(id.0)
            }
        }

        impl $crate::ids::Id for $name {
            #[inline(always)]
            fn from_index(index: usize) -> $name {
                $name::from_index(index)
            }

            #[inline(always)]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// An id or none, in four bytes: none is the greatest number, which no entity has.
#[repr(transparent)]
#[derive(::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable)]
pub struct OptionalId<I>(u32, PhantomData<I>);

impl<I> OptionalId<I> {
    /// No id: the greatest number.
    pub const NONE: OptionalId<I> = OptionalId(u32::MAX, PhantomData);

    /// Whether there is no id.
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    /// Whether there is an id.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }

    /// As a word for an atomic column: see [`OptionalId::from_word`].
    #[inline(always)]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The id of a word that [`OptionalId::word`] gave.
    #[inline(always)]
    pub const fn from_word(word: u32) -> OptionalId<I> {
        OptionalId(word, PhantomData)
    }
}

impl<I: Id> OptionalId<I> {
    /// The id, if there is one.
    #[inline(always)]
    pub fn get(self) -> Option<I> {
        self.is_some().then(|| I::from_index(self.0 as usize))
    }

    /// The id of a field that must have one by now. If it has none, the result is beyond the end of
    /// every column, so that indexing by it panics.
    #[inline(always)]
    pub fn known(self) -> I {
        I::from_index(self.0 as usize)
    }

    /// The id; panics with `why` if there is none.
    #[inline(always)]
    pub fn expect(self, why: &str) -> I {
        self.get().expect(why)
    }
}

impl<I: Id> From<I> for OptionalId<I> {
    #[inline(always)]
    fn from(id: I) -> OptionalId<I> {
        OptionalId(id.index() as u32, PhantomData)
    }
}

impl<I: Id> From<Option<I>> for OptionalId<I> {
    #[inline(always)]
    fn from(id: Option<I>) -> OptionalId<I> {
        id.map_or(OptionalId::NONE, OptionalId::from)
    }
}

impl<I> Clone for OptionalId<I> {
    #[inline(always)]
    fn clone(&self) -> OptionalId<I> {
        *self
    }
}

impl<I> Copy for OptionalId<I> {}

impl<I> Default for OptionalId<I> {
    fn default() -> OptionalId<I> {
        OptionalId::NONE
    }
}

impl<I> PartialEq for OptionalId<I> {
    #[inline(always)]
    fn eq(&self, other: &OptionalId<I>) -> bool {
        self.0 == other.0
    }
}

impl<I> Eq for OptionalId<I> {}

impl<I> PartialOrd for OptionalId<I> {
    #[inline(always)]
    fn partial_cmp(&self, other: &OptionalId<I>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// None comes after all ids.
impl<I> Ord for OptionalId<I> {
    #[inline(always)]
    fn cmp(&self, other: &OptionalId<I>) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<I> Hash for OptionalId<I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<I: Id> fmt::Debug for OptionalId<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A property of each entity of a kind: a slice that only ids of that kind index.
///
/// For loops, lengths and parts it is a slice like `[T]`.
#[repr(transparent)]
pub struct IdSlice<I, T> {
    id: PhantomData<I>,
    items: [T],
}

impl<I: Id, T> IdSlice<I, T> {
    /// `items` as a column whose first id is 0.
    #[inline(always)]
    pub fn new(items: &[T]) -> &IdSlice<I, T> {
        // SAFETY: the type is a transparent one over `[T]`.
        unsafe { &*(std::ptr::from_ref(items) as *const IdSlice<I, T>) }
    }

    /// [`IdSlice::new`] of a slice that may be changed.
    #[inline(always)]
    pub fn new_mut(items: &mut [T]) -> &mut IdSlice<I, T> {
        // SAFETY: the type is a transparent one over `[T]`.
        unsafe { &mut *(std::ptr::from_mut(items) as *mut IdSlice<I, T>) }
    }

    /// The items as a plain slice.
    #[inline(always)]
    pub const fn items(&self) -> &[T] {
        &self.items
    }

    /// The item of `id`; `None` if the column is too short.
    #[inline(always)]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// [`IdSlice::get`], to be changed.
    #[inline(always)]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// The id behind that of the last item.
    #[inline(always)]
    pub fn end(&self) -> I {
        I::from_index(self.items.len())
    }

    /// The ids of all items, ascending.
    pub fn ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// The ids of all items, for parallel loops.
    pub fn par_ids(&self) -> impl IndexedParallelIterator<Item = I> + use<I, T> {
        (0..self.items.len()).into_par_iter().map(I::from_index)
    }

    /// The ids of a range, each with its item.
    #[inline]
    pub fn part(&self, ids: Range<I>) -> impl DoubleEndedIterator<Item = (I, &T)> + Clone {
        let first = ids.start.index();
        let items = self[ids].iter().enumerate();
        items.map(move |(index, item)| (I::from_index(first + index), item))
    }

    /// All ids, each with its item.
    #[inline]
    pub fn with_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// [`IdSlice::with_ids`], with items that may be changed.
    #[inline]
    pub fn with_ids_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        self.items.iter_mut().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// [`IdSlice::with_ids`] for parallel loops.
    pub fn par_with_ids(&self) -> impl IndexedParallelIterator<Item = (I, &T)>
    where
        T: Sync,
    {
        self.items.par_iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// [`IdSlice::with_ids_mut`] for parallel loops.
    pub fn par_with_ids_mut(&mut self) -> impl IndexedParallelIterator<Item = (I, &mut T)>
    where
        T: Send,
    {
        self.items.par_iter_mut().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// Parts of `size` items, each with the id of its first.
    pub fn par_parts(&self, size: usize) -> impl IndexedParallelIterator<Item = (I, &[T])>
    where
        T: Sync,
    {
        let parts = self.items.par_chunks(size).enumerate();
        parts.map(move |(part, items)| (I::from_index(part * size), items))
    }

    /// The range of `id`, in a column that holds the start of each entity's range, and the end of
    /// the last one as a further item.
    #[inline(always)]
    pub fn range_of(&self, id: I) -> Range<T>
    where
        T: Copy,
    {
        self[id]..self.items[id.index() + 1]
    }

    /// The ranges of all entities, in a column as for [`IdSlice::range_of`].
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<T>> + ExactSizeIterator
    where
        T: Copy,
    {
        self.items.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// Prefetches the item of `id`; an id past the end has no effect.
    #[inline(always)]
    pub fn prefetch(&self, id: I) {
        column::prefetch(&self.items, id.index());
    }
}

impl<I: Id, T> Default for &IdSlice<I, T> {
    fn default() -> Self {
        IdSlice::new(&[])
    }
}

impl<I, T> Deref for IdSlice<I, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IdSlice<I, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I: Id, T> Index<I> for IdSlice<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdSlice<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> Index<Range<I>> for IdSlice<I, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, ids: Range<I>) -> &[T] {
        &self.items[ids.start.index()..ids.end.index()]
    }
}

impl<I: Id, T> IndexMut<Range<I>> for IdSlice<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, ids: Range<I>) -> &mut [T] {
        &mut self.items[ids.start.index()..ids.end.index()]
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdSlice<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<'a, I, T> IntoIterator for &'a IdSlice<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdSlice<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

/// An [`IdSlice`] that owns its items.
pub struct Column<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Column<I, T> {
    /// A column without items.
    pub const fn new() -> Column<I, T> {
        Column { items: Vec::new(), id: PhantomData }
    }

    /// The items as a vector, to change their number.
    pub fn as_vec(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// The items as a vector.
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }

    /// Drops the items behind the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }
}

impl<I: Id, T> Column<I, T> {
    /// A column of `len` items that are all `value`.
    pub fn filled(value: T, len: usize) -> Column<I, T>
    where
        T: Clone,
    {
        Column::from(vec![value; len])
    }

    /// A column of `len` zeros that will be used as a whole: see [`column::zeroed`].
    pub fn zeroed(len: usize) -> Column<I, T>
    where
        T: ZeroValid + Sync,
    {
        Column::from(column::zeroed(len))
    }

    /// A column of `len` zeros of which few may be used: see [`column::reserved`].
    pub fn reserved(len: usize) -> Column<I, T>
    where
        T: ZeroValid,
    {
        Column::from(column::reserved(len))
    }

    /// Adds the item of a new entity; returns its id.
    #[inline]
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// Adds items `value` until there are `len`, or drops those behind.
    pub fn resize(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.items.resize(len, value);
    }
}

impl<I: Id, T> Deref for Column<I, T> {
    type Target = IdSlice<I, T>;

    #[inline(always)]
    fn deref(&self) -> &IdSlice<I, T> {
        IdSlice::new(&self.items)
    }
}

impl<I: Id, T> DerefMut for Column<I, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut IdSlice<I, T> {
        IdSlice::new_mut(&mut self.items)
    }
}

impl<I, T> From<Vec<T>> for Column<I, T> {
    #[inline(always)]
    fn from(items: Vec<T>) -> Column<I, T> {
        Column { items, id: PhantomData }
    }
}

impl<I, T> Default for Column<I, T> {
    fn default() -> Column<I, T> {
        Column::new()
    }
}

impl<I, T: PartialEq> PartialEq for Column<I, T> {
    fn eq(&self, other: &Column<I, T>) -> bool {
        self.items == other.items
    }
}

impl<I, T: Eq> Eq for Column<I, T> {}

impl<I, T: Clone> Clone for Column<I, T> {
    fn clone(&self) -> Column<I, T> {
        Column::from(self.items.clone())
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Column<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I, T> FromIterator<T> for Column<I, T> {
    fn from_iter<F: IntoIterator<Item = T>>(items: F) -> Column<I, T> {
        Column::from(Vec::from_iter(items))
    }
}

impl<I: Id, T: Send> FromParallelIterator<T> for Column<I, T> {
    fn from_par_iter<F: rayon::iter::IntoParallelIterator<Item = T>>(items: F) -> Column<I, T> {
        Column::from(Vec::from_par_iter(items))
    }
}

impl<I, T> Extend<T> for Column<I, T> {
    fn extend<F: IntoIterator<Item = T>>(&mut self, items: F) {
        self.items.extend(items);
    }
}

impl<I, T> IntoIterator for Column<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a Column<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut Column<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

/// Ranges of indices that are stored as smaller integers.
pub trait IndexRange {
    /// The range, to index a slice with.
    fn wide(&self) -> Range<usize>;
}

impl IndexRange for Range<u64> {
    #[inline(always)]
    fn wide(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl IndexRange for Range<u32> {
    #[inline(always)]
    fn wide(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Iteration over ranges of ids, which are not iterators themselves.
pub trait IdRange<I: Id> {
    /// The ids of the range, ascending.
    fn ids(self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone;
    /// The ids of the range, for parallel loops.
    fn par_ids(self) -> impl IndexedParallelIterator<Item = I>;
    /// The indices of the range in the columns.
    fn indices(self) -> Range<usize>;
    /// How many ids the range has.
    fn size(&self) -> usize;
}

impl<I: Id> IdRange<I> for Range<I> {
    #[inline(always)]
    fn ids(self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone {
        self.indices().map(I::from_index)
    }

    fn par_ids(self) -> impl IndexedParallelIterator<Item = I> {
        self.indices().into_par_iter().map(I::from_index)
    }

    #[inline(always)]
    fn indices(self) -> Range<usize> {
        self.start.index()..self.end.index()
    }

    #[inline(always)]
    fn size(&self) -> usize {
        self.end.index().saturating_sub(self.start.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    id!(
        /// An id of these tests.
        TestId
    );

    #[test]
    fn none_is_an_id_that_no_entity_has() {
        let none = OptionalId::<TestId>::NONE;
        assert_eq!((none.get(), none.is_none(), none.is_some()), (None, true, false));
        assert_eq!(OptionalId::from(None::<TestId>), none);
        let some = OptionalId::from(TestId::new(7));
        assert_eq!((TestId::new(7).number(), (TestId::new(6) + 1).index()), (7, 7));
        assert_eq!((some.get(), some.is_none()), (Some(TestId::new(7)), false));
        assert!(some < none);
        assert_eq!(size_of_val(&some), 4);
        assert_eq!(OptionalId::<TestId>::from_word(some.word()), some);
    }

    #[test]
    fn columns_are_indexed_by_ids() {
        let mut column: Column<TestId, u8> = Column::zeroed(2);
        let last = column.push(9);
        assert_eq!((last, column.end()), (TestId::new(2), TestId::new(3)));
        column[TestId::new(1)] = 4;
        assert_eq!(column.items(), [0, 4, 9]);
        assert_eq!(column[TestId::new(1)..column.end()], [4, 9]);
        assert_eq!(column.get(TestId::new(3)), None);
        let doubled: Column<TestId, u8> = column.par_iter().map(|v| v * 2).collect();
        assert_eq!(doubled.with_ids().next_back(), Some((last, &18)));
        assert_eq!(column.par_ids().map(|id| u32::from(column[id])).sum::<u32>(), 13);
        assert!((TestId::new(1)..last).ids().eq([TestId::new(1)]));
    }
}
