//! Program headers: the properties that a kernel and a dynamic loader rely on (generic ABI,
//! "Program Header").

use super::Report;
use crate::output_file::{OutputFile, Section, Segment};
use object::elf;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let loads: Vec<&Segment> = file.segments.iter().filter(|s| s.kind == elf::PT_LOAD).collect();
    for load in &loads {
        load_alone(file, load, report);
    }
    for pair in loads.windows(2) {
        let is_overlay = pair[0].takes_turns_with(pair[1]);
        report.expect("load-order", is_overlay || pair[0].end() <= pair[1].address, || {
            format!("{:#x} is before or over {:#x}", pair[1].address, pair[0].address)
        });
    }
    for segment in &file.segments {
        contained(&loads, segment, report);
    }
    for kind in [elf::PT_PHDR, elf::PT_INTERP, elf::PT_DYNAMIC, elf::PT_TLS, elf::PT_GNU_STACK] {
        let count = file.segments.iter().filter(|s| s.kind == kind).count();
        report.expect("segment-twice", count <= 1, || crate::elf_names::segment_type(kind));
    }
    for section in file.sections.iter().filter(|s| s.is_alloc() && s.size > 0) {
        section_in_load(file, &loads, section, report);
    }
    tls(file, report);
    relro(file, report);
    entry(file, &loads, report);
}

fn load_alone(file: &OutputFile, load: &Segment, report: &mut Report) {
    let at = load.address;
    report.expect("load-size", load.file_size <= load.memory_size, || format!("{at:#x}"));
    let end = load.file_offset.checked_add(load.file_size);
    // A segment without content, as in files for debuggers, may begin anywhere.
    let inside = load.file_size == 0 || end.is_some_and(|end| end <= file.data.len() as u64);
    report.expect("load-outside-file", inside, || format!("{at:#x}"));
    let align = load.align.max(1);
    report.expect("load-align", align.is_power_of_two(), || format!("{at:#x}: {align:#x}"));
    let congruent = load.file_offset % align == at % align;
    report.expect("load-congruence", congruent || !align.is_power_of_two(), || {
        format!("offset {:#x}, address {at:#x}, alignment {align:#x}", load.file_offset)
    });
}

/// Each segment but PT_GNU_STACK and empty ones lies inside one PT_LOAD, with the same distance
/// between address and file offset.
fn contained(loads: &[&Segment], segment: &Segment, report: &mut Report) {
    let is_inside = |load: &&&Segment| {
        // The zero-filled tail of PT_TLS is not in memory, and GNU ld lets RELRO run on to the end
        // of a page.
        let size = match segment.kind {
            elf::PT_TLS | elf::PT_GNU_RELRO => segment.file_size,
            _ => segment.memory_size,
        };
        load.holds(segment.address, size)
    };
    let name = crate::elf_names::segment_type(segment.kind);
    if matches!(segment.kind, elf::PT_LOAD | elf::PT_GNU_STACK | elf::PT_NULL)
        || segment.memory_size == 0
        || segment.kind == elf::PT_TLS && segment.file_size == 0
    {
        return;
    }
    match loads.iter().find(is_inside) {
        Some(load) if segment.file_size > 0 => {
            let same = segment.file_offset.wrapping_sub(load.file_offset)
                == segment.address.wrapping_sub(load.address);
            report.expect("segment-offset", same, || name);
        }
        Some(_) => {}
        None => report.add("segment-outside-load", name),
    }
}

fn section_in_load(file: &OutputFile, loads: &[&Segment], section: &Section, report: &mut Report) {
    let name = &section.name;
    if section.is_tls_nobits() {
        return;
    }
    let holding = || loads.iter().filter(|load| load.holds(section.address, section.size));
    let Some(load) = holding().find(|load| load.loads(section)).or_else(|| holding().next()) else {
        return report.add("section-outside-load", name.clone());
    };
    if section.is_in_file() {
        let same = section.file_offset.wrapping_sub(load.file_offset)
            == section.address.wrapping_sub(load.address);
        report.expect("section-offset", same, || name.clone());
        let distance = section.address.wrapping_sub(load.address);
        let in_file = distance.saturating_add(section.size) <= load.file_size;
        report.expect("section-past-file-size", in_file, || name.clone());
    } else {
        report.expect("nobits-in-file", is_zeros(file, load, section), || name.clone());
    }
    for (section_flag, segment_flag) in
        [(elf::SHF_WRITE, elf::PF_W), (elf::SHF_EXECINSTR, elf::PF_X)]
    {
        let wanted = section.flags & u64::from(section_flag) != 0;
        report.expect("section-permission", !wanted || load.flags & segment_flag != 0, || {
            format!("{name} in a segment without {}", crate::elf_names::segment_flags(segment_flag))
        });
    }
}

