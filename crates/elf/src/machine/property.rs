//! The properties in `.note.gnu.property` that a machine defines.

/// How the linker joins values of a property type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Bits that all objects have; dropped if none is left.
    And,
    /// Bits that some object has; dropped if there are none.
    Or,
    /// Bits that some object has, if all objects have the property.
    OrAnd,
    /// The largest value that an object has.
    Max,
    /// No value: present if some object has it.
    Flag,
}

impl Rule {
    /// `pr_datasz`: bytes of a value, in a file whose words have `word_size` bytes.
    pub const fn data_size(self, word_size: usize) -> usize {
        match self {
            Rule::And | Rule::Or | Rule::OrAnd => 4,
            Rule::Max => word_size,
            Rule::Flag => 0,
        }
    }
}

/// The definitions of one machine for `.note.gnu.property`.
pub struct MachineProperties {
    /// For each range of `pr_type` (first and last number): how values are joined.
    pub rules: &'static [(u32, u32, Rule)],
    /// Features that all objects must have.
    pub features: Option<Features>,
    /// Levels of the instruction set.
    pub levels: Option<Levels>,
}

/// A property with a bit for each feature, which all objects must have.
pub struct Features {
    /// `pr_type` of the property.
    pub pr_type: u32,
    /// The prefix of feature names in messages.
    pub prefix: &'static str,
    /// Each feature bit and its name in messages.
    pub names: &'static [(u32, &'static str)],
    /// Words of `-z` that set features in the output, even if objects lack them.
    pub words: &'static [(&'static str, u32)],
    /// Words of `-z` that report objects without features, in the order of messages.
    pub reports: &'static [(&'static str, u32)],
    /// Words of `-z` that warn of objects without features. Their row also gives a word of `words`,
    /// which sets the features in the output.
    pub demanding: &'static [(&'static str, u32)],
}

/// Properties with a bit for each level of the instruction set.
pub struct Levels {
    /// `pr_type` of the levels that objects need.
    pub needed: u32,
    /// `pr_type` of the levels that objects use.
    pub used: u32,
    /// The title of the levels in messages.
    pub title: &'static str,
    /// Names of the levels in messages, starting with the lowest bit.
    pub names: &'static [&'static str],
}

impl MachineProperties {
    /// How values of `pr_type` are joined; `None` for a type that the machine does not define.
    pub fn rule_of(&self, pr_type: u32) -> Option<Rule> {
        let mut rules = self.rules.iter();
        let found = rules.find(|(first, last, _)| (*first..=*last).contains(&pr_type));
        found.map(|(_, _, rule)| *rule)
    }
}

impl Features {
    /// The name of a feature bit in messages.
    pub fn name(&self, bit: u32) -> &'static str {
        let found = self.names.iter().find(|(one, _)| *one == bit);
        found.map_or("FEATURE_1", |(_, name)| name)
    }
}

impl Levels {
    /// The names of the levels in `bits`, as GNU ld prints them.
    pub fn list(&self, bits: u32) -> String {
        let name = |bit: u32| match self.names.get(bit as usize) {
            Some(name) => (*name).to_owned(),
            None => format!("<unknown: {:x}>", 1u32 << bit),
        };
        let set: Vec<String> = (0..32).filter(|bit| bits >> bit & 1 != 0).map(name).collect();
        set.join(", ")
    }
}
