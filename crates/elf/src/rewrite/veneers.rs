//! Names thunks and moved instructions as GNU ld does, and marks what is code and what is data in
//! islands. Only machines whose ABI has such marks get these symbols.

use crate::layout::OutputSections;
use crate::layout::islands::{Island, Origin, PATCH_SIZE};
use crate::layout::output_sections::Content;
use crate::loops::errata::Errata;
use crate::loops::thunks::Thunks;
use crate::read::Objects;
use crate::synth::veneers::{Veneer, Veneers};
use object::elf::{STT_FUNC, STT_NOTYPE};

/// The mark of data.
const DATA: &str = "$d";

/// The symbols of all islands.
pub fn symbols(
    thunks: &Thunks,
    errata: Option<&Errata>,
    objects: &Objects,
    outputs: &OutputSections,
) -> Veneers {
    let mut naming =
        Naming { thunks, errata, objects, veneers: Veneers::default(), marks: Vec::new() };
    if thunks.marks.is_none() {
        return naming.veneers;
    }
    let mut moved = 0;
    for (position, output) in (0..).zip(&outputs.sections) {
        let Content::Inputs { islands, .. } = &output.content else { continue };
        for island in islands.iter().filter(|island| island.room != 0) {
            naming.island(position, output.address.wrapping_add(island.offset), island, &mut moved);
        }
    }
    naming.veneers
}

struct Naming<'a> {
    thunks: &'a Thunks,
    errata: Option<&'a Errata>,
    objects: &'a Objects,
    veneers: Veneers,
    /// The names of the symbols that mark code and data, as far as they are used.
    marks: Vec<(&'static str, u32)>,
}

impl Naming<'_> {
    fn island(&mut self, position: u32, start: u64, island: &Island, moved: &mut usize) {
        let kinds = self.thunks.kinds;
        // What is marked before: an island may stand behind anything.
        let mut before = "";
        for ((at, thunk), &origin) in island.places(kinds).zip(&island.origins) {
            let (address, size) = (start + at, kinds[usize::from(thunk.kind)].size);
            let Some(marks) = self.thunks.marks.map(|all| all[usize::from(thunk.kind)]) else {
                continue;
            };
            self.begin(marks.code, position, address, &mut before);
            let name = self.name_of(origin);
            let value = address | marks.bit;
            self.push(Veneer { name, kind: STT_FUNC, position, address: value, size });
            if let Some((at, mark)) = marks.second {
                self.begin(mark, position, address + at, &mut before);
            }
            if marks.data != 0 {
                self.begin(DATA, position, address + size - marks.data, &mut before);
            }
        }
        let code = self.thunks.marks.and_then(|all| all.first()).map_or("", |marks| marks.code);
        for (at, site) in island.patch_places(kinds) {
            let address = start + at;
            self.begin(code, position, address, &mut before);
            let erratum = self.errata.map_or("", |errata| errata.names[usize::from(site.erratum)]);
            let text = format!("__erratum_{erratum}_veneer_{moved}");
            *moved += 1;
            let name = self.veneers.name(&[text.as_bytes()]);
            self.push(Veneer { name, kind: STT_FUNC, position, address, size: PATCH_SIZE });
        }
    }

    /// Marks what begins at an address, if that is not what is before it.
    fn begin(
        &mut self,
        mark: &'static str,
        position: u32,
        address: u64,
        before: &mut &'static str,
    ) {
        if std::mem::replace(before, mark) == mark {
            return;
        }
        let known = self.marks.iter().find(|(text, _)| *text == mark).map(|&(_, name)| name);
        let name = known.unwrap_or_else(|| {
            let name = self.veneers.name(&[mark.as_bytes()]);
            self.marks.push((mark, name));
            name
        });
        self.push(Veneer { name, kind: STT_NOTYPE, position, address, size: 0 });
    }

    fn name_of(&mut self, Origin { object, symbol }: Origin) -> u32 {
        let name = self.objects[object].symbol_name(symbol);
        let name = if name.is_empty() { &b"unnamed"[..] } else { name };
        self.veneers.name(&[b"__", name, b"_veneer"])
    }

    fn push(&mut self, veneer: Veneer) {
        self.veneers.symbols.push(veneer);
    }
}
