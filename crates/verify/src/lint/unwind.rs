//! .eh_frame and .eh_frame_hdr: every FDE is readable, covers code of the file, and is in the
//! search table under its first address (LSB, "Exception Frames").

use super::{Report, is_code};
use crate::output_file::OutputFile;
use gimli::{BaseAddresses, CieOrFde, EhFrame, EhFrameHdr, RunTimeEndian, UnwindSection};
use object::{Endianness, elf};
use std::collections::BTreeMap;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let Some(frame) = file.section(".eh_frame").filter(|s| s.size > 0 && s.is_in_file()) else {
        return;
    };
    let mut bases = BaseAddresses::default().set_eh_frame(frame.address);
    if let Some(text) = file.section(".text") {
        bases = bases.set_text(text.address);
    }
    let mut eh_frame = EhFrame::new(file.section_bytes(frame), order(file));
    eh_frame.set_address_size(file.encoding.word_size() as u8);
    let mut functions: BTreeMap<u64, Vec<Function>> = BTreeMap::new();
    let mut entries = eh_frame.entries(&bases);
    loop {
        match entries.next() {
            Ok(None) => break,
            Ok(Some(CieOrFde::Cie(_))) => {}
            Ok(Some(CieOrFde::Fde(partial))) => match partial.parse(EhFrame::cie_from_offset) {
                Ok(fde) => {
                    let address = fde.initial_address();
                    let at = frame.address.wrapping_add(fde.offset() as u64);
                    let is_code = fde.len() == 0 || is_code(file, address);
                    report.expect("eh-frame", is_code, || format!("FDE {at:#x} for {address:#x}"));
                    let function = Function { fde: at, is_empty: fde.len() == 0 };
                    functions.entry(address).or_default().push(function);
                }
                Err(error) => return report.add("eh-frame", error.to_string()),
            },
            Err(error) => return report.add("eh-frame", error.to_string()),
        }
    }
    search_table(file, &bases, &functions, report);
}

/// What an FDE describes.
struct Function {
    /// Address of the FDE.
    fde: u64,
    /// The FDE covers no byte: nobody needs to find it, and a function may begin at its address.
    is_empty: bool,
}

/// Checks .eh_frame_hdr. `functions` are the FDEs by the first address that they cover.
fn search_table(
    file: &OutputFile,
    bases: &BaseAddresses,
    functions: &BTreeMap<u64, Vec<Function>>,
    report: &mut Report,
) {
    let header = file.section(".eh_frame_hdr");
    let segment = file.segments.iter().find(|s| s.kind == elf::PT_GNU_EH_FRAME);
    let same = header.map(|s| s.address) == segment.map(|s| s.address);
    report.expect("eh-frame-hdr", same, || "PT_GNU_EH_FRAME is not .eh_frame_hdr".to_owned());
    let Some(header) = header else { return };
    let bases = bases.clone().set_eh_frame_hdr(header.address);
    let parsed = EhFrameHdr::new(file.section_bytes(header), order(file));
    let parsed = match parsed.parse(&bases, file.encoding.word_size() as u8) {
        Ok(parsed) => parsed,
        Err(error) => return report.add("eh-frame-hdr", error.to_string()),
    };
    let frame = bases_frame(file);
    report.expect("eh-frame-hdr", parsed.eh_frame_ptr().pointer() == frame, || {
        format!("points to {:#x}", parsed.eh_frame_ptr().pointer())
    });
    let Some(table) = parsed.table() else {
        let none = functions.values().flatten().all(|function| function.is_empty);
        return report.expect("eh-frame-hdr", none, || "no search table".to_owned());
    };
    let mut found = BTreeMap::new();
    let mut last = None;
    let mut entries = table.iter(&bases);
    loop {
        match entries.next() {
            Ok(Some((address, fde))) => {
                let address = address.pointer();
                report.expect("eh-frame-hdr", last.is_none_or(|last| last <= address), || {
                    format!("{address:#x} is not in order")
                });
                last = Some(address);
                found.insert(address, fde.pointer());
            }
            Ok(None) => break,
            Err(error) => return report.add("eh-frame-hdr", error.to_string()),
        }
    }
    for (address, fde) in &found {
        let there = functions.get(address).into_iter().flatten();
        let has = there.into_iter().any(|function| function.fde == *fde);
        report.expect("eh-frame-hdr", has, || format!("{address:#x} has no FDE at {fde:#x}"));
    }
    for (address, there) in functions {
        if there.iter().all(|function| function.is_empty) {
            continue;
        }
        report.expect("eh-frame-hdr", found.contains_key(address), || {
            format!("the FDE of {address:#x} is not in the table")
        });
    }
}

/// The byte order of `file`, for `gimli`.
fn order(file: &OutputFile) -> RunTimeEndian {
    match file.encoding.order {
        Endianness::Little => RunTimeEndian::Little,
        Endianness::Big => RunTimeEndian::Big,
    }
}

fn bases_frame(file: &OutputFile) -> u64 {
    file.section(".eh_frame").map_or(0, |s| s.address)
}
