//! What is looked at once every output section has its address: sections that overlap, segments
//! that are writable code, and gaps between sections.

use crate::args::{Options, OutputFormat};
use crate::diagnose::order::MessageKind;
use crate::layout::items::{Layout, Unfilled};
use crate::layout::output_sections::Head;
use crate::layout::walk::Problem;
use crate::layout::{OutputSection, OutputSections, Segment};
use crate::script::LayoutScript;
use object::elf::{PF_W, PF_X, PT_LOAD, SHF_ALLOC, SHF_TLS, SHT_NOBITS};
use skald_core::diag::Diag;
use skald_core::unordered::UnorderedSet;

/// Reports what is wrong with the values of a layout.
pub fn report(problems: &[Problem], options: &Options, diag: &Diag) {
    for (at, Problem { text, passes }) in (0..).zip(problems) {
        let key = MessageKind::Assertion.key(at);
        match *passes && options.noinhibit_exec {
            true => diag.warn(key, text.clone()),
            false => diag.error(key, text.clone()),
        }
    }
}

/// Makes the checks that `options` do not turn off.
pub fn check(
    options: &Options,
    script: &LayoutScript,
    outputs: &OutputSections,
    segments: &[Segment],
    diag: &Diag,
) {
    let sections = &outputs.sections;
    if options.reports.warn_section_align {
        moved(sections, segments, diag);
    }
    if !options.reports.no_check_sections {
        overlaps(script, sections, options.noinhibit_exec, diag);
        if !script.is_automatic {
            load_overlaps(outputs, options.noinhibit_exec, diag);
        }
    }
    writable_code(options, segments, diag);
    zeros_amid_template(sections, diag);
}

/// Reports tables of the linker that would not be written: GNU ld says that their section has no
/// contents, but for `.dynstr`, without which libraries and symbols have no names.
pub fn unfilled(layout: &Layout, outputs: &OutputSections, diag: &Diag) {
    for Unfilled { table, name } in &layout.unfilled {
        let Some(section) = outputs.synthetic(*table).filter(|section| section.size != 0) else {
            continue;
        };
        let (name, output) =
            (String::from_utf8_lossy(name), String::from_utf8_lossy(&section.name));
        let text = format!(
            "section {name} would not be written: the script puts it into {output}, which has no \
             bytes in the file"
        );
        diag.error((0, 0), text);
    }
}

/// `--warn-section-align`: sections that do not begin where the one before them in their segment
/// ends.
fn moved(sections: &[OutputSection], segments: &[Segment], diag: &Diag) {
    let loaded = segments.iter().filter(|segment| segment.p_type == PT_LOAD);
    let pairs = loaded.flat_map(|segment| sections[segment.sections.clone()].windows(2));
    for (at, pair) in (0..).zip(pairs) {
        let by = pair[1].address.saturating_sub(pair[0].address.saturating_add(pair[0].size));
        if by != 0 && pair[0].sh_flags & u64::from(SHF_TLS) == 0 {
            let name = String::from_utf8_lossy(&pair[1].name);
            diag.warn(
                MessageKind::MovedSection.key(at),
                format!("start of section {name} changed by {by}"),
            );
        }
    }
}

/// Reports two sections at one address, where they are not in an overlay: the content of one would
/// be lost.
fn overlaps(script: &LayoutScript, sections: &[OutputSection], passes: bool, diag: &Diag) {
    let overlays: UnorderedSet<&[u8]> = script
        .outputs()
        .filter(|output| output.is_overlay)
        .map(|output| &output.name[..])
        .collect();
    let take_turns = |a: &OutputSection, b: &OutputSection| {
        overlays.contains(&a.name[..]) && overlays.contains(&b.name[..])
    };
    let takes_room = |section: &&OutputSection| {
        let is_thread_bss =
            section.sh_type == SHT_NOBITS && section.sh_flags & u64::from(SHF_TLS) != 0;
        section.sh_flags & u64::from(SHF_ALLOC) != 0 && section.size != 0 && !is_thread_bss
    };
    let mut sorted: Vec<&OutputSection> = sections.iter().filter(takes_room).collect();
    sorted.sort_by_key(|section| section.address);
    let mut last: Option<&OutputSection> = None;
    for (at, section) in (0..).zip(sorted) {
        let end = |section: &OutputSection| section.address.saturating_add(section.size);
        let range = |section: &OutputSection| {
            let name = String::from_utf8_lossy(&section.name);
            format!(">>> {name} range is [{:#x}, {:#x}]", section.address, end(section) - 1)
        };
        let meets =
            |last: &&OutputSection| end(last) > section.address && !take_turns(last, section);
        if let Some(last) = last.filter(meets) {
            let text = format!(
                "section {} overlaps with {}\n{}\n{}",
                String::from_utf8_lossy(&section.name),
                String::from_utf8_lossy(&last.name),
                range(section),
                range(last)
            );
            match passes {
                true => diag.warn(MessageKind::Overlap.key(at), text),
                false => diag.error(MessageKind::Overlap.key(at), text),
            }
        }
        last = last.filter(|last| end(last) >= end(section)).or(Some(section));
    }
}

