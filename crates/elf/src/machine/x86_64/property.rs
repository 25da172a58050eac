//! Properties of x86 (x86-64 psABI supplement, "Program Property").

use crate::machine::property::{MachineProperties, Rule};
use object::elf::*;

/// All indirect branches land on `endbr64`.
const IBT: u32 = GNU_PROPERTY_X86_FEATURE_1_IBT;
/// The code works with shadow stacks.
const SHSTK: u32 = GNU_PROPERTY_X86_FEATURE_1_SHSTK;
/// The upper 15 bits of pointers may be masked (linear address masking).
const LAM_U48: u32 = 1 << 2;
/// The upper 6 bits of pointers may be masked.
const LAM_U57: u32 = 1 << 3;

/// What the psABI defines in `.note.gnu.property`.
pub static PROPERTIES: MachineProperties = MachineProperties {
    rules: &[
        (GNU_PROPERTY_X86_UINT32_AND_LO, GNU_PROPERTY_X86_UINT32_AND_HI, Rule::And),
        (GNU_PROPERTY_X86_UINT32_OR_LO, GNU_PROPERTY_X86_UINT32_OR_HI, Rule::Or),
        (GNU_PROPERTY_X86_UINT32_OR_AND_LO, GNU_PROPERTY_X86_UINT32_OR_AND_HI, Rule::OrAnd),
    ],
    features: GNU_PROPERTY_X86_FEATURE_1_AND,
    feature_prefix: "GNU_PROPERTY_X86_FEATURE_1_",
    feature_names: &[(IBT, "IBT"), (SHSTK, "SHSTK"), (LAM_U48, "LAM_U48"), (LAM_U57, "LAM_U57")],
    feature_words: &[
        ("ibt", IBT),
        ("shstk", SHSTK),
        ("lam-u48", LAM_U48 | LAM_U57),
        ("lam-u57", LAM_U57),
    ],
    feature_reports: &[
        ("cet-report", IBT | SHSTK),
        ("lam-u48-report", LAM_U48),
        ("lam-u57-report", LAM_U57),
    ],
    demanding_words: &[("force-ibt", IBT)],
    levels: [GNU_PROPERTY_X86_ISA_1_NEEDED, GNU_PROPERTY_X86_ISA_1_USED],
    level_title: "x86 ISA",
    level_names: &["x86-64-baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"],
};
