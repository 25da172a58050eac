//! Extraction goes on with files that were compiled of claimed ones: what the claimed ones said of
//! names and of COMDAT groups does not hold any more.

use super::{Extraction, Extractor, Worklist};
use crate::read::FileId;
use crate::read::candidates::Candidates;
use crate::resolve::names::references::ref_flags;
use crate::resolve::names::symbol_names::{self, Role};
use object::elf::SHN_UNDEF;
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;

/// What objects say of a name. The visibility that a claimed file gives it counts further on, as in
/// GNU ld and lld.
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
    /// Goes on with the files that were compiled of claimed ones, which are the last of
    /// `candidates`, from `first` on; they stand at `place`.
    pub fn go_on_with_compiled(
        &mut self,
        candidates: &mut Candidates,
        claimed: &UnorderedSet<FileId>,
        (first, place): (FileId, FileId),
    ) {
        let lost = self.lost_groups(claimed);
        self.worklist.forget(candidates, claimed);
        for (file, _) in candidates.files.part(first..candidates.files.end()) {
            self.worklist.places.0.insert(file, place);
        }
        self.worklist.add(candidates, &self.parsing);
        self.worklist.settle_groups(&lost, claimed, first);
        self.run(candidates);
    }

    /// The signatures of COMDAT groups that claimed files have, and that nobody has from now on.
    fn lost_groups(&self, claimed: &UnorderedSet<FileId>) -> Vec<NameId> {
        let Extraction { names, refs, .. } = &self.worklist.extraction;
        let all = refs.below(names.id_limit()).par_with_ids().with_min_len(1 << 12);
        let lost = all.filter(|(_, record)| claimed.contains(&record.comdat_owner()));
        let lost = lost.map(|(name, record)| {
            record.forget_comdat();
            name
        });
        lost.collect()
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

    /// Settles who has the COMDAT groups that claimed files had (`lost`): a compiled file, if one
    /// has the group. If one defines the symbol that is the signature, though without a group,
    /// nobody, so that there is no second copy of what belongs to it. Otherwise the first of the
    /// others: nothing has come of the claimed one.
    fn settle_groups(&self, lost: &[NameId], claimed: &UnorderedSet<FileId>, first: FileId) {
        let refs = &self.extraction.refs;
        let mut defined: UnorderedSet<NameId> = UnorderedSet::new();
        for (_, object) in self.taken.iter().flatten().filter(|(file, _)| *file >= first) {
            let symbols = object.mapped.symbols.iter().skip(object.first_global.index());
            let own = symbols.zip(&object.globals);
            let own = own.filter(|(symbol, _)| symbol.st_shndx() != SHN_UNDEF);
            defined.extend(own.map(|(_, &name)| name));
        }
        let is_open = |name: &NameId| refs.get(*name).has_no_comdat();
        for &name in lost.iter().filter(|name| is_open(name) && defined.contains(name)) {
            // Before any other file.
            refs.get(name).offer_comdat(FileId::default());
        }
        let open: UnorderedSet<NameId> = lost.iter().copied().filter(is_open).collect();
        for (file, object) in self.taken.iter().flatten() {
            if !claimed.contains(file) {
                let own = object.groups.iter().map(|group| group.name);
                let own = own.chain(object.linkonce.iter().map(|&(_, name)| name));
                own.filter(|name| open.contains(name)).for_each(|name| {
                    refs.get(name).offer_comdat(*file);
                });
            }
        }
    }
}
