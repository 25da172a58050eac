//! `.note.gnu.property` of the output, and reports of objects that lack a feature: `-z cet-report`,
//! `-z force-ibt`, `-z lam-report`, `-z isa-level-report`. Objects of some machines declare
//! features in build attributes too; the output does not.

use crate::args::{FeatureWords, IsaLevelReport, Options, Report};
use crate::format::encoding::Encoding;
use crate::machine::property::{Declared, Features, MachineProperties, Reporting};
use crate::read::candidates::Candidates;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, attr};
use crate::select::copies::Copies;
use crate::synth::property_note::{ForcedProperties, PropertyNote, PropertySet, forced_features};
use crate::synth::signing::SigningCheck;
use crate::synth::slots::{SlotOwner, Slots};
use skald_core::diag::{AFTER_FILES, Diag};
use std::fmt::Write as _;
use std::io::Write as _;

/// A feature whose absence from an object is reported.
#[derive(Debug, PartialEq, Eq)]
struct RequiredFeature {
    bit: u32,
    report: Report,
    /// The option that asks for it, as messages have it.
    option: String,
}

/// Features that words of `-z` require of each object. For words with a value (`=error`,
/// `=warning`) messages are mold's, or lld's ([`Reporting`]). With mold's, a feature that another
/// word gives to the whole output, whatever objects have, is not required of objects, as in GNU ld.
/// A word of `demanding` forces the feature too, but its purpose is to find the objects that lack
/// it.
fn demands(properties: &MachineProperties, words: &FeatureWords) -> Vec<RequiredFeature> {
    let Some(features) = &properties.features else { return Vec::new() };
    let reports = features.reports.iter().filter_map(|&(word, bits)| {
        let report = words.report(word);
        let option = match (report, features.reporting) {
            (Report::None, _) => return None,
            (_, Reporting::Always) => format!("-z {word}"),
            (Report::Warning, _) => format!("-{word}=warning"),
            (Report::Error, _) => format!("-{word}=error"),
        };
        Some((bits, report, option))
    });
    let is_always = features.reporting == Reporting::Always;
    let asked = reports.clone().filter(|_| is_always).fold(0, |all, (bits, ..)| all | bits);
    let demanding = features.demanding.iter();
    let demanding = demanding.filter(|(word, bits)| words.has(word) && bits & asked == 0);
    let demanded = demanding.clone().fold(0, |all, (_, bits)| all | bits);
    let said = if is_always { 0 } else { forced_features(properties, words) & !demanded };
    let warned = demanding.map(|&(word, bits)| (bits, Report::Warning, format!("-z {word}")));
    let each_bit = |(bits, report, option): (u32, Report, String)| {
        let set = (0..u32::BITS).map(|bit| 1 << bit).filter(move |bit| bits & !said & bit != 0);
        set.map(move |bit| RequiredFeature { bit, report, option: option.clone() })
    };
    reports.chain(warned).flat_map(each_bit).collect()
}

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
        let properties = self.options.machine.properties;
        let mut forced = ForcedProperties::from_options(properties, &self.options.z);
        let of_objects = self.objects.iter().map(|object| object.property_notes());
        let joined = self.join(of_objects);
        if joined.needs_indirect_access() && binds_imports_here(definitions, slots, copies) {
            // Some objects declare the property and others break it.
            forced.indirect_extern_access.get_or_insert(false);
        }
        let note = joined.finish(Encoding::of(self.options.machine), properties, &forced);
        if let Some(features) = &properties.features {
            self.report_libraries(features, note.value(features.pr_type));
        }
        (!note.is_empty()).then_some(note)
    }

    /// Reports libraries that lack a feature which the output `has`, if options ask for that.
    fn report_libraries(&self, features: &Features, has: u64) {
        let Some(wanted) = &features.libraries else { return };
        let words = &self.options.z.features;
        let report = match (words.asked(wanted.word), words.report(wanted.of_objects)) {
            (Some(report), _) => report,
            (None, Report::None) => Report::None,
            (None, _) => Report::Warning,
        };
        if report == Report::None || has & u64::from(wanted.bit) == 0 {
            return;
        }
        let encoding = Encoding::of(self.options.machine);
        let libraries = self.candidates.shared.iter().zip(self.candidates.shared_paths.iter());
        for (library, path) in libraries {
            let notes = library.property_notes();
            let set = PropertySet::of_object(encoding, self.options.machine.properties, notes);
            if set.is_ok_and(|set| set.bits(features.pr_type) & wanted.bit != 0) {
                continue;
            }
            let text = format!("{}: {}", path.display(), wanted.text);
            match report {
                Report::Error => self.diag.error(AFTER_FILES, text),
                _ => self.diag.warn(AFTER_FILES, text),
            }
        }
    }

    /// Joins the notes of all objects, given in the order of `objects`, and reports the features
    /// that options ask for.
    pub fn join<'n>(
        &self,
        of_objects: impl Iterator<Item = impl IntoIterator<Item = &'n [u8]>>,
    ) -> PropertySet {
        let properties = self.options.machine.properties;
        let encoding = Encoding::of(self.options.machine);
        let demands = demands(properties, &self.options.z.features);
        let mut levels = String::new();
        let own = self.candidates.own;
        let is_given = |at: ObjectId| own.is_none() || self.objects[at].file != own;
        let given = self.objects.ids().zip(of_objects).filter(|&(at, _)| is_given(at));
        let mut signing = properties.signing.as_ref().map(SigningCheck::new);
        let sets = given.filter_map(|(at, notes)| {
            let mut set = match PropertySet::of_object(encoding, properties, notes) {
                Ok(set) => set,
                Err(error) => {
                    let text = format!("{}: .note.gnu.property: {error}", self.file_name(at));
                    self.diag.error((at.into(), 0), text);
                    return None;
                }
            };
            self.add_attributes(at, &mut set);
            self.report_exclusive(at, &set);
            self.report_missing_features(at, &set, &demands);
            self.list_levels(at, &set, &mut levels);
            if let Some(signing) = &mut signing {
                signing.visit(self, at, &set);
            }
            Some(set)
        });
        let joined = PropertySet::joined(sets);
        if let Some(signing) = &signing {
            signing.report(self, &joined);
        }
        if !levels.is_empty() {
            // If standard error is closed, nobody can be told.
            let _ = std::io::stderr().write_all(levels.as_bytes());
        }
        joined
    }

    /// Adds what an object's build attributes declare. If it has a schema for signed pointers as a
    /// property, they must say the same.
    fn add_attributes(&self, at: ObjectId, set: &mut PropertySet) {
        let MachineProperties { features, signing, attributes, .. } =
            self.options.machine.properties;
        let (Some(attributes), Some(features), Some(signing)) = (attributes, features, signing)
        else {
            return;
        };
        let order = self.options.machine.byte_order;
        for (number, (name, bytes)) in (0..).zip(self.objects[at].attributes()) {
            let (name, file) = (String::from_utf8_lossy(name), self.file_name(at));
            let key = (u64::from(at), number);
            let declared = match (attributes.read)(order, bytes) {
                Ok(declared) => declared,
                Err(error) => {
                    self.diag.warn(key, format!("{file}:({name}): {error}"));
                    continue;
                }
            };
            let conflict = |what: &str| {
                let both = "GNU properties and build attributes have conflicting";
                self.diag.error(key, format!("{file}: {both} {what}"));
            };
            let Declared { features: bits, schema } = declared;
            if set.schema().is_some() {
                if schema.is_some() && schema != set.schema() {
                    conflict(signing.data);
                }
                if bits.is_some_and(|bits| bits != 0 && bits != set.bits(features.pr_type)) {
                    conflict("features");
                }
            }
            set.declare(bits.map(|bits| (features.pr_type, bits)), schema);
        }
    }

    pub(super) fn file_name(&self, object: ObjectId) -> String {
        let file = self.objects[object].file;
        file.map(|f| self.candidates.display_name(f)).unwrap_or_default()
    }

    /// Reports an object without a feature whose absence an option wants reported.
    fn report_missing_features(
        &self,
        at: ObjectId,
        set: &PropertySet,
        demands: &[RequiredFeature],
    ) {
        let Some(features) = &self.options.machine.properties.features else { return };
        let has = set.bits(features.pr_type);
        for (number, RequiredFeature { bit, report, option }) in (0..).zip(demands) {
            if has & bit != 0 {
                continue;
            }
            let (prefix, feature) = (features.prefix, features.name(*bit));
            let file = self.file_name(at);
            let text = match features.reporting {
                Reporting::OfDeclared => format!("{file}: {option}: missing {prefix}{feature}"),
                Reporting::Always => {
                    format!("{file}: {option}: file does not have {prefix}{feature} property")
                }
            };
            let key = (u64::from(at), number);
            match report {
                Report::Error => self.diag.error(key, text),
                _ => self.diag.warn(key, text),
            }
        }
    }

    /// Reports an object that says two things of itself of which one is true at most, and warns of
    /// one that says the other of what an option gives to the output, in lld's words.
    fn report_exclusive(&self, at: ObjectId, set: &PropertySet) {
        let Options { machine, z, .. } = self.options;
        let Some(features) = &machine.properties.features else { return };
        let Some(pair) = features.exclusive else { return };
        let has = set.bits(features.pr_type);
        let name = |bit: u32| format!("{}{}", features.prefix, features.name(bit));
        let (file, key) = (self.file_name(at), (u64::from(at), 0));
        if pair.iter().all(|bit| has & bit != 0) {
            let [one, other] = pair.map(name);
            let text = format!("{file}: file has conflicting properties: {one} and {other}");
            return self.diag.error(key, text);
        }
        for (given, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let mut words = features.words.iter();
            let word = words.find(|(word, bits)| *bits == given && z.features.has(word));
            if let Some((word, _)) = word.filter(|_| has & other != 0) {
                let name = name(other);
                let text = format!("{file}: -z {word}: file has conflicting property: {name}");
                self.diag.warn(key, text);
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
        let Some(levels) = &self.options.machine.properties.levels else { return };
        let all = [(needed, "needed", levels.needed), (used, "used", levels.used)];
        for (wanted, what, pr_type) in all {
            let bits = set.bits(pr_type);
            if wanted && bits != 0 {
                let file = self.file_name(at);
                let (title, list) = (levels.title, levels.list(bits));
                let _ = writeln!(text, "{file}: {title} {what}: {list}");
            }
        }
    }
}

/// Whether an imported variable is copied, or a PLT entry is the address of an imported function.
fn binds_imports_here(definitions: &Definitions, slots: &Slots, copies: &Copies) -> bool {
    let is_import = |owner: SlotOwner| match owner {
        SlotOwner::Name(name) => !definitions.globals[name].has(attr::DEFINED),
        SlotOwner::Local(..) => false,
    };
    !copies.variables.is_empty()
        || slots.sets.iter().any(|set| set.is_canonical && is_import(set.owner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn a_wider_mask_implies_the_narrower_one() {
        let properties = <&Machine>::default().properties;
        let mut words = FeatureWords::default();
        words.give("ibt");
        words.give("lam-u48");
        assert_eq!(forced_features(properties, &words), 13);
        let levels = properties.levels.as_ref().expect("it has some");
        assert_eq!(levels.list(0x24), "x86-64-v3, <unknown: 20>");
    }

    #[test]
    fn what_the_output_has_in_any_case_is_not_demanded() {
        let properties = <&Machine>::default().properties;
        let mut words = FeatureWords::default();
        words.give("ibt");
        words.ask("cet-report", Report::Error);
        let demand =
            |bit, report, option: &str| RequiredFeature { bit, report, option: option.to_owned() };
        let shadow_stack = demand(2, Report::Error, "-cet-report=error");
        assert_eq!(demands(properties, &words), [shadow_stack]);
        words.give("force-ibt");
        let all = demands(properties, &words);
        let listed: Vec<(u32, &str)> = all.iter().map(|one| (one.bit, &*one.option)).collect();
        let expected = [(1, "-cet-report=error"), (2, "-cet-report=error"), (1, "-z force-ibt")];
        assert_eq!(listed, expected);
    }

    #[test]
    fn a_report_takes_the_place_of_a_warning() {
        let properties = crate::machine::aarch64::MACHINE.properties;
        let mut words = FeatureWords::default();
        let listed = |words: &FeatureWords| -> Vec<(u32, Report, String)> {
            let all = demands(properties, words).into_iter();
            all.map(|one| (one.bit, one.report, one.option)).collect()
        };
        words.give("force-bti");
        words.give("gcs");
        assert_eq!(listed(&words), [(1, Report::Warning, "-z force-bti".to_owned())]);
        words.ask("bti-report", Report::Error);
        words.ask("gcs-report", Report::Warning);
        let bti = (1, Report::Error, "-z bti-report".to_owned());
        assert_eq!(listed(&words), [bti, (4, Report::Warning, "-z gcs-report".to_owned())]);
    }
}
