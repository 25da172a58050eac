//! The properties in `.note.gnu.property` that a machine defines.

use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;

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
    /// How pointers are signed, which all objects must agree on.
    pub signing: Option<Signing>,
    /// Sections that say the same in another form.
    pub attributes: Option<BuildAttributes>,
}

/// The property that says how pointers are signed.
pub struct Signing {
    /// `pr_type` of the property: two words, platform and version.
    pub pr_type: u32,
    /// What it is in messages.
    pub title: &'static str,
    /// What it is in messages about other sections that say it.
    pub data: &'static str,
    /// What is missing in an object without it that does not sign return addresses either, to
    /// follow `-z pac-plt: `.
    pub no_calls: &'static str,
    /// The word of `-z` that reports objects without the property.
    pub report: &'static str,
    /// What is said of a property of another size.
    pub wrong_size: &'static str,
    /// What is said of an object that has it twice.
    pub repeated: &'static str,
    /// The feature bit of objects that sign return addresses: `-z pac-plt` gives it to the output
    /// unless the signing of pointers is defined.
    pub calls: u32,
}

/// By which rules pointers are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SigningSchema {
    /// Whose rules.
    pub platform: u64,
    /// Which ones.
    pub version: u64,
}

impl SigningSchema {
    /// What an object has that shall not be linked with signed pointers.
    pub const INVALID: SigningSchema = SigningSchema { platform: 0, version: 0 };
}

/// Sections that declare features and the signing of pointers.
pub struct BuildAttributes {
    /// Their type.
    pub sh_type: u32,
    /// Reads the content of one.
    pub read: fn(ByteOrder, &[u8]) -> Result<Declared, Malformed>,
}

/// What a section of attributes declares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Declared {
    /// Bits as in the property for features.
    pub features: Option<u32>,
    /// As in the property for signing.
    pub schema: Option<SigningSchema>,
}

/// A property with a bit for each feature, which all objects must have.
pub struct Features {
    /// `pr_type` of the property.
    pub pr_type: u32,
    /// The prefix of feature names in messages.
    pub prefix: &'static str,
    /// Each feature bit and its name in messages.
    pub names: &'static [(u32, &'static str)],
    /// Words of `-z` that set features in the output, even if objects lack them; with the value,
    /// if different ones set different features.
    pub words: &'static [(&'static str, u32)],
    /// Words of `-z` that report objects without features, in the order of messages.
    pub reports: &'static [(&'static str, u32)],
    /// Words of `-z` that warn of objects without features. Their row also gives a word of `words`,
    /// which sets the features in the output.
    pub demanding: &'static [(&'static str, u32)],
    /// Two features of which an object has one at most.
    pub exclusive: Option<[u32; 2]>,
    /// The word of `-z` that reports libraries without a feature that the output has.
    pub libraries: Option<LibraryReport>,
    /// Which of several words speak of an object, and how.
    pub reporting: Reporting,
}

/// How objects without a feature are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reporting {
    /// In mold's words. A feature that another word gives to the output is not asked of objects, as
    /// in GNU ld.
    OfDeclared,
    /// In lld's words. A word for reports always counts, and instead of one of
    /// [`Features::demanding`].
    Always,
}

/// A report of libraries without a feature.
pub struct LibraryReport {
    /// The feature.
    pub bit: u32,
    /// The word of `-z`.
    pub word: &'static str,
    /// The word about objects: if only that is given, libraries are warned of.
    pub of_objects: &'static str,
    /// What is said of such a library.
    pub text: &'static str,
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
    /// Whether sections of this type hold build attributes.
    pub fn is_attributes(&self, sh_type: u32) -> bool {
        self.attributes.as_ref().is_some_and(|attributes| attributes.sh_type == sh_type)
    }

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
