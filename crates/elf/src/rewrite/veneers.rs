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

/// The symbols of all islands.
pub fn symbols(
    thunks: &Thunks,
    errata: Option<&Errata>,
    objects: &Objects,
    outputs: &OutputSections,
) -> Veneers {
    let mut naming = Naming { thunks, errata, objects, veneers: Veneers::default(), marks: None };
    if thunks.data.is_none() {
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
    /// The names of the symbols that mark code and data.
    marks: Option<[u32; 2]>,
}

impl Naming<'_> {
    fn island(&mut self, position: u32, start: u64, island: &Island, moved: &mut usize) {
        let kinds = self.thunks.kinds;
        let mut in_data = true;
        for ((at, thunk), &origin) in island.places(kinds).zip(&island.origins) {
            let (address, size) = (start + at, kinds[usize::from(thunk.kind)].size);
            self.begin_code(position, address, &mut in_data);
            let name = self.name_of(origin);
            self.push(Veneer { name, kind: STT_FUNC, position, address, size });
            let data = self.thunks.data.map_or(0, |data| data[usize::from(thunk.kind)]);
            if data != 0 {
                self.mark(1, position, address + size - data);
                in_data = true;
            }
        }
        for (at, site) in island.patch_places(kinds) {
            let address = start + at;
            self.begin_code(position, address, &mut in_data);
            let erratum = self.errata.map_or("", |errata| errata.names[usize::from(site.erratum)]);
            let text = format!("__erratum_{erratum}_veneer_{moved}");
            *moved += 1;
            let name = self.veneers.name(&[text.as_bytes()]);
            self.push(Veneer { name, kind: STT_FUNC, position, address, size: PATCH_SIZE });
        }
    }

    /// Marks code at an address if data is before it.
    fn begin_code(&mut self, position: u32, address: u64, in_data: &mut bool) {
        if std::mem::replace(in_data, false) {
            self.mark(0, position, address);
        }
    }

    /// Marks code (0) or data (1).
    fn mark(&mut self, which: usize, position: u32, address: u64) {
        let veneers = &mut self.veneers;
        let marks =
            *self.marks.get_or_insert_with(|| [veneers.name(&[b"$x"]), veneers.name(&[b"$d"])]);
        self.push(Veneer { name: marks[which], kind: STT_NOTYPE, position, address, size: 0 });
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
