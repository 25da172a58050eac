//! `.note.gnu.property`: properties that the output requires of the loader or promises to it.
//!
//! Each object has a list of typed properties; the range in which a type lies says how its values
//! are merged ([`Rule`]). Objects can be added in any order and partial results joined, because
//! each type keeps the AND, the OR, the maximum and the count of its values, and
//! [`PropertySet::finish`] applies the rule. An object without the note counts as one without
//! properties, so it clears features that all objects must have.
//!
//! Sources: "Linux Extensions to gABI" (generic ranges); those of machines are in
//! [`crate::machine::property`]. Forced bits, and what is left out when zero, are as in GNU ld
//! 2.40.

use object::elf::{
    GNU_PROPERTY_1_NEEDED, GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS,
    GNU_PROPERTY_NO_COPY_ON_PROTECTED, GNU_PROPERTY_STACK_SIZE, GNU_PROPERTY_UINT32_AND_HI,
    GNU_PROPERTY_UINT32_AND_LO, GNU_PROPERTY_UINT32_OR_HI, GNU_PROPERTY_UINT32_OR_LO,
    NT_GNU_PROPERTY_TYPE_0,
};
use skald_core::perturb::shuffled;
use std::borrow::Borrow;

use crate::args::{FeatureWords, ZOptions};
use crate::format::encoding::Encoding;
use crate::machine::property::{MachineProperties, Rule, Signing, SigningSchema};
use crate::synth::plt::Promises;
use skald_linking::cursor::{Cursor, Malformed};

/// The image may be sealed against changes of its mappings. Only the linker sets it.
const GNU_PROPERTY_MEMORY_SEAL: u32 = 3;

/// `n_namesz`, `n_descsz`, `n_type` and the name "GNU".
const HEADER_SIZE: usize = 16;
/// `pr_type` and `pr_datasz`.
const PROPERTY_HEADER_SIZE: usize = 8;
/// `pr_datasz` of a schema: platform and version.
const SCHEMA_SIZE: usize = 16;

/// How values of `pr_type` are joined; `None` for types without a meaning, which are dropped.
fn rule_of(properties: &MachineProperties, pr_type: u32) -> Option<Rule> {
    match pr_type {
        GNU_PROPERTY_STACK_SIZE => Some(Rule::Max),
        GNU_PROPERTY_NO_COPY_ON_PROTECTED | GNU_PROPERTY_MEMORY_SEAL => Some(Rule::Flag),
        GNU_PROPERTY_UINT32_AND_LO..=GNU_PROPERTY_UINT32_AND_HI => Some(Rule::And),
        GNU_PROPERTY_UINT32_OR_LO..=GNU_PROPERTY_UINT32_OR_HI => Some(Rule::Or),
        _ => properties.rule_of(pr_type),
    }
}

/// The values that objects give to one property type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Values {
    pr_type: u32,
    rule: Rule,
    /// How many objects have a property of this type.
    objects: u64,
    and: u64,
    or: u64,
    max: u64,
}

impl Values {
    fn join(&mut self, other: &Values) {
        self.objects += other.objects;
        self.and &= other.and;
        self.or |= other.or;
        self.max = self.max.max(other.max);
    }
}

/// The joined properties of some objects; [`PropertySet::default`] is that of no object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PropertySet {
    objects: u64,
    /// Sorted by type.
    types: Vec<Values>,
    /// How pointers are signed: the first object's that says so.
    schema: Option<SigningSchema>,
}

/// Properties that options set or clear in the output, whatever objects have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForcedProperties {
    /// Feature bits that the output has even if objects lack them.
    pub features: u32,
    /// Feature bits that the output has not, even if all objects have them.
    pub taken: u32,
    /// Feature bits that the output has unless a valid schema says how pointers are signed.
    pub signed_calls: u32,
    /// The ISA level that is needed: 1 is the baseline, 0 means that none is given.
    pub isa_level: u8,
    /// `-z memory-seal`.
    pub memory_seal: bool,
    /// `Some(true)` for `-z indirect-extern-access`; `Some(false)` if the output must not have the
    /// property.
    pub indirect_extern_access: Option<bool>,
    /// `-z stack-size`: written only if something else makes a note.
    pub stack_size: u64,
}

