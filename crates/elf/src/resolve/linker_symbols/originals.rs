//! Definitions that an assignment replaces.
//!
//! The symbol of an assignment has the value that is assigned, wherever the program refers to it.
//! Expressions that are evaluated before the assignment, and the assignment itself (`k = k + 4`),
//! still mean what an object or the linker defined; `DEFINED(k)` holds for it.

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
    /// A library, of a name that an option assigns behind all scripts.
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
    /// Notes what defines `name`, unless that is known or nothing does. `mark` is what the symbol
    /// marks if the linker defines it; `by_option`: an option assigns it, and no script.
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

    /// What defined a name before an assignment did.
    pub fn get(&self, name: NameId) -> Option<&Original> {
        self.places.get(&name).map(|&at| &self.list[at].1)
    }

    /// Whether `DEFINED` holds for a name before it is assigned: not for a library's, which a
    /// script's assignment takes the place of, as in GNU ld; when an option does, the library is
    /// already read.
    pub fn defines(&self, name: NameId) -> bool {
        self.get(name).is_some_and(|original| !matches!(original, Original::Library))
    }

    /// All of them, in the order of the assignments.
    pub fn iter(&self) -> impl Iterator<Item = &(NameId, Original)> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Original {
    /// Whether its value does not move with the output.
    pub fn is_absolute(&self) -> bool {
        match self {
            Original::Object(_, definition) => definition.has(attr::ABSOLUTE),
            Original::Common => true,
            Original::Library | Original::LibraryBeforeOption | Original::Linker(_) => false,
        }
    }
}
