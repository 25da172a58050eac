//! Extraction resumes with files that were compiled from claimed ones: what the claimed files said
//! of names and COMDAT groups no longer holds.

use super::{Extractor, Worklist};
use crate::read::FileId;
use crate::read::candidates::Candidates;
use crate::resolve::comdat;
use crate::resolve::names::references::ref_flags;
use crate::resolve::names::symbol_names::{self, Role};
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;

/// Bits that objects give a name. The visibility that a claimed file gives still counts, as in GNU
/// ld and lld.
const OF_OBJECTS: u32 = ref_flags::UNDEF_STRONG
    | ref_flags::UNDEF_WEAK
    | ref_flags::DEFINED
    | ref_flags::DEFINED_BY_ROOT
    | ref_flags::DEFINED_BY_MEMBER
    | ref_flags::COMMON
    | ref_flags::UNDEF_FUNC
    | ref_flags::UNDEF_OBJECT
    | ref_flags::UNDEF_TLS;

impl Extractor<'_> {
    /// Resumes with the files that were compiled from claimed ones. They are the last of
    /// `candidates`, from `first` on, and count as standing at `place`.
    pub fn go_on_with_compiled(
        &mut self,
        candidates: &mut Candidates,
        claimed: &UnorderedSet<FileId>,
        first: FileId,
        place: FileId,
    ) {
        let lost = comdat::forget_owners(&self.worklist.extraction, claimed);
        self.worklist.forget(candidates, claimed);
        for (file, _) in candidates.files.part(first..candidates.files.end()) {
            self.worklist.places.0.insert(file, place);
        }
        self.worklist.add(candidates, &self.parsing);
        let Worklist { extraction, taken, .. } = &self.worklist;
        comdat::settle_again(extraction, taken.iter().flatten(), &lost, claimed, first);
        self.run(candidates);
    }
}

impl Worklist {
    /// Forgets what claimed files said of names: only what other objects say is left.
    fn forget(&mut self, candidates: &Candidates, claimed: &UnorderedSet<FileId>) {
        let refs = &self.extraction.refs;
        let mut names: UnorderedSet<NameId> = UnorderedSet::new();
        for (_, object) in self.taken.iter().flatten().filter(|(file, _)| claimed.contains(file)) {
            for &name in &object.globals {
                refs.get(name).remove(OF_OBJECTS);
                names.insert(name);
            }
        }
        let others = self.taken.par_iter().flatten().filter(|(file, _)| !claimed.contains(file));
        others.for_each(|(file, object)| {
            let place = self.places.of(*file);
            let is_root = !candidates.is_lazy_member(*file);
            let role = if is_root { Role::Root } else { Role::Extracted { place } };
            let all = object.global_ids().ids().zip(&object.globals);
            for (index, name) in all.filter(|(_, name)| names.contains(name)) {
                symbol_names::note(refs.get(*name), object, index, role);
            }
        });
    }
}