impl ForcedProperties {
    fn needed(&self) -> u32 {
        match self.indirect_extern_access {
            Some(true) => GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS,
            _ => 0,
        }
    }

    /// Bits of `pr_type` that the output does not have, even if objects do.
    fn withdrawn(&self, pr_type: u32) -> u64 {
        match (pr_type, self.indirect_extern_access) {
            (GNU_PROPERTY_1_NEEDED, Some(false)) => {
                u64::from(GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS)
            }
            _ => 0,
        }
    }

    fn isa_needed(&self) -> u32 {
        match self.isa_level {
            0 => 0,
            level => 1u32.checked_shl(u32::from(level) - 1).unwrap_or(0),
        }
    }
}

impl ForcedProperties {
    /// The properties that `-z` words ask for.
    pub fn from_options(properties: &MachineProperties, z: &ZOptions) -> ForcedProperties {
        ForcedProperties {
            features: forced_features(properties, &z.features),
            taken: taken_features(properties, &z.features),
            signed_calls: match &properties.signing {
                Some(signing) if z.pac_plt => signing.calls,
                _ => 0,
            },
            isa_level: z.isa_level,
            memory_seal: z.memory_seal,
            indirect_extern_access: z.indirect_extern_access,
            stack_size: z.stack_size,
        }
    }
}

/// Feature bits that words of `-z` give to the output.
pub fn forced_features(properties: &MachineProperties, words: &FeatureWords) -> u32 {
    let features = properties.features.iter().flat_map(|features| features.words);
    let given = features.filter(|(word, _)| words.has(word));
    given.fold(0, |all, (_, bits)| all | bits)
}

/// Feature bits that words of `-z` take from the output.
fn taken_features(properties: &MachineProperties, words: &FeatureWords) -> u32 {
    let features = properties.features.iter().flat_map(|features| features.words);
    let taken = features.filter(|(word, _)| words.takes(word));
    taken.fold(0, |all, (_, bits)| all | bits)
}

/// From this many types on, sorting them at once is cheaper than inserting each.
const MANY_TYPES: usize = 256;

impl PropertySet {
    /// The set of one object with these `.note.gnu.property` sections, which are none for an object
    /// without the note. Within an object, the bits of equal types are united, as assemblers rely
    /// on.
    pub fn of_object<'a>(
        encoding: Encoding,
        properties: &MachineProperties,
        sections: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<PropertySet, Malformed> {
        let mut set = PropertySet { objects: 1, ..PropertySet::default() };
        for section in sections {
            set.add_section(encoding, properties, section)?;
        }
        set.settle();
        for values in &mut set.types {
            (values.objects, values.and) = (1, values.or);
        }
        Ok(set)
    }

    /// The bits of `pr_type` that the object of the set has; for several objects, those that any
    /// has.
    pub fn bits(&self, pr_type: u32) -> u32 {
        self.get(pr_type).map_or(0, |values| values.or as u32)
    }

    /// How pointers are signed.
    pub fn schema(&self) -> Option<SigningSchema> {
        self.schema
    }

    /// Whether the schema is one by which pointers are signed.
    pub fn has_valid_schema(&self) -> bool {
        self.schema.is_some_and(|schema| schema != SigningSchema::INVALID)
    }

    /// Adds what the object of the set declares elsewhere.
    pub fn declare(&mut self, features: Option<(u32, u32)>, schema: Option<SigningSchema>) {
        self.schema = self.schema.or(schema);
        if let Some((pr_type, bits)) = features {
            let bits = u64::from(bits);
            let values =
                Values { pr_type, rule: Rule::And, objects: 1, and: bits, or: bits, max: bits };
            match self.types.binary_search_by_key(&pr_type, |values| values.pr_type) {
                Ok(at) => {
                    let own = &mut self.types[at];
                    own.or |= bits;
                    own.and = own.or;
                }
                Err(at) => self.types.insert(at, values),
            }
        }
    }

