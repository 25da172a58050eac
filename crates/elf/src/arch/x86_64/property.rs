//! Properties of x86 (x86-64 psABI supplement, "Program Property").

use crate::arch::property::{Demand, MachineProperties, Rule};
use crate::args::{Report, ZOptions};
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
    forced_features,
    demanded_features,
    levels: [GNU_PROPERTY_X86_ISA_1_NEEDED, GNU_PROPERTY_X86_ISA_1_USED],
    level_title: "x86 ISA",
    level_names: &["x86-64-baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"],
};

fn forced_features(z: &ZOptions) -> u32 {
    let bits =
        [(z.ibt, IBT), (z.shstk, SHSTK), (z.lam_u48, LAM_U48 | LAM_U57), (z.lam_u57, LAM_U57)];
    bits.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, bit)| all | bit)
}

/// For options with a word (`=error`, `=warning`) messages are mold's. As for GNU ld, what another
/// option says of the whole output, whatever objects have, no object has to have; `-z force-ibt`,
/// which says it too, is for finding those that do not.
fn demanded_features(z: &ZOptions) -> Vec<Demand> {
    let forced_ibt = if z.force_ibt { Report::Warning } else { Report::None };
    let said = match z.force_ibt {
        true => forced_features(z) & !IBT,
        false => forced_features(z),
    };
    let demands = [
        (IBT, z.cet_report, "-cet-report="),
        (SHSTK, z.cet_report, "-cet-report="),
        (LAM_U48, z.lam_u48_report, "-lam-u48-report="),
        (LAM_U57, z.lam_u57_report, "-lam-u57-report="),
        (IBT, forced_ibt, "-z force-ibt"),
    ];
    let asked = |&(bit, report, _): &Demand| report != Report::None && said & bit == 0;
    demands.into_iter().filter(asked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_mask_implies_the_narrower_one() {
        let z = ZOptions { ibt: true, lam_u48: true, ..ZOptions::default() };
        assert_eq!(forced_features(&z), 13);
        assert_eq!(PROPERTIES.level_list(0x24), "x86-64-v3, <unknown: 20>");
    }
}
