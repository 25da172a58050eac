//! The plan of an output: the sections that the linker adds, and the set of output sections.

use super::attributes;
use super::dynamic_section::DynamicStrings;
use super::plt::Plt;
use super::section_names::SectionNames;
use super::sections::Plan;
use super::slots::Slots;
use crate::machine::Machine;
use crate::machine::attribute_section::Described;

/// What planning returns: every section that the linker adds is known, nothing has an address. The
/// last four fields are made while the layout converges.
pub struct Planned {
    /// GOT words and PLT entries of symbols.
    pub slots: Slots,
    /// The code of the PLT that options and properties ask for.
    pub plt: &'static Plt,
    /// Plans of the sections that the linker makes.
    pub plan: Plan,
    /// Offsets in `.dynstr` of the strings in `.dynamic`.
    pub strings: DynamicStrings,
    /// Names in section headers.
    pub names: SectionNames,
    /// Addresses that `.relr.dyn` covers, ascending.
    pub packed: Vec<u64>,
    /// Addresses that `.relr.auth.dyn` covers, ascending.
    pub packed_signed: Vec<u64>,
    /// `.rela.dyn` in Android's packed form; empty for the other forms.
    pub packed_table: Vec<u8>,
    /// `.memtag.globals.dynamic`.
    pub tagged_table: Vec<u8>,
}

impl Planned {
    /// What the attributes of all objects mean for a machine.
    pub fn described(&self, machine: &Machine) -> Described {
        let attributes = self.plan.attributes.as_deref().unwrap_or_default();
        attributes::described(machine, attributes)
    }

    /// The tables that are planned before the layout.
    pub fn new(slots: Slots, plt: &'static Plt, plan: Plan, strings: DynamicStrings) -> Planned {
        Planned {
            slots,
            plt,
            plan,
            strings,
            names: SectionNames::default(),
            packed: Vec::new(),
            packed_signed: Vec::new(),
            packed_table: Vec::new(),
            tagged_table: Vec::new(),
        }
    }
}