    /// Whether an object requires that external symbols are referred to only through the GOT.
    pub fn needs_indirect_access(&self) -> bool {
        self.get(GNU_PROPERTY_1_NEEDED).is_some_and(|values| {
            values.or & u64::from(GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS) != 0
        })
    }

    fn get(&self, pr_type: u32) -> Option<&Values> {
        let found = self.types.binary_search_by_key(&pr_type, |values| values.pr_type);
        found.ok().map(|at| &self.types[at])
    }

    fn add_section(
        &mut self,
        encoding: Encoding,
        properties: &MachineProperties,
        section: &[u8],
    ) -> Result<(), Malformed> {
        const TRUNCATED: &str = "truncated note in .note.gnu.property";
        let mut cursor = Cursor::new(section);
        while !cursor.is_empty() {
            let name_size = cursor.u32(encoding.order, TRUNCATED)? as usize;
            let descriptor_size = cursor.u32(encoding.order, TRUNCATED)? as usize;
            let note_type = cursor.u32(encoding.order, TRUNCATED)?;
            let name = cursor.take(name_size, TRUNCATED)?;
            skip_padding(&mut cursor, 4);
            let start = cursor.position();
            let descriptor = cursor.take(descriptor_size, TRUNCATED)?;
            skip_padding(&mut cursor, encoding.word_size());
            if name == b"GNU\0" && note_type == NT_GNU_PROPERTY_TYPE_0 {
                self.add_descriptor(encoding, properties, descriptor)
                    .map_err(|error| error.moved_by(start))?;
            }
        }
        Ok(())
    }

    fn add_descriptor(
        &mut self,
        encoding: Encoding,
        properties: &MachineProperties,
        descriptor: &[u8],
    ) -> Result<(), Malformed> {
        const TRUNCATED: &str = "truncated program property";
        // Most properties have one word.
        let least = property_size(encoding, Rule::Or.data_size(encoding.word_size()));
        self.types.reserve(descriptor.len() / least);
        let mut cursor = Cursor::new(descriptor);
        while !cursor.is_empty() {
            let at = cursor.position();
            let pr_type = cursor.u32(encoding.order, TRUNCATED)?;
            let data_size = cursor.u32(encoding.order, TRUNCATED)? as usize;
            let data = cursor.take(data_size, TRUNCATED)?;
            skip_padding(&mut cursor, encoding.word_size());
            if let Some(signing) = properties.signing.as_ref().filter(|s| s.pr_type == pr_type) {
                self.add_schema(encoding, signing, data, at)?;
                continue;
            }
            let Some(rule) =
                rule_of(properties, pr_type).filter(|_| pr_type != GNU_PROPERTY_MEMORY_SEAL)
            else {
                continue;
            };
            if data_size != rule.data_size(encoding.word_size()) {
                return Err(Malformed::new("program property of a wrong size", at));
            }
            let value = encoding.order.unsigned(data);
            self.types.push(Values {
                pr_type,
                rule,
                objects: 1,
                and: value,
                or: value,
                max: value,
            });
        }
        Ok(())
    }

    fn add_schema(
        &mut self,
        encoding: Encoding,
        signing: &Signing,
        data: &[u8],
        at: usize,
    ) -> Result<(), Malformed> {
        if self.schema.is_some() {
            return Err(Malformed::new(signing.repeated, at));
        }
        if data.len() != SCHEMA_SIZE {
            return Err(Malformed::new(signing.wrong_size, at));
        }
        let (platform, version) = data.split_at(8);
        self.schema = Some(SigningSchema {
            platform: encoding.order.unsigned(platform),
            version: encoding.order.unsigned(version),
        });
        Ok(())
    }

