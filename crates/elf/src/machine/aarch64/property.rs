//! Properties of AArch64 ("ELF for the Arm 64-bit Architecture", "Program property").

use crate::machine::property::{Features, MachineProperties, Rule};
use object::elf::*;

/// All indirect branches land on instructions for that (branch target identification).
pub const BTI: u32 = GNU_PROPERTY_AARCH64_FEATURE_1_BTI;
/// Return addresses are signed (pointer authentication).
pub const PAC: u32 = GNU_PROPERTY_AARCH64_FEATURE_1_PAC;
/// The code works with guarded control stacks.
pub const GCS: u32 = 1 << 2;

/// What the ABI defines in `.note.gnu.property`.
pub static PROPERTIES: MachineProperties = MachineProperties {
    rules: &[(GNU_PROPERTY_AARCH64_FEATURE_1_AND, GNU_PROPERTY_AARCH64_FEATURE_1_AND, Rule::And)],
    features: Some(Features {
        pr_type: GNU_PROPERTY_AARCH64_FEATURE_1_AND,
        prefix: "GNU_PROPERTY_AARCH64_FEATURE_1_",
        names: &[(BTI, "BTI"), (PAC, "PAC"), (GCS, "GCS")],
        words: &[("force-bti", BTI), ("gcs", GCS)],
        reports: &[("bti-report", BTI), ("gcs-report", GCS)],
        demanding: &[("force-bti", BTI)],
    }),
    levels: None,
};
