//! Definitions that an assignment replaces.
//!
//! The symbol of an assignment has the value that is assigned, wherever the program refers to it.
//! Expressions that are evaluated before the assignment, and the assignment itself (`k = k + 4`),
//! still use the definition of an object or of the linker. `DEFINED(k)` is true for that
//! definition.

use super::Mark;
use crate::resolve::definitions::{Definition, Definitions, Rank, Strength, attr};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;

/// Who defined a name before an assignment did.
#[derive(Debug, Clone)]
pub enum Original {
    /// An object defined the name.
    Object(Rank, Definition),
    /// An object, as a common symbol that gets no room: it has no value of its own.
    Common,
    /// A library: expressions cannot use its address, which only the loader knows.
    Library,
    /// A library defines the name, and an option, not a script, assigns it.
    LibraryBeforeOption,
    /// The linker defined the name.
    Linker(Mark),
}

/// The definitions that assignments replace, by name.
#[derive(Debug, Default)]
pub struct Originals {
    list: Vec<(NameId, Original)>,
    places: UnorderedMap<NameId, usize>,
}

impl Originals {
    /// Notes the definition of `name`, unless it is noted already or there is none. `mark` is the
    /// address that the symbol marks if the linker defines it. `by_option`: an option assigns the
    /// name, and no script.
    pub fn note(
        &mut self,
        definitions: &Definitions,
        name: NameId,
        by_option: bool,
        mark: impl FnOnce() -> Option<Mark>,
    ) {
        if self.places.get(&name).is_some() {
            return;
        }
        let (global, rank) = (definitions.globals[name], definitions.ranks[name]);
        let original = if global.has(attr::SYNTHETIC) {
            let Some(mark) = mark() else { return };
            Original::Linker(mark)
        } else if rank.strength() <= Strength::Weak {
            Original::Object(rank, global)
        } else if rank.strength() == Strength::Shared {
            if by_option { Original::LibraryBeforeOption } else { Original::Library }
        } else if definitions.assigned_commons.iter().any(|common| common.0 == name) {
            Original::Common
        } else {
            return;
        };
        self.places.insert(name, self.list.len());
        self.list.push((name, original));
    }

    /// The definition of a name that assignments replace.
    pub fn get(&self, name: NameId) -> Option<&Original> {
        self.places.get(&name).map(|&at| &self.list[at].1)
    }

    /// Whether `DEFINED` is true for a name before it is assigned. A library's definition does not
    /// count if a script assigns the name, as in GNU ld. It counts if an option does, because the
    /// library has been read by then.
    pub fn defines(&self, name: NameId) -> bool {
        self.get(name).is_some_and(|original| !matches!(original, Original::Library))
    }

    /// All originals, in the order of the assignments.
    pub fn iter(&self) -> impl Iterator<Item = &(NameId, Original)> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Original {
    /// Whether the value does not move with the output.
    pub fn is_absolute(&self) -> bool {
        match self {
            Original::Object(_, definition) => definition.has(attr::ABSOLUTE),
            Original::Common => true,
            Original::Library | Original::LibraryBeforeOption | Original::Linker(_) => false,
        }
    }
}
