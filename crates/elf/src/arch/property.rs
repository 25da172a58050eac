//! Properties of `.note.gnu.property` that a machine gives a meaning.

use crate::args::{Report, ZOptions};

/// How the values of a type are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Bits that all objects have; dropped if none is left.
    And,
    /// Bits that some object has; dropped if there are none.
    Or,
    /// Bits that some object has, if all objects have the property.
    OrAnd,
    /// The largest value.
    Max,
    /// No value: present if some object has it.
    Flag,
}

impl Rule {
    /// Bytes of a value.
    pub const fn data_size(self) -> usize {
        match self {
            Rule::And | Rule::Or | Rule::OrAnd => 4,
            Rule::Max => 8,
            Rule::Flag => 0,
        }
    }
}

/// The properties of one machine.
pub struct MachineProperties {
    /// First and last of some types, and how their values are merged.
    pub rules: &'static [(u32, u32, Rule)],
    /// The type of features that all objects must have, as bits.
    pub features: u32,
    /// What such features are called in messages, before their names.
    pub feature_prefix: &'static str,
    /// Names of features, by bit.
    pub feature_names: &'static [(u32, &'static str)],
    /// The feature that indirect branches end on landing pads; 0 if there is none.
    pub landing_pads: u32,
    /// The features that options give to the output: objects need not have them.
    pub forced_features: fn(&ZOptions) -> u32,
    /// Features whose absence from an object is told of: the bit, how, and by which option.
    pub demanded_features: fn(&ZOptions) -> Vec<(u32, Report, &'static str)>,
    /// The types of levels of instructions that objects need, and of those that they use.
    pub levels: [u32; 2],
    /// What levels are called in messages.
    pub level_title: &'static str,
    /// Names of levels, from the lowest bit.
    pub level_names: &'static [&'static str],
}

impl MachineProperties {
    /// How values of a type are merged.
    pub fn rule_of(&self, pr_type: u32) -> Option<Rule> {
        let mut rules = self.rules.iter();
        let found = rules.find(|(first, last, _)| (*first..=*last).contains(&pr_type));
        found.map(|(_, _, rule)| *rule)
    }

    /// The name of a feature.
    pub fn feature_name(&self, bit: u32) -> &'static str {
        let found = self.feature_names.iter().find(|(one, _)| *one == bit);
        found.map_or("FEATURE_1", |(_, name)| name)
    }

    /// The names of the levels in `bits`, as GNU ld prints them.
    pub fn level_list(&self, bits: u32) -> String {
        let name = |bit: u32| match self.level_names.get(bit as usize) {
            Some(name) => (*name).to_owned(),
            None => format!("<unknown: {:x}>", 1u32 << bit),
        };
        let set: Vec<String> = (0..32).filter(|bit| bits >> bit & 1 != 0).map(name).collect();
        set.join(", ")
    }
}
