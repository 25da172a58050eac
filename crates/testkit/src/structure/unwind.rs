//! Facts about unwinding: the functions whose FDE an unwinder finds by .eh_frame_hdr, and whether
//! the FDE has an LSDA.

use super::Description;
use super::places::symbols;
use crate::output_file::OutputFile;
use gimli::{BaseAddresses, EhFrame, EhFrameHdr, RunTimeEndian, UnwindSection};
use object::{Endianness, elf};

/// The range of addresses that an FDE describes.
#[derive(Debug)]
struct Covered {
    start: u64,
    end: u64,
    /// Whether the FDE has an LSDA.
    has_lsda: bool,
    has_personality: bool,
}

pub(super) fn describe(file: &OutputFile, description: &mut Description) {
    let mut covered = covered(file).unwrap_or_default();
    covered.sort_by_key(|fde| fde.start);
    for symbol in symbols(file) {
        let is_code = matches!(symbol.kind, elf::STT_FUNC | elf::STT_GNU_IFUNC);
        if !is_code || symbol.size == 0 || !symbol.is_defined() {
            continue;
        }
        let after = covered.partition_point(|fde| fde.start <= symbol.value);
        let fde = after.checked_sub(1).map(|index| &covered[index]);
        let how = match fde.filter(|fde| symbol.value < fde.end) {
            None => "no".to_owned(),
            Some(fde) => {
                let is_whole = symbol.value.wrapping_add(symbol.size) <= fde.end;
                let mut how = if is_whole { "yes" } else { "in part" }.to_owned();
                if fde.has_lsda {
                    how.push_str(", with handlers");
                }
                if fde.has_personality {
                    how.push_str(", with a personality");
                }
                how
            }
        };
        description.add("unwind", &symbol.name, "covered", how);
    }
}

/// The ranges of the FDEs in the search table. `None` if there is no table or it cannot be read,
/// which is for [`crate::lint`] to find.
fn covered(file: &OutputFile) -> Option<Vec<Covered>> {
    let header = file.section(".eh_frame_hdr")?;
    let frame = file.section(".eh_frame")?;
    let mut bases =
        BaseAddresses::default().set_eh_frame(frame.address).set_eh_frame_hdr(header.address);
    if let Some(text) = file.section(".text") {
        bases = bases.set_text(text.address);
    }
    let order = match file.encoding.order {
        Endianness::Little => RunTimeEndian::Little,
        Endianness::Big => RunTimeEndian::Big,
    };
    let address_size = file.encoding.word_size() as u8;
    let mut eh_frame = EhFrame::new(file.section_bytes(frame), order);
    eh_frame.set_address_size(address_size);
    let header = EhFrameHdr::new(file.section_bytes(header), order);
    let parsed = header.parse(&bases, address_size).ok()?;
    let table = parsed.table()?;
    let mut entries = table.iter(&bases);
    let mut covered = Vec::new();
    while let Some((_, pointer)) = entries.next().ok()? {
        let at = pointer.pointer().wrapping_sub(frame.address) as usize;
        let fde = eh_frame.fde_from_offset(&bases, at.into(), EhFrame::cie_from_offset).ok()?;
        covered.push(Covered {
            start: fde.initial_address(),
            end: fde.initial_address().wrapping_add(fde.len()),
            has_lsda: fde.lsda().is_some(),
            has_personality: fde.personality().is_some(),
        });
    }
    Some(covered)
}
