//! Chooses the unit that keeps a type which several units define: the first of them.
//!
//! A type stays in all units if its definitions differ. Then its name is ambiguous, and a debugger
//! that looks it up in a unit has to find the definition of that unit. All types that refer to an
//! ambiguous type stay in all units as well.

use super::UnitId;
use super::identity::Candidate;
use super::tree::EntryId;
use skald_core::hash::Hash128;
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_core::unordered::UnorderedMap;

id! {
    /// A type that one unit keeps for others.
    OwnedId
}

id! {
    /// The scope, kind and name of types.
    NameId
}

/// The unit and entry that keep a shared type.
#[derive(Debug, Clone, Copy)]
pub struct Owned {
    /// The unit that keeps it.
    pub unit: UnitId,
    /// The entry in that unit.
    pub entry: EntryId,
}

/// The definitions of a name that were found so far.
struct Name {
    content: Option<Hash128>,
    first: Owned,
    count: u32,
    /// The definitions differ, or one of them cannot be compared.
    is_ambiguous: bool,
    /// All definitions are equal, but have no DW_AT_decl_file, so they stay in all units.
    is_of_no_file: bool,
    /// Names of the types that the first definition refers to.
    uses: Vec<Hash128>,
}

/// All names, and which types have them.
#[derive(Default)]
pub struct Names {
    ids: UnorderedMap<Hash128, NameId>,
    all: Column<NameId, Name>,
    /// For each unit, its entries and their names, ascending.
    of_unit: Column<UnitId, Vec<(EntryId, NameId)>>,
}

/// Types that several units have.
#[derive(Default)]
pub struct Owners {
    /// Types that one unit keeps for others.
    pub owned: Column<OwnedId, Owned>,
    /// For each unit, its entries that are such types, ascending.
    pub of_unit: Column<UnitId, Vec<(EntryId, OwnedId)>>,
}

impl Names {
    /// Adds the types of the next unit.
    pub fn add(&mut self, candidates: Vec<Candidate>) {
        let unit = self.of_unit.end();
        let mut of_unit = Vec::new();
        for Candidate { entry, content, name, uses, is_of_no_file } in candidates {
            let id = *self.ids.entry(name).or_insert_with(|| {
                let (first, count) = (Owned { unit, entry }, 0);
                let is_ambiguous = false;
                self.all.push(Name { content, first, count, is_ambiguous, is_of_no_file, uses })
            });
            let seen = &mut self.all[id];
            seen.count = seen.count.saturating_add(1);
            seen.is_ambiguous |= content.is_none() || seen.content != content;
            of_unit.push((entry, id));
        }
        self.of_unit.push(of_unit);
    }

    /// Makes all types of a unit ambiguous, so that they stay, as do equally named types of other
    /// units.
    pub fn keep(&mut self, unit: UnitId) {
        for &(_, name) in &self.of_unit[unit] {
            self.all[name].is_ambiguous = true;
        }
    }

    /// Makes all types ambiguous that refer to ambiguous types.
    fn spread(&mut self) {
        let mut users: Column<NameId, Vec<NameId>> = self.all.iter().map(|_| Vec::new()).collect();
        for (user, name) in self.all.with_ids() {
            for used in name.uses.iter().filter_map(|used| self.ids.get(used)) {
                users[*used].push(user);
            }
        }
        let ambiguous = self.all.with_ids().filter(|(_, name)| name.is_ambiguous);
        let mut waiting: Vec<NameId> = ambiguous.map(|(id, _)| id).collect();
        while let Some(used) = waiting.pop() {
            for &user in &users[used] {
                if !std::mem::replace(&mut self.all[user].is_ambiguous, true) {
                    waiting.push(user);
                }
            }
        }
    }

    /// Makes the first unit with a type its owner, for later units with the same type.
    pub fn owners(&mut self) -> Owners {
        self.spread();
        let mut owners = Owners::default();
        let mut owned_of: Column<NameId, OptionalId<OwnedId>> =
            Column::filled(OptionalId::default(), self.all.len());
        for (unit, all) in self.of_unit.with_ids() {
            let mut of_unit = Vec::new();
            for &(entry, name) in all {
                let seen = &self.all[name];
                if seen.count < 2 || seen.is_ambiguous || seen.is_of_no_file {
                    continue;
                }
                if owned_of[name].is_none() {
                    owned_of[name] = owners.owned.push(seen.first).into();
                }
                // A unit that defines a type twice keeps both definitions.
                if seen.first.unit != unit || seen.first.entry == entry {
                    of_unit.push((entry, owned_of[name].known()));
                }
            }
            owners.of_unit.push(of_unit);
        }
        owners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: EntryId = EntryId::ROOT;

    fn candidate(name: u128, content: Option<u128>, uses: &[u128]) -> Candidate {
        Candidate { entry: ENTRY, content, name, uses: uses.to_vec(), is_of_no_file: false }
    }

    fn shared(units: Vec<Vec<Candidate>>) -> Vec<usize> {
        let mut names = Names::default();
        units.into_iter().for_each(|candidates| names.add(candidates));
        names.owners().of_unit.iter().map(Vec::len).collect()
    }

    #[test]
    fn the_first_keeps_what_all_have() {
        let type_1 = || candidate(1, Some(10), &[]);
        assert_eq!(shared(vec![vec![type_1()], vec![], vec![type_1()]]), [1, 0, 1]);
        assert_eq!(shared(vec![vec![type_1()], vec![]]), [0, 0]);
    }

    #[test]
    fn what_refers_to_a_name_with_two_meanings_stays() {
        let units = |second| {
            vec![
                vec![
                    candidate(1, Some(10), &[2]),
                    candidate(2, Some(20), &[3]),
                    candidate(3, Some(30), &[]),
                ],
                vec![
                    candidate(1, Some(10), &[2]),
                    candidate(2, Some(20), &[3]),
                    candidate(3, second, &[]),
                ],
            ]
        };
        assert_eq!(shared(units(Some(30))), [3, 3]);
        assert_eq!(shared(units(Some(31))), [0, 0]);
        assert_eq!(shared(units(None)), [0, 0]);
    }
}