/// Whether the memory of `section`, in `load`, is zero after loading: the file has no bytes for it,
/// or zeros, as if sections with bytes follow.
fn is_zeros(file: &OutputFile, load: &Segment, section: &Section) -> bool {
    let distance = section.address.wrapping_sub(load.address);
    let end = distance.saturating_add(section.size).min(load.file_size);
    let offset = |distance: u64| load.file_offset.saturating_add(distance) as usize;
    distance >= end
        || file
            .data
            .get(offset(distance)..offset(end))
            .is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0))
}

fn tls(file: &OutputFile, report: &mut Report) {
    let segment = file.segments.iter().find(|s| s.kind == elf::PT_TLS);
    let is_tls = |s: &Section| s.flags & u64::from(elf::SHF_TLS) != 0 && s.is_alloc() && s.size > 0;
    // Data that a linker script defines may have SHF_TLS only because of its section's name, as
    // with GNU ld.
    let is_variable = |at: usize| {
        let mut symbols = file.symbols.iter().filter(|s| s.kind == elf::STT_TLS);
        symbols.any(|symbol| symbol.section_index as usize == at)
    };
    let counts = |at: usize, s: &Section| {
        let is_inside =
            segment.is_some_and(|tls| s.address.wrapping_sub(tls.address) < tls.file_size);
        is_tls(s) && (is_inside || !s.is_in_file() || is_variable(at))
    };
    let sections = file.sections.iter().enumerate().filter(|&(at, s)| counts(at, s));
    let sections: Vec<&Section> = sections.map(|(_, section)| section).collect();
    let Some(segment) = segment else {
        return report.expect("tls-segment", sections.is_empty(), || "missing".to_owned());
    };
    for section in sections {
        report.expect("tls-segment", segment.holds(section.address, section.size), || {
            format!("{} is outside", section.name)
        });
        report.expect("tls-segment", section.align <= segment.align, || {
            format!("{} has alignment {:#x}", section.name, section.align)
        });
        let in_file = segment.address.wrapping_add(segment.file_size);
        let right = if section.is_in_file() {
            section.end() <= in_file
        } else {
            section.address >= in_file
        };
        report.expect("tls-segment", right, || format!("{} and p_filesz", section.name));
    }
}

/// The loader protects whole pages: it rounds both start and end of PT_GNU_RELRO down (glibc
/// `_dl_protect_relro`). No section that is written later may lie in these pages.
fn relro(file: &OutputFile, report: &mut Report) {
    const PAGE: u64 = 4096;
    let Some(relro) = file.segments.iter().find(|s| s.kind == elf::PT_GNU_RELRO) else { return };
    let (start, end) = (relro.address & !(PAGE - 1), relro.end() & !(PAGE - 1));
    for section in file.sections.iter().filter(|s| s.is_alloc() && s.size > 0 && !s.is_tls_nobits())
    {
        let is_written = section.flags & u64::from(elf::SHF_WRITE) != 0
            && !relro.holds(section.address, section.size);
        // GNU ld lets RELRO end after the three reserved words of .got.plt.
        let reserved = if section.name == ".got.plt" { 3 * got_word(file) } else { 0 };
        let is_protected = section.address + reserved < end && section.end() > start;
        report.expect("relro-protects", !(is_written && is_protected), || section.name.clone());
    }
}

/// Size of a GOT entry: that of an address, except on x32, which uses x86-64 code.
fn got_word(file: &OutputFile) -> u64 {
    if file.machine == elf::EM_X86_64 { 8 } else { file.encoding.word_size() }
}

fn entry(file: &OutputFile, loads: &[&Segment], report: &mut Report) {
    let executable = |load: &&Segment| load.flags & elf::PF_X != 0 && load.holds(file.entry, 1);
    let is_descriptor = file.is_descriptor(file.entry);
    let inside =
        file.entry == 0 || is_descriptor || loads.iter().copied().any(|load| executable(&load));
    report.expect("entry-not-executable", inside, || format!("{:#x}", file.entry));
}
