//! The plan of an output: what the linker adds, and which output sections there are.

use super::dynamic_section::DynamicStrings;
use super::sections::Plan;
use super::slots::Slots;
use crate::arch::plt::Plt;
use crate::layout::OutputSections;

/// The plan.
pub struct Planned {
    /// Slots.
    pub slots: Slots,
    /// The code of the PLT.
    pub plt: &'static Plt,
    /// What the linker adds.
    pub plan: Plan,
    /// Strings of `.dynamic`.
    pub strings: DynamicStrings,
    /// Output sections, sorted once they are placed.
    pub outputs: OutputSections,
}
