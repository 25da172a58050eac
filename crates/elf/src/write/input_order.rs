//! The order in which to build parts, so that the reads of each input are close together in time.
//!
//! A file is written section by section, and each section walks through all objects, so nearly
//! every page of an input is read once for each section. That costs nothing as long as all inputs
//! stay in memory. If memory is short, the parts of all sections that come from the same objects
//! are built one after the other. Where their bytes go does not change.

use super::parts::{Part, PartContent};
use crate::layout::output_sections::Content;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::SectionId;
use crate::select::merge::MemberId;
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use skald_core::memory_limit;
use skald_linking::spans::BuildOrder;

/// The order in which parts are built, by the objects that they read.
#[derive(Debug)]
pub struct InputOrder<'a> {
    /// The first object that each part reads; 0 for a part that reads none.
    firsts: Vec<ObjectId>,
    /// The first object of each band. The objects of a band are in memory at the same time.
    bands: Vec<ObjectId>,
    window: u64,
    objects: &'a Objects,
}

impl<'a> InputOrder<'a> {
    /// The order of `parts` in which at most `window` bytes of objects are read at a time.
    pub fn new(image: &Image<'a>, plan: &Plan, parts: &[Part], window: u64) -> InputOrder<'a> {
        let firsts = parts.iter().map(|part| first_object(image, plan, &part.what)).collect();
        let (mut bands, mut left) = (Vec::new(), 0);
        for (at, object) in image.objects.with_ids() {
            let size = object.mapped.data.len() as u64;
            if left < size {
                bands.push(at);
                left = window;
            }
            left = left.saturating_sub(size);
        }
        InputOrder { firsts, bands, window, objects: image.objects }
    }
}

impl BuildOrder for InputOrder<'_> {
    /// The first object that the part reads.
    fn rank(&self, part: usize) -> u32 {
        self.firsts.get(part).copied().unwrap_or_default().number()
    }

    fn band(&self, object: u32) -> usize {
        self.bands.partition_point(|&first| first.number() <= object)
    }

    /// Gives the memory of a band's objects back, if there is no room for another band.
    fn leave(&self, band: usize) {
        if !memory_limit::is_short(self.window) {
            return;
        }
        let end = |band: usize| self.bands.get(band).map_or(self.objects.end(), |&at| at);
        let begin = if band == 0 { ObjectId::default() } else { end(band - 1) };
        memory_limit::leave(
            self.objects[begin..end(band)].iter().filter_map(|o| o.mapped.resident),
        );
    }
}

fn first_object(image: &Image<'_>, plan: &Plan, what: &PartContent) -> ObjectId {
    let of_section = |id: SectionId| image.definitions.sections[id].object;
    let of_list = |list: &[SectionId], at: u32| list.get(at as usize).map(|&id| of_section(id));
    let of_member = |at: MemberId| of_section(image.merged.members[at].section);
    let found = match what {
        PartContent::Inputs { output, range } => match &image.outputs.at(*output).content {
            Content::Inputs { sections, .. } => of_list(sections, range.start),
            _ => None,
        },
        PartContent::Window { section, .. } | PartContent::SomeEmittedRelocs { section, .. } => {
            Some(of_section(*section))
        }
        PartContent::Merged { group, range } => {
            let members = &image.merged.groups[*group].members;
            members.get(range.start as usize).map(|&member| of_member(member))
        }
        PartContent::MergedWindow { member, .. } => Some(of_member(*member)),
        PartContent::RelativeRelocs(range) => {
            plan.relocs.sections.get(range.start as usize).map(|&(id, _)| of_section(id))
        }
        PartContent::EmittedRelocs { out, range } => {
            plan.emitted.inputs_of(*out).and_then(|sections| of_list(sections, range.start))
        }
        PartContent::Fdes(objects)
        | PartContent::EmittedFdeRelocs(objects)
        | PartContent::LocalSymbols(objects)
        | PartContent::GlobalSymbols(objects)
        | PartContent::Strings(objects) => Some(objects.start),
        PartContent::SomeFdes(run) | PartContent::SomeEmittedFdeRelocs(run) => Some(run.object),
        PartContent::SomeSymbols(run) | PartContent::SomeStrings(run) => Some(run.object),
        _ => None,
    };
    found.unwrap_or_default()
}
