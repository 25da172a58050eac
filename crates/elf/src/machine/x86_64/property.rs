//! Properties of x86 (x86-64 psABI supplement, "Program Property").

use crate::machine::property::{Features, Levels, MachineProperties, Reporting, Rule};
use object::elf::*;

/// All indirect branches land on `endbr64`.
const IBT: u32 = GNU_PROPERTY_X86_FEATURE_1_IBT;
/// The code works with shadow stacks.
const SHSTK: u32 = GNU_PROPERTY_X86_FEATURE_1_SHSTK;
/// The upper 15 bits of pointers may be masked (linear address masking).
const LAM_U48: u32 = 1 << 2;
/// The upper 6 bits of pointers may be masked.
const LAM_U57: u32 = 1 << 3;

/// The properties that the psABI defines in `.note.gnu.property`.
pub static PROPERTIES: MachineProperties = MachineProperties {
    rules: RULES,
    features: Some(Features {
        pr_type: GNU_PROPERTY_X86_FEATURE_1_AND,
        prefix: "GNU_PROPERTY_X86_FEATURE_1_",
        names: &[(IBT, "IBT"), (SHSTK, "SHSTK"), (LAM_U48, "LAM_U48"), (LAM_U57, "LAM_U57")],
        words: &[
            ("ibt", IBT),
            ("shstk", SHSTK),
            ("lam-u48", LAM_U48 | LAM_U57),
            ("lam-u57", LAM_U57),
        ],
        reports: &[
            ("cet-report", IBT | SHSTK),
            ("lam-u48-report", LAM_U48),
            ("lam-u57-report", LAM_U57),
        ],
        demanding: &[("force-ibt", IBT)],
        exclusive: None,
        libraries: None,
        reporting: Reporting::OfDeclared,
    }),
    levels: Some(LEVELS),
    signing: None,
    attributes: None,
};

/// How values of properties are joined, in 64 bits and in 32.
pub const RULES: &[(u32, u32, Rule)] = &[
    (GNU_PROPERTY_X86_UINT32_AND_LO, GNU_PROPERTY_X86_UINT32_AND_HI, Rule::And),
    (GNU_PROPERTY_X86_UINT32_OR_LO, GNU_PROPERTY_X86_UINT32_OR_HI, Rule::Or),
    (GNU_PROPERTY_X86_UINT32_OR_AND_LO, GNU_PROPERTY_X86_UINT32_OR_AND_HI, Rule::OrAnd),
];

/// Levels of the instruction set.
pub const LEVELS: Levels = Levels {
    needed: GNU_PROPERTY_X86_ISA_1_NEEDED,
    used: GNU_PROPERTY_X86_ISA_1_USED,
    title: "x86 ISA",
    names: &["x86-64-baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"],
};
