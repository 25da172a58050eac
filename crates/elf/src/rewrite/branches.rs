//! `--branch-to-branch`: a branch to a jump goes where the jump goes. As in lld, this is done for
//! jumps and calls that have relocations and whose target is not preemptible. Beyond lld, a landing
//! pad before the jump is skipped, because only indirect branches need it.
//!
//! No code moves: only the distances of branches are overwritten, after relocations are applied.

use crate::format::elf::Rela;
use crate::loops::code::Branches;
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::rewrite::words::Word;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;

/// At most this many jumps are followed, because they may form a circle.
const MAX_JUMPS: usize = 16;

/// Code sections of the output, by address.
struct Code<'a> {
    branches: &'a Branches,
    image: &'a Image<'a>,
    sections: Vec<(u64, SectionId)>,
}

/// The words for branches to jumps: each gets the distance to the last target.
pub fn shortened(branches: &Branches, image: &Image<'_>) -> Vec<Word> {
    let code = Code::new(branches, image);
    let words = code.sections.par_iter().flat_map_iter(|&(address, id)| {
        code.last_targets(address, id).into_iter().filter_map(|(place, target)| {
            let distance = target.wrapping_sub(place.wrapping_add(code.branches.origin)) as i64;
            i32::try_from(distance).ok()?;
            Word::new(image.outputs, place, distance as u64, 4)
        })
    });
    words.collect()
}

impl<'a> Code<'a> {
    fn new(branches: &'a Branches, image: &'a Image<'a>) -> Code<'a> {
        let is_code = |id: &SectionId| {
            let section = &image.definitions.sections[*id];
            image.liveness.is_live(*id)
                && section.flags.has(SectionFlags::EXEC)
                && section.size != 0
        };
        let ids = image.definitions.sections.ids();
        let mut sections: Vec<(u64, SectionId)> =
            ids.filter(is_code).map(|id| (image.address(id), id)).collect();
        shuffled(&mut sections).sort_unstable();
        Code { branches, image, sections }
    }

    /// Branches of a section that lead to jumps: address of the field, and of the last target.
    fn last_targets(&self, address: u64, id: SectionId) -> Vec<(u64, u64)> {
        let section = &self.image.definitions.sections[id];
        let object = &self.image.objects[section.object];
        let code = object.bytes(section);
        let mut found = Vec::new();
        for reloc in object.relocs(section) {
            let at = reloc.r_offset();
            if !(self.branches.is_direct)(code, reloc) {
                continue;
            }
            let Some(first) = self.target(section.object, reloc) else { continue };
            let mut target = first;
            for _ in 0..MAX_JUMPS {
                match self.jump_at(target) {
                    Some(next) if next != target => target = next,
                    _ => break,
                }
            }
            if target != first {
                found.push((address.wrapping_add(at), target));
            }
        }
        found
    }

    /// Target of a branch, if it is known at link time.
    fn target(&self, object: ObjectId, reloc: &Rela) -> Option<u64> {
        match values::decode(self.image.value(object, reloc.symbol())) {
            Value::Plain(value) => {
                Some(value.wrapping_add_signed(reloc.r_addend()).wrapping_add(self.branches.origin))
            }
            _ => None,
        }
    }

    /// Target of the jump at `address`, if there is a jump.
    fn jump_at(&self, address: u64) -> Option<u64> {
        let at = self.sections.partition_point(|&(start, _)| start <= address).checked_sub(1)?;
        let (start, id) = self.sections[at];
        let section = &self.image.definitions.sections[id];
        let object = &self.image.objects[section.object];
        let code = object.bytes(section);
        let field =
            (self.branches.jump_field)(code, usize::try_from(address - start).ok()?)? as u64;
        let relocs = object.relocs(section);
        // If relocations are not sorted, a jump may not be found; then it is not followed.
        let index = relocs.binary_search_by_key(&field, |reloc| reloc.r_offset()).ok()?;
        let reloc = Some(&relocs[index]).filter(|reloc| (self.branches.is_direct)(code, reloc))?;
        self.target(section.object, reloc)
    }
}