/// Reports two sections at one load address: a loader would put the bytes of one over those of the
/// other. Where their addresses overlap too that has been said.
fn load_overlaps(outputs: &OutputSections, passes: bool, diag: &Diag) {
    let first = |head: &Head| &outputs.sections[head.parts.start];
    let is_loaded = |head: &&Head| {
        let first = first(head);
        first.is_loaded() && first.sh_type != SHT_NOBITS && head.size != 0
    };
    let mut sorted: Vec<&Head> = outputs.heads.iter().filter(is_loaded).collect();
    sorted.sort_by_key(|head| head.load_address);
    let end = |start: u64, head: &Head| start.saturating_add(head.size);
    let load_end = |head: &Head| end(head.load_address, head);
    let mut last: Option<&Head> = None;
    for (at, head) in (0..).zip(sorted) {
        let name = |head: &Head| String::from_utf8_lossy(&first(head).name).into_owned();
        let range = |head: &Head| {
            let (name, start) = (name(head), head.load_address);
            format!(">>> {name} range is [{start:#x}, {:#x}]", load_end(head) - 1)
        };
        let is_apart = |last: &Head| {
            end(last.address, last) <= head.address || end(head.address, head) <= last.address
        };
        let meets = |last: &&Head| load_end(last) > head.load_address && is_apart(last);
        if let Some(last) = last.filter(meets) {
            let (own, other) = (name(head), name(last));
            let text = format!(
                "section {own} load address range overlaps with {other}\n{}\n{}",
                range(head),
                range(last)
            );
            match passes {
                true => diag.warn(MessageKind::LoadOverlap.key(at), text),
                false => diag.error(MessageKind::LoadOverlap.key(at), text),
            }
        }
        last = last.filter(|last| load_end(last) >= load_end(head)).or(Some(head));
    }
}

/// Reports zeros of thread-local storage before a section of it that has bytes: they take no room
/// in the image, so that in the block of a thread the variables of both would share theirs.
fn zeros_amid_template(sections: &[OutputSection], diag: &Diag) {
    let thread_local = sections
        .iter()
        .filter(|section| section.is_loaded() && section.sh_flags & u64::from(SHF_TLS) != 0)
        .filter(|section| section.size != 0);
    let mut behind = thread_local.skip_while(|section| section.sh_type != SHT_NOBITS);
    let Some(zeros) = behind.next() else { return };
    if let Some(filled) = behind.find(|section| section.sh_type != SHT_NOBITS) {
        let name = |section: &OutputSection| String::from_utf8_lossy(&section.name).into_owned();
        let (zeros, filled) = (name(zeros), name(filled));
        let text = format!(
            "section {zeros} has no bytes in the file and stands before {filled}, which has: \
             thread-local variables of both would have the same place"
        );
        diag.error((0, 0), text);
    }
}

/// Warns, as GNU ld, of segments that are writable and executable, unless an option turns it off:
/// of those in the output, which images of other formats have none of.
fn writable_code(options: &Options, segments: &[Segment], diag: &Diag) {
    let is_error = options.reports.error_rwx_segments;
    if !is_error && options.reports.warn_rwx_segments == Some(false) {
        return;
    }
    let both = PF_W | PF_X;
    if !is_error && options.output_format != OutputFormat::Elf {
        return;
    }
    if !segments.iter().any(|s| s.p_type == PT_LOAD && s.p_flags & both == both) {
        return;
    }
    let text = format!("{} has a LOAD segment with RWX permissions", options.output.display());
    match is_error {
        true => diag.error(MessageKind::WritableCode.key(0), text),
        false => diag.warn(MessageKind::WritableCode.key(0), text),
    }
}
