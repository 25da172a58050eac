//! Properties of RISC-V: control flow that is checked ("RISC-V ABIs Specification", "Program
//! Property"; extensions Zicfilp and Zicfiss).

use crate::machine::property::{Features, MachineProperties, Reporting, Rule};

/// All indirect branches land on pads without labels.
pub const UNLABELED: u32 = 1 << 0;
/// The code works with shadow stacks.
const SHADOW_STACK: u32 = 1 << 1;
/// All indirect branches land on pads whose labels follow from the types of functions.
const LABELED: u32 = 1 << 2;

/// GNU_PROPERTY_RISCV_FEATURE_1_AND.
const FEATURES: u32 = 0xc000_0000;

/// What the psABI defines in `.note.gnu.property`.
pub static PROPERTIES: MachineProperties = MachineProperties {
    rules: &[(FEATURES, FEATURES, Rule::And)],
    features: Some(Features {
        pr_type: FEATURES,
        prefix: "GNU_PROPERTY_RISCV_FEATURE_1_",
        names: &[
            (UNLABELED, "CFI_LP_UNLABELED"),
            (SHADOW_STACK, "CFI_SS"),
            (LABELED, "CFI_LP_FUNC_SIG"),
        ],
        words: &[
            ("zicfilp=unlabeled", UNLABELED),
            ("zicfilp=func-sig", LABELED),
            ("zicfiss", SHADOW_STACK),
        ],
        reports: &[
            ("zicfilp-unlabeled-report", UNLABELED),
            ("zicfilp-func-sig-report", LABELED),
            ("zicfiss-report", SHADOW_STACK),
        ],
        demanding: &[],
        exclusive: Some([UNLABELED, LABELED]),
        libraries: None,
        reporting: Reporting::Always,
    }),
    levels: None,
    signing: None,
    attributes: None,
};