    /// Joins the properties of all sets.
    pub fn joined(sets: impl IntoIterator<Item: Borrow<PropertySet>>) -> PropertySet {
        let mut all = PropertySet::default();
        let mut new = Vec::new();
        for set in sets {
            let set = set.borrow();
            all.objects += set.objects;
            all.schema = all.schema.or(set.schema);
            // Objects mostly have the same few types, but each may bring new ones.
            all.join_known(&set.types, &mut new);
            if new.len() > all.types.len() + MANY_TYPES {
                all.add_new(&mut new);
            }
        }
        all.add_new(&mut new);
        all
    }

    fn add_new(&mut self, new: &mut Vec<Values>) {
        if self.types.is_empty() {
            std::mem::swap(&mut self.types, new);
        } else {
            self.types.append(new);
        }
        self.settle();
    }

    /// Joins `types` with those that the set has; others go to `new`. Both are sorted, so the
    /// search for a type continues behind the type before.
    fn join_known(&mut self, types: &[Values], new: &mut Vec<Values>) {
        let mut at = 0;
        for (number, values) in types.iter().enumerate() {
            if self.types.get(at).is_some_and(|own| own.pr_type < values.pr_type) {
                let rest = &self.types[at + 1..];
                at += 1 + match rest.first() {
                    Some(next) if next.pr_type >= values.pr_type => 0,
                    _ => rest.partition_point(|own| own.pr_type < values.pr_type),
                };
            }
            match self.types.get_mut(at) {
                Some(own) if own.pr_type == values.pr_type => own.join(values),
                Some(_) => new.push(*values),
                None => return new.extend_from_slice(&types[number..]),
            }
        }
    }

    /// Joins the values of equal types that were appended.
    fn settle(&mut self) {
        if self.types.is_sorted_by(|one, next| one.pr_type < next.pr_type) {
            return;
        }
        shuffled(&mut self.types).sort_unstable_by_key(|values| values.pr_type);
        self.types.dedup_by(|next, first| {
            let is_same = next.pr_type == first.pr_type;
            if is_same {
                first.join(next);
            }
            is_same
        });
    }

    /// The note of the output, by the rule of each type.
    pub fn finish(
        &self,
        encoding: Encoding,
        properties: &MachineProperties,
        forced: &ForcedProperties,
    ) -> PropertyNote {
        let MachineProperties { features, levels, signing, .. } = properties;
        let property = |pr_type: u32, rule: Rule, value: u64| {
            let data_size = rule.data_size(encoding.word_size());
            Property { pr_type, value, version: 0, data_size }
        };
        let signed_calls = if self.has_valid_schema() { 0 } else { forced.signed_calls };
        let forced_features = forced.features | signed_calls;
        let is_features =
            |pr_type: u32| features.as_ref().is_some_and(|features| features.pr_type == pr_type);
        let features = features.iter().map(|features| (features.pr_type, forced_features));
        let levels = levels.iter().map(|levels| (levels.needed, forced.isa_needed()));
        let generic = [(GNU_PROPERTY_1_NEEDED, forced.needed())];
        let forcible: Vec<(u32, u32)> = features.chain(levels).chain(generic).collect();
        let mut properties = Vec::with_capacity(self.types.len());
        let schema = signing.as_ref().zip(self.schema);
        properties.extend(schema.map(|(signing, schema)| {
            let SigningSchema { platform: value, version } = schema;
            Property { pr_type: signing.pr_type, value, version, data_size: SCHEMA_SIZE }
        }));
        for values in &self.types {
            let has_all = values.objects == self.objects;
            let bits = forcible.iter().find(|(pr_type, _)| *pr_type == values.pr_type);
            let bits = bits.map_or(0, |(_, bits)| u64::from(*bits));
            let merged = match values.rule {
                Rule::And => {
                    let taken = if is_features(values.pr_type) { forced.taken } else { 0 };
                    let own = if has_all { values.and & !u64::from(taken) } else { 0 };
                    Some(own | bits).filter(|&value| value != 0)
                }
                Rule::Or => Some(values.or & !forced.withdrawn(values.pr_type) | bits)
                    .filter(|&value| value != 0),
                Rule::OrAnd => has_all.then_some(values.or),
                Rule::Max => Some(values.max.max(forced.stack_size)),
                Rule::Flag => Some(0),
            };
            properties.extend(merged.map(|value| property(values.pr_type, values.rule, value)));
        }
        for (pr_type, bits) in forcible {
            if bits != 0 && self.get(pr_type).is_none() {
                properties.push(property(pr_type, Rule::Or, bits.into()));
            }
        }
        if forced.memory_seal {
            properties.push(property(GNU_PROPERTY_MEMORY_SEAL, Rule::Flag, 0));
        }
        let has_note = !properties.is_empty() || !self.types.is_empty();
        if forced.stack_size != 0 && has_note && self.get(GNU_PROPERTY_STACK_SIZE).is_none() {
            let stack_size = forced.stack_size;
            properties.push(property(GNU_PROPERTY_STACK_SIZE, Rule::Max, stack_size));
        }
        shuffled(&mut properties).sort_unstable();
        PropertyNote { encoding, properties }
    }
}

