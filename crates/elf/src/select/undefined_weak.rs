//! One decision for each undefined weak name: whether the loader looks it up, or it is zero.
//!
//! A program has fields that only the linker can fill: immediates, distances from code at fixed
//! addresses, and words in read-only pages. There the name is zero, while its GOT word and PLT
//! entry would get the definition of a library at run time. Scanning notes such fields; when all
//! references are known, the uses of each name are made to agree:
//!
//! - A name in an immediate or a distance is zero wherever it is used, and not imported, as with
//!   GNU ld.
//! - Words get a dynamic relocation if something else imports the name; otherwise they stay zero,
//!   as with all linkers. GNU ld does this in position-independent programs. In programs at fixed
//!   addresses it leaves uses that disagree, as lld does everywhere.

use super::scan::{Needs, Problem, RelocId, ScanInput, ScanOutput, need};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, attr};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use std::sync::atomic::Ordering;

/// Fields with the address of an undefined weak name, which are zero unless something else imports
/// the name.
#[derive(Debug, Default)]
pub struct WeakFields {
    /// Names in fields that the linker must fill.
    pub fixed: Vec<NameId>,
    /// Words that the loader could fill.
    pub words: Vec<(RelocId, NameId)>,
}

impl WeakFields {
    /// Adds what another worker noted.
    pub fn append(&mut self, other: &mut WeakFields) {
        self.fixed.append(&mut other.fixed);
        self.words.append(&mut other.words);
    }
}

impl ScanOutput {
    /// Lets the loader fill words whose names something else imports. Leaves in
    /// [`WeakFields::fixed`] only the names that are zero although something would import them.
    pub fn settle_weak_fields(&mut self, input: &ScanInput<'_>) {
        let WeakFields { fixed, words } = &mut self.weak_fields;
        if fixed.is_empty() && words.is_empty() {
            return;
        }
        let fixed_names: UnorderedSet<NameId> = fixed.drain(..).collect();
        let mut imported: UnorderedSet<NameId> = UnorderedSet::new();
        let weak = |name: &NameId| input.definitions.globals[*name].has(attr::UNDEF_WEAK);
        let of_loader = self.symbolic.iter().filter_map(|&(_, name)| name.get());
        imported.extend(of_loader.filter(weak));
        let is_imported = |name: NameId| {
            input.needs[name].load(Ordering::Relaxed) & (need::GOT | need::PLT) != 0
                || imported.contains(&name)
        };
        let mut filled = std::mem::take(words);
        filled.retain(|&(_, name)| is_imported(name) && !fixed_names.contains(&name));
        *fixed = fixed_names.into_sorted();
        fixed.retain(|&name| is_imported(name));
        if !fixed.is_empty() {
            // Words that got a dynamic relocation only because the name was an import.
            let is_fixed = |name: NameId| fixed.binary_search(&name).is_ok();
            self.symbolic.retain(|&(_, name)| !name.get().is_some_and(is_fixed));
        }
        for (place, name) in filled {
            self.leave_to_loader(input, place, name);
        }
    }

    /// Adds a dynamic relocation at `place`, if the loader may write there.
    pub(super) fn leave_to_loader(&mut self, input: &ScanInput<'_>, place: RelocId, name: NameId) {
        let is_writable = input.section(place.section).flags.has(SectionFlags::WRITE);
        if !is_writable && !input.allow_text_relocations {
            self.problems.push((place, Problem::TextRelocation));
            return;
        }
        self.has_text_relocations |= !is_writable;
        if !is_writable && input.warn_text_relocations {
            self.problems.push((place, Problem::AllowedTextRelocation));
        }
        self.symbolic.push((place, name.into()));
    }

    /// Removes the names of [`WeakFields::fixed`] from the imports. Their GOT words stay, and are
    /// zero.
    pub fn forget_weak_imports(&mut self, definitions: &mut Definitions, needs: &Needs) {
        for name in self.weak_fields.fixed.drain(..) {
            definitions.globals[name].attributes &= !attr::IMPORTED;
            needs[name].fetch_and(!need::PLT, Ordering::Relaxed);
        }
    }
}
