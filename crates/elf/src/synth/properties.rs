//! `.note.gnu.property` of the output, and what is said of objects that lack what it promises:
//! `-z cet-report`, `-z force-ibt`, `-z lam-report`, `-z isa-level-report`.

use crate::arch::property::Demand;
use crate::args::{IsaLevelReport, Options, Report};
use crate::read::candidates::Candidates;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, attr};
use crate::select::copies::Copies;
use crate::synth::property_note::{ForcedProperties, PropertyNote, PropertySet};
use crate::synth::slots::{SlotOwner, Slots};
use skald_core::diag::Diag;
use std::fmt::Write as _;
use std::io::Write as _;

/// Joins `.note.gnu.property` of all objects.
pub(crate) struct Properties<'a> {
    pub options: &'a Options,
    pub candidates: &'a Candidates,
    pub objects: &'a Objects,
    pub diag: &'a Diag,
}

impl Properties<'_> {
    /// The joined properties of all objects and of the options.
    pub fn note(
        &self,
        definitions: &Definitions,
        slots: &Slots,
        copies: &Copies,
    ) -> Option<PropertyNote> {
        let machine = self.options.target.properties;
        let mut forced = ForcedProperties::from_options(machine, &self.options.z);
        let of_objects = self.objects.iter().map(|object| object.property_notes());
        let joined = self.join(of_objects);
        if joined.needs_indirect_access() && binds_imports_here(definitions, slots, copies) {
            // Some objects declare it and others break it.
            forced.indirect_extern_access.get_or_insert(false);
        }
        let note = joined.finish(machine, &forced);
        (!note.is_empty()).then_some(note)
    }

    /// Joins the notes of all objects, given in the order of `objects`, and reports what options
    /// ask for.
    pub fn join<'n>(
        &self,
        of_objects: impl Iterator<Item = impl IntoIterator<Item = &'n [u8]>>,
    ) -> PropertySet {
        let machine = self.options.target.properties;
        let demands = (machine.demanded_features)(&self.options.z);
        let mut levels = String::new();
        let own = self.candidates.own;
        let is_given = |at: ObjectId| own.is_none() || self.objects[at].file != own;
        let given = self.objects.ids().zip(of_objects).filter(|&(at, _)| is_given(at));
        let sets = given.filter_map(|(at, notes)| match PropertySet::of_object(machine, notes) {
            Ok(set) => {
                self.report_missing_features(at, &set, &demands);
                self.list_levels(at, &set, &mut levels);
                Some(set)
            }
            Err(error) => {
                let text = format!("{}: .note.gnu.property: {error}", self.file_name(at));
                self.diag.error((at.into(), 0), text);
                None
            }
        });
        let joined = PropertySet::joined(sets);
        if !levels.is_empty() {
            // Nobody is left to tell that standard error is closed.
            let _ = std::io::stderr().write_all(levels.as_bytes());
        }
        joined
    }

    fn file_name(&self, object: ObjectId) -> String {
        let file = self.objects[object].file;
        file.map(|f| self.candidates.display_name(f)).unwrap_or_default()
    }

    /// Reports an object without a feature for which an option asks a report.
    fn report_missing_features(&self, at: ObjectId, set: &PropertySet, demands: &[Demand]) {
        let machine = self.options.target.properties;
        let has = set.bits(machine.features);
        for (number, &(bit, report, option)) in (0..).zip(demands) {
            if has & bit != 0 {
                continue;
            }
            let (prefix, feature) = (machine.feature_prefix, machine.feature_name(bit));
            let word = match (option.ends_with('='), report) {
                (false, _) => "",
                (true, Report::Error) => "error",
                (true, _) => "warning",
            };
            let text = format!("{}: {option}{word}: missing {prefix}{feature}", self.file_name(at));
            let key = (u64::from(at), number);
            match report {
                Report::Error => self.diag.error(key, text),
                _ => self.diag.warn(key, text),
            }
        }
    }

    /// `-z isa-level-report`: GNU ld's lines, one for each marker of an object.
    fn list_levels(&self, at: ObjectId, set: &PropertySet, text: &mut String) {
        let (needed, used) = match self.options.z.isa_level_report {
            IsaLevelReport::None => return,
            IsaLevelReport::All => (true, true),
            IsaLevelReport::Needed => (true, false),
            IsaLevelReport::Used => (false, true),
        };
        let machine = self.options.target.properties;
        let bits = machine.levels.map(|pr_type| set.bits(pr_type));
        for (wanted, what, bits) in [(needed, "needed", bits[0]), (used, "used", bits[1])] {
            if wanted && bits != 0 {
                let file = self.file_name(at);
                let (title, list) = (machine.level_title, machine.level_list(bits));
                let _ = writeln!(text, "{file}: {title} {what}: {list}");
            }
        }
    }
}

/// Whether an imported variable is copied, or an imported function's address is a PLT entry.
fn binds_imports_here(definitions: &Definitions, slots: &Slots, copies: &Copies) -> bool {
    let is_import = |owner: SlotOwner| match owner {
        SlotOwner::Name(name) => !definitions.globals[name].has(attr::DEFINED),
        SlotOwner::Local(..) => false,
    };
    !copies.variables.is_empty()
        || slots.sets.iter().any(|set| set.is_canonical && is_import(set.owner))
}