/// Skips to a multiple of `alignment`; padding that is missing at the end is no error.
fn skip_padding(cursor: &mut Cursor<'_>, alignment: usize) {
    let padding = cursor.position().next_multiple_of(alignment) - cursor.position();
    let _ = cursor.take(padding.min(cursor.remaining()), "");
}

/// The plan of the output's `.note.gnu.property`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PropertyNote {
    encoding: Encoding,
    /// Ascending by `pr_type`.
    properties: Vec<Property>,
}

/// A property of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Property {
    pr_type: u32,
    value: u64,
    /// The second word of a schema, behind the platform.
    version: u64,
    data_size: usize,
}

impl PropertyNote {
    /// Whether no property is left: then there is no section.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// The joined value of `pr_type`, 0 if the type is left out.
    pub fn value(&self, pr_type: u32) -> u64 {
        self.properties.iter().find(|one| one.pr_type == pr_type).map_or(0, |one| one.value)
    }

    /// What PLTs depend on.
    pub fn promises(&self, properties: &MachineProperties) -> Promises {
        let MachineProperties { features, signing, .. } = properties;
        let features = features.as_ref().map_or(0, |features| self.value(features.pr_type));
        let is_valid = |signing: &Signing, one: &Property| {
            one.pr_type == signing.pr_type && (one.value != 0 || one.version != 0)
        };
        let signing = signing.as_ref();
        let signs_pointers =
            signing.is_some_and(|signing| self.properties.iter().any(|one| is_valid(signing, one)));
        Promises { features, signs_pointers, header_flags: 0 }
    }

    /// Bytes of the section, 0 if it is empty; it is aligned to a word.
    pub fn size(&self) -> u64 {
        if self.is_empty() { 0 } else { (HEADER_SIZE + self.descriptor_size()) as u64 }
    }

    fn descriptor_size(&self) -> usize {
        self.properties.iter().map(|one| property_size(self.encoding, one.data_size)).sum()
    }

    /// Fills `out`, which is [`PropertyNote::size`] bytes long.
    pub fn write(&self, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        let Some((header, mut rest)) = out.split_at_mut_checked(HEADER_SIZE) else { return };
        let order = self.encoding.order;
        order.put(header, 0, 4u32);
        order.put(header, 4, self.descriptor_size() as u32);
        order.put(header, 8, NT_GNU_PROPERTY_TYPE_0);
        header[12..16].copy_from_slice(b"GNU\0");
        for &Property { pr_type, value, version, data_size } in &self.properties {
            let (property, after) = rest.split_at_mut(property_size(self.encoding, data_size));
            order.put(property, 0, pr_type);
            order.put(property, 4, data_size as u32);
            property[8..].fill(0);
            order.put_low(&mut property[8..8 + data_size.min(8)], value);
            if data_size == SCHEMA_SIZE {
                order.put(property, 16, version);
            }
            rest = after;
        }
    }
}

