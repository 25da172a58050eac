//! `SORT_BY_INIT_PRIORITY`, as GNU ld sorts (`compare_section` in `ldlang.c`): by the numbers at
//! the end of names if both have one, otherwise by the names.
//!
//! If some names have no number, this is not a total order, and the result depends on the
//! algorithm: GNU ld inserts each section into a binary tree.

use super::section_names::init_priority;
use std::cmp::Ordering;

/// If some names have no number, more sections than this are not inserted one by one, because a
/// tree of sorted sections degenerates to a list.
const MOST: usize = 4096;

/// A section with its sort key.
struct Item<'a, T> {
    priority: Option<u32>,
    name: &'a [u8],
    what: T,
}

impl<T> Item<'_, T> {
    fn compare(&self, other: &Item<'_, T>) -> Ordering {
        let by_name = self.name.cmp(other.name);
        match self.priority.zip(other.priority) {
            Some((own, other)) => own.cmp(&other).then(by_name),
            None => by_name,
        }
    }
}

/// Sorts sections; equal ones keep their order.
pub fn sort<'a, T: Copy>(sections: &mut [T], name: impl Fn(T) -> &'a [u8]) {
    let item = |&what: &T| {
        let name = name(what);
        Item { priority: init_priority(name), name, what }
    };
    let mut items: Vec<Item<'_, T>> = sections.iter().map(item).collect();
    let numbered = items.iter().filter(|item| item.priority.is_some()).count();
    if numbered == 0 || numbered == items.len() {
        items.sort_by(Item::compare);
    } else if items.len() <= MOST {
        items = inserted(items);
    } else {
        items.sort_by(|a, b| a.priority.cmp(&b.priority).then(a.name.cmp(b.name)));
    }
    for (section, item) in sections.iter_mut().zip(items) {
        *section = item.what;
    }
}

/// The items in the order of a binary tree into which they are inserted one by one.
fn inserted<T>(items: Vec<Item<'_, T>>) -> Vec<Item<'_, T>> {
    let mut below: Vec<[Option<usize>; 2]> = vec![[None; 2]; items.len()];
    for at in 1..items.len() {
        let mut node = 0;
        loop {
            let side = usize::from(items[at].compare(&items[node]) != Ordering::Less);
            match below[node][side] {
                Some(next) => node = next,
                None => {
                    below[node][side] = Some(at);
                    break;
                }
            }
        }
    }
    let mut order = Vec::with_capacity(items.len());
    let (mut open, mut next) = (Vec::new(), (!items.is_empty()).then_some(0));
    while next.is_some() || !open.is_empty() {
        while let Some(node) = next {
            open.push(node);
            next = below[node][0];
        }
        if let Some(node) = open.pop() {
            order.push(node);
            next = below[node][1];
        }
    }
    let mut items: Vec<Option<Item<'_, T>>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| items[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn numbers_count_between_names_that_have_them() {
        let sorted = |names: &[&'static str]| {
            let mut names = names.to_vec();
            sort(&mut names, |name| name.as_bytes());
            names.join(" ")
        };
        assert_eq!(sorted(&[".a.20", ".a.3", ".a.003"]), ".a.003 .a.3 .a.20");
        assert_eq!(sorted(&[".b", ".a", ".b"]), ".a .b .b");
        assert_eq!(sorted(&[".a.5", ".a", ".a.12", ".a.3"]), ".a .a.3 .a.5 .a.12");
        // Not a total order: the result is that of the tree.
        assert_eq!(sorted(&[".a.12", ".a.2x", ".a.3"]), ".a.3 .a.12 .a.2x");
        assert_eq!(sorted(&[]), "");
    }
}
