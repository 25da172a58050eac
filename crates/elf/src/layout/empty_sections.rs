//! Decides which empty output sections of a script are in the output.

use super::arrange::{make_heads, stated};
use super::items::{BodyPart, Layout};
use super::nature::Traits;
use super::output_sections::{OutputSections, StatedId};
use object::elf::*;

/// Keeps output sections that have nothing but assignments: they are written, but not loaded.
pub(super) fn keep_assigned(outputs: &mut OutputSections, layout: &mut Layout) {
    for heading in layout.headings.iter_mut().filter(|heading| heading.may_vanish) {
        let assigns = |part: &BodyPart| matches!(part, BodyPart::Assign(_) | BodyPart::Gap(..));
        if !heading.body.iter().any(assigns) {
            continue;
        }
        heading.may_vanish = false;
        if heading.parts().is_none() {
            heading.body.push(BodyPart::Part(outputs.sections.len()));
            let name = heading.statement.name.clone();
            outputs.sections.push(stated(name, StatedId::default(), SHT_PROGBITS, SHF_WRITE, 0));
        }
    }
}

/// Gaps can make a section that otherwise would not be in memory; gaps without bytes do not.
fn unload_without_gaps(outputs: &mut OutputSections, layout: &Layout) {
    for heading in &layout.headings {
        let is_open = |part: &BodyPart| matches!(part, BodyPart::Gap(at, _) if outputs.sections[*at].size != 0);
        let is_allocated =
            heading.nature.traits().is_some_and(|traits| traits.has(Traits::ALLOCATED));
        let has_inputs = heading.nature.has_inputs();
        if !has_inputs || is_allocated || heading.body.iter().any(is_open) {
            continue;
        }
        let Some(head) = heading.head else { continue };
        for part in &mut outputs.sections[outputs.heads[head].parts.clone()] {
            part.sh_flags &= !u64::from(SHF_ALLOC);
        }
    }
}

/// Drops output sections that have no bytes and contain nothing but gaps. Symbols assigned in them
/// keep their values.
pub fn drop_empty(outputs: &mut OutputSections, layout: &mut Layout) {
    if !layout.is_automatic {
        unload_without_gaps(outputs, layout);
    }
    let mut is_kept = vec![true; outputs.sections.len()];
    let mut has_text = false;
    for heading in &mut layout.headings {
        let is_text = heading.statement.name == b".text" && !std::mem::replace(&mut has_text, true);
        if !heading.is_hollow {
            continue;
        }
        let Some(head) = heading.head.filter(|&head| outputs.heads[head].size == 0) else {
            heading.is_hollow = false;
            continue;
        };
        let asks =
            |part: &BodyPart| matches!(part, BodyPart::Gap(_, value) if !value.asks_for_nothing());
        let stays = heading.nature.is_kept() || heading.body.iter().any(asks);
        if !layout.is_automatic && stays {
            let (sh_type, mut sh_flags) = heading.nature.header(false);
            if is_text {
                sh_flags &= !u64::from(SHF_WRITE);
            }
            for part in &mut outputs.sections[outputs.heads[head].parts.clone()] {
                (part.sh_type, part.sh_flags) = (sh_type, sh_flags);
            }
            heading.is_hollow = false;
            continue;
        }
        if !heading.may_vanish {
            continue;
        }
        is_kept[outputs.heads[head].parts.clone()].fill(false);
        heading.body.retain(|part| part.position().is_none());
    }
    let mut next = 0;
    let moved: Vec<usize> = is_kept
        .iter()
        .map(|&is_kept| {
            next += usize::from(is_kept);
            next - usize::from(is_kept)
        })
        .collect();
    let mut kept = is_kept.iter();
    outputs.sections.retain(|_| *kept.next().expect("one for each"));
    for part in layout.headings.iter_mut().flat_map(|heading| &mut heading.body) {
        if let Some(position) = part.position_mut() {
            *position = moved[*position];
        }
    }
    make_heads(outputs, layout);
    outputs.note_positions();
}