/// Bytes of a property: properties and notes are aligned to the word of the class.
fn property_size(encoding: Encoding, data_size: usize) -> usize {
    PROPERTY_HEADER_SIZE + data_size.next_multiple_of(encoding.word_size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use crate::machine::Machine;
    use crate::synth::blank;
    use object::elf::{
        GNU_PROPERTY_X86_FEATURE_1_AND, GNU_PROPERTY_X86_ISA_1_NEEDED, GNU_PROPERTY_X86_ISA_1_USED,
        GNU_PROPERTY_X86_ISA_1_V3,
    };
    use proptest::prelude::*;

    /// A section that has one note with properties `(pr_type, data)`.
    fn section(properties: &[(u32, &[u8])]) -> Vec<u8> {
        let mut descriptor = Vec::new();
        for (pr_type, data) in properties {
            descriptor.extend(pr_type.to_le_bytes());
            descriptor.extend((data.len() as u32).to_le_bytes());
            descriptor.extend(*data);
            descriptor.resize(descriptor.len().next_multiple_of(8), 0);
        }
        let mut out = vec![4, 0, 0, 0];
        out.extend((descriptor.len() as u32).to_le_bytes());
        out.extend(b"\x05\0\0\0GNU\0");
        out.extend(descriptor);
        out
    }

    fn machine_properties() -> &'static MachineProperties {
        <&Machine>::default().properties
    }

    fn of_object<'a>(
        sections: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<PropertySet, Malformed> {
        PropertySet::of_object(NATIVE, machine_properties(), sections)
    }

    fn values(note: &PropertyNote) -> Vec<(u32, u64)> {
        note.properties.iter().map(|one| (one.pr_type, one.value)).collect()
    }

    fn object(properties: &[(u32, u32)]) -> PropertySet {
        let data: Vec<_> = properties.iter().map(|(t, v)| (*t, v.to_le_bytes())).collect();
        let properties: Vec<_> = data.iter().map(|(t, v)| (*t, v.as_slice())).collect();
        of_object([section(&properties).as_slice()]).unwrap()
    }

    fn merged(objects: &[PropertySet], forced: &ForcedProperties) -> Vec<(u32, u64)> {
        let set = PropertySet::joined(objects);
        let backwards = PropertySet::joined(objects.iter().rev());
        assert_eq!(set, backwards, "the order of objects does not count");
        values(&set.finish(NATIVE, machine_properties(), forced))
    }

    const NATIVE: Encoding = Encoding::NATIVE;
    const FEATURE: u32 = GNU_PROPERTY_X86_FEATURE_1_AND;
    const NEEDED: u32 = GNU_PROPERTY_X86_ISA_1_NEEDED;
    const USED: u32 = GNU_PROPERTY_X86_ISA_1_USED;
    const NONE: ForcedProperties = ForcedProperties {
        features: 0,
        taken: 0,
        signed_calls: 0,
        isa_level: 0,
        memory_seal: false,
        indirect_extern_access: None,
        stack_size: 0,
    };

    #[test]
    fn and() {
        let both = object(&[(FEATURE, 3)]);
        let ibt = object(&[(FEATURE, 1)]);
        let shstk = object(&[(FEATURE, 2)]);
        let without = of_object([]).unwrap();
        assert_eq!(merged(&[both.clone(), ibt.clone()], &NONE), [(FEATURE, 1)]);
        assert_eq!(merged(&[ibt, shstk], &NONE), []);
        assert_eq!(merged(&[both.clone(), without.clone()], &NONE), []);
        let forced = ForcedProperties { features: 2, ..NONE };
        assert_eq!(merged(&[both.clone(), without.clone()], &forced), [(FEATURE, 2)]);
        assert_eq!((both.bits(FEATURE), without.bits(FEATURE)), (3, 0));
    }

    #[test]
    fn or_and_or_and() {
        let first = object(&[(NEEDED, 1), (USED, 0), (GNU_PROPERTY_1_NEEDED, 1)]);
        let second = object(&[(NEEDED, 2), (USED, 4)]);
        let all = [(GNU_PROPERTY_1_NEEDED, 1), (NEEDED, 3), (USED, 4)];
        assert_eq!(merged(&[first.clone(), second.clone()], &NONE), all);
        let without = of_object([]).unwrap();
        assert_eq!(merged(&[first, second, without], &NONE), all[..2]);
        assert_eq!(merged(&[object(&[(NEEDED, 0), (USED, 0)])], &NONE), [(USED, 0)]);
    }

    #[test]
    fn stack_size_and_no_copy() {
        let object = |size: u64| {
            let stack = size.to_le_bytes();
            let note = section(&[(GNU_PROPERTY_STACK_SIZE, &stack), (2, &[])]);
            of_object([note.as_slice()]).unwrap()
        };
        let without = of_object([]).unwrap();
        let objects = [object(0x1000), object(0x3000), without];
        assert_eq!(merged(&objects, &NONE), [(1, 0x3000), (2, 0)]);
        let larger = ForcedProperties { stack_size: 0x4000, ..NONE };
        assert_eq!(merged(&objects, &larger), [(1, 0x4000), (2, 0)]);
        let smaller = ForcedProperties { stack_size: 0x2000, ..NONE };
        assert_eq!(merged(&objects, &smaller), [(1, 0x3000), (2, 0)]);
    }

    /// As with GNU ld the option alone makes no note.
    #[test]
    fn a_stack_size_goes_into_a_note_that_there_is() {
        let forced = ForcedProperties { stack_size: 0x4000, ..NONE };
        let without = of_object([]).unwrap();
        assert_eq!(merged(std::slice::from_ref(&without), &forced), []);
        assert_eq!(
            merged(std::slice::from_ref(&without), &ForcedProperties { features: 1, ..forced }),
            [(1, 0x4000), (FEATURE, 1)]
        );
        assert_eq!(merged(&[object(&[(FEATURE, 1)]), without], &forced), [(1, 0x4000)]);
    }

    #[test]
    fn a_need_can_be_withdrawn() {
        let needs = object(&[(GNU_PROPERTY_1_NEEDED, 1)]);
        let withdrawn = ForcedProperties { indirect_extern_access: Some(false), ..NONE };
        let forced = ForcedProperties { indirect_extern_access: Some(true), ..NONE };
        assert!(needs.needs_indirect_access() && !PropertySet::default().needs_indirect_access());
        assert_eq!(merged(std::slice::from_ref(&needs), &withdrawn), []);
        assert_eq!(merged(&[needs], &forced), [(GNU_PROPERTY_1_NEEDED, 1)]);
        let others = object(&[(GNU_PROPERTY_1_NEEDED, 3)]);
        assert_eq!(merged(&[others], &withdrawn), [(GNU_PROPERTY_1_NEEDED, 2)]);
    }

    /// With GNU ld, too, `-z x86-64-v3` sets one bit.
    #[test]
    fn forced_properties_need_no_objects() {
        let forced = ForcedProperties { features: 13, isa_level: 3, ..NONE };
        let v3 = u64::from(GNU_PROPERTY_X86_ISA_1_V3);
        assert_eq!(merged(&[], &forced), [(FEATURE, 13), (NEEDED, v3)]);
        let needed = object(&[(NEEDED, 1)]);
        assert_eq!(merged(&[needed], &forced), [(FEATURE, 13), (NEEDED, v3 | 1)]);
        let absurd = ForcedProperties { isa_level: 200, ..NONE };
        assert_eq!(merged(&[], &absurd), []);
    }

    #[test]
    fn sections_and_repeated_types_of_an_object_are_united() {
        let first = section(&[(FEATURE, &[1, 0, 0, 0]), (0xdead_0000, &[1, 2, 3])]);
        let mut second = section(&[(FEATURE, &[2, 0, 0, 0])]);
        second.extend(section(&[(FEATURE, &[8, 0, 0, 0])]));
        let set = of_object([first.as_slice(), &second]).unwrap();
        assert_eq!(values(&set.finish(NATIVE, machine_properties(), &NONE)), [(FEATURE, 11)]);
    }

    fn sample(encoding: Encoding) -> PropertyNote {
        let property = |pr_type, rule: Rule, value| Property {
            pr_type,
            value,
            version: 0,
            data_size: rule.data_size(encoding.word_size()),
        };
        let properties = vec![
            property(1, Rule::Max, 0x1000),
            property(2, Rule::Flag, 0),
            property(GNU_PROPERTY_1_NEEDED, Rule::Or, 1),
        ];
        PropertyNote { encoding, properties }
    }

    #[test]
    fn notes_are_read_back_in_every_encoding() {
        for encoding in ALL {
            let note = sample(encoding);
            let mut out = blank(note.size());
            note.write(&mut out);
            let read = PropertySet::of_object(encoding, machine_properties(), [out.as_slice()]);
            assert_eq!(read.unwrap().finish(encoding, machine_properties(), &NONE), note);
            let stack = encoding.word(&out[24..24 + encoding.word_size()]);
            assert_eq!(stack, 0x1000, "a stack's size is a word");
        }
    }

    #[test]
    fn a_schema_is_kept_and_makes_forced_bits_needless() {
        let properties = crate::machine::aarch64::MACHINE.properties;
        let note = |platform: u64, version: u64| {
            let data: Vec<u8> = [platform, version].iter().flat_map(|w| w.to_le_bytes()).collect();
            section(&[(0xc000_0001, &data)])
        };
        let read = |bytes: &[u8]| PropertySet::of_object(NATIVE, properties, [bytes]);
        let forced = ForcedProperties { signed_calls: 2, ..NONE };
        let set = PropertySet::joined([read(&[]).unwrap(), read(&note(42, 1)).unwrap()]);
        let finished = set.finish(NATIVE, properties, &forced);
        assert_eq!(values(&finished), [(0xc000_0001, 42)]);
        let mut out = blank(finished.size());
        finished.write(&mut out);
        assert_eq!(out, note(42, 1));
        let invalid = read(&note(0, 0)).unwrap().finish(NATIVE, properties, &forced);
        assert_eq!(values(&invalid), [(0xc000_0000, 2), (0xc000_0001, 0)]);
        let what = |bytes: &[u8]| read(bytes).unwrap_err().what;
        assert!(what(&section(&[(0xc000_0001, &[0; 12])])).contains("expected 16 bytes"));
        let twice = section(&[(0xc000_0001, &[1; 16]), (0xc000_0001, &[1; 16])]);
        assert!(what(&twice).starts_with("multiple"));
    }

    /// The bytes are those of GNU ld 2.40.
    #[test]
    fn write_fills_exactly_size() {
        let note = sample(NATIVE);
        let mut out = blank(note.size());
        note.write(&mut out);
        let words: Vec<u32> =
            out.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        let expected = [4, 0x28, 5, 0x00554e47, 1, 8, 0x1000, 0, 2, 0, 0xb000_8000, 4, 1, 0];
        assert_eq!(words, expected);
        assert_eq!(
            of_object([out.as_slice()]).unwrap().finish(NATIVE, machine_properties(), &NONE),
            note
        );
        PropertyNote::default().write(&mut []);
    }

    #[test]
    fn damaged_notes_are_refused() {
        let what = |bytes: &[u8]| of_object([bytes]).unwrap_err();
        let whole = section(&[(FEATURE, &[3, 0, 0, 0])]);
        for len in 1..whole.len() {
            assert!(what(&whole[..len]).what.starts_with("truncated"));
        }
        let wrong = what(&section(&[(0xdead_0000, &[]), (FEATURE, &[3, 0, 0, 0, 0, 0, 0, 0])]));
        assert_eq!(wrong, Malformed::new("program property of a wrong size", 24));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, edits: Vec<(usize, u8)>) {
            let _ = of_object([bytes.as_slice()]);
            let mut note = section(&[(FEATURE, &[3, 0, 0, 0]), (1, &[0; 8]), (2, &[])]);
            let len = note.len();
            for (at, byte) in edits {
                note[at % len] = byte;
            }
            let _ = of_object([note.as_slice()]);
        }
    }
}
