//! Sections that GNU ld places as orphans though they are not in the output: the stack note, and
//! empty sections of its own. Their places affect other orphans and addresses.

use super::{Arranging, is_last, stated};
use crate::layout::items::Heading;
use crate::layout::orphans;
use crate::layout::output_sections::{OutputSection, StatedId};
use crate::read::ObjectId;
use crate::script::statements::SectionKind;
use object::elf::*;
use skald_linking::expr::Expr;
use std::sync::Arc;

/// An empty section that counts among orphans but is not in the output.
struct Unwritten {
    /// Its name, by which a statement may take it.
    input: &'static [u8],
    /// The name of its output section.
    name: &'static [u8],
    sh_type: u32,
    sh_flags: u32,
    align: Align,
}

/// The alignment of such a section.
#[derive(Clone, Copy)]
enum Align {
    /// So many bytes.
    To(u64),
    /// A word.
    ToWord,
}

/// The stack note, which says whether the stack is executable.
const NOTE_ON_STACK: Unwritten = Unwritten {
    input: b".note.GNU-stack",
    name: b".note.GNU-stack",
    sh_type: SHT_PROGBITS,
    sh_flags: 0,
    align: Align::To(1),
};

/// Sections that GNU ld makes in each link.
const UNWRITTEN: [Unwritten; 6] = [
    own(b".rela.got", SHT_RELA, SHF_ALLOC, Align::ToWord),
    own(b".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, Align::ToWord),
    own(b".got.plt", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, Align::ToWord),
    own(b".iplt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, Align::To(16)),
    own(b".rela.iplt", SHT_RELA, SHF_ALLOC, Align::ToWord),
    own(b".igot.plt", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, Align::ToWord),
];

/// One of these sections; relocations are of one output section.
const fn own(input: &'static [u8], sh_type: u32, sh_flags: u32, align: Align) -> Unwritten {
    let name: &[u8] = if sh_type == SHT_RELA { b".rela.dyn" } else { input };
    Unwritten { input, name, sh_type, sh_flags, align }
}

/// Positions among the orphans at which such sections count.
#[derive(Clone, Copy)]
pub(super) struct UnwrittenAt {
    /// The position of the stack note, which comes with an object.
    note: Option<usize>,
    /// The position of the others, which come last of the first object.
    own: Option<usize>,
}

impl Arranging<'_> {
    /// Finds where sections count that are not in the output; `orphans` are in order.
    pub(super) fn unwritten_at(&self, orphans: &[usize]) -> UnwrittenAt {
        let place_of = |object: ObjectId, with_own: bool| {
            let is_before = |part: &OutputSection| match &part.first {
                _ if is_last(part.kind()) => false,
                Some(first) => first.object <= object,
                None => with_own || object != ObjectId::default(),
            };
            orphans.partition_point(|&at| self.parts[at].as_ref().is_some_and(is_before))
        };
        let has_own = !self.is_dynamic && !self.scripted.script.is_automatic && !self.is_joined;
        UnwrittenAt {
            note: self.stack_note.map(|object| place_of(object, false)),
            own: has_own.then(|| place_of(ObjectId::default(), true)),
        }
    }

    /// Counts sections that are not in the output among the orphans, before the orphan `number`, as
    /// GNU ld does while it places them. The stack note moves the location counter to address 0.
    pub(super) fn unwritten(
        &mut self,
        places: &mut orphans::Places,
        at: UnwrittenAt,
        number: usize,
    ) {
        if at.note == Some(number) {
            self.count_orphan(places, &NOTE_ON_STACK);
        }
        if at.own != Some(number) {
            return;
        }
        for unwritten in &UNWRITTEN {
            self.count_orphan(places, unwritten);
        }
    }

    /// Counts an empty section among the orphans: it gets a heading, but is not in the output.
    fn count_orphan(&mut self, places: &mut orphans::Places, unwritten: &Unwritten) {
        let &Unwritten { input, name, sh_type, sh_flags, align } = unwritten;
        let kind = self.machine.reloc_kind;
        let (input, name) = (&*kind.renamed(input), &*kind.renamed(name));
        let sh_type = if sh_type == SHT_RELA { kind.sh_type() } else { sh_type };
        let is_taken = self.scripted.rule_of_own(input, sh_flags.into()).is_some();
        let section = stated(name.to_vec(), StatedId::default(), sh_type, sh_flags, 0);
        if is_taken || self.is_joined || places.find(&self.layout, &section).is_some() {
            return;
        }
        let has_place = section.is_loaded();
        let mut statement = orphans::statement(name.to_vec(), has_place);
        let align = match align {
            Align::To(bytes) => bytes,
            Align::ToWord => self.machine.class.word_size() as u64,
        };
        Arc::make_mut(&mut statement).align = Some(Expr::number(align));
        let mut heading = Heading { is_unwritten: true, ..Heading::new(statement) };
        heading.nature.add_part(name, SectionKind::Plain, &section);
        let of = self.layout.headings.len();
        self.layout.headings.push(heading);
        places.insert(&mut self.layout, &section, of);
    }
}
