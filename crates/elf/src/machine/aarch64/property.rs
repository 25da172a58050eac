//! Properties of AArch64 ("ELF for the Arm 64-bit Architecture", "Program property"; for signed
//! pointers "PAuth ABI Extension to ELF").

use super::attributes;
use crate::machine::property::{
    BuildAttributes, Features, LibraryReport, MachineProperties, Reporting, Rule, Signing,
};
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
        exclusive: None,
        libraries: Some(LibraryReport {
            bit: GCS,
            word: "gcs-report-dynamic",
            of_objects: "gcs-report",
            text: "GCS is required by -z gcs, but this shared library lacks the necessary property \
                   note. The dynamic loader might not enable GCS or refuse to load the program \
                   unless all shared library dependencies have the GCS marking.",
        }),
        reporting: Reporting::Always,
    }),
    levels: None,
    signing: Some(Signing {
        // GNU_PROPERTY_AARCH64_FEATURE_PAUTH.
        pr_type: 0xc000_0001,
        title: "AArch64 PAuth core info",
        data: "AArch64 PAuth data",
        no_calls: "file does not have GNU_PROPERTY_AARCH64_FEATURE_1_PAC property and no valid \
                   PAuth core info present for this link job",
        report: "pauth-report",
        wrong_size: "GNU_PROPERTY_AARCH64_FEATURE_PAUTH entry is invalid: expected 16 bytes",
        repeated: "multiple GNU_PROPERTY_AARCH64_FEATURE_PAUTH entries are not supported",
        calls: PAC,
    }),
    attributes: Some(BuildAttributes {
        sh_type: attributes::SHT_AARCH64_ATTRIBUTES,
        read: attributes::read,
    }),
};
