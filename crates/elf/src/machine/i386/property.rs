//! Properties of i386: those of x86 but for linear address masking, which 64-bit pointers have.

use crate::machine::property::{Features, MachineProperties, Reporting};
use crate::machine::x86_64::property::{LEVELS, RULES};
use object::elf::*;

/// All indirect branches land on `endbr32`.
const IBT: u32 = GNU_PROPERTY_X86_FEATURE_1_IBT;
/// The code works with shadow stacks.
const SHSTK: u32 = GNU_PROPERTY_X86_FEATURE_1_SHSTK;

/// What the psABI defines in `.note.gnu.property`.
pub static PROPERTIES: MachineProperties = MachineProperties {
    rules: RULES,
    features: Some(Features {
        pr_type: GNU_PROPERTY_X86_FEATURE_1_AND,
        prefix: "GNU_PROPERTY_X86_FEATURE_1_",
        names: &[(IBT, "IBT"), (SHSTK, "SHSTK")],
        words: &[("ibt", IBT), ("shstk", SHSTK)],
        reports: &[("cet-report", IBT | SHSTK)],
        demanding: &[("force-ibt", IBT)],
        exclusive: None,
        libraries: None,
        reporting: Reporting::OfDeclared,
    }),
    levels: Some(LEVELS),
    signing: None,
    attributes: None,
};
