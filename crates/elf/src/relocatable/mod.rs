//! `-r`: joins objects into one that can be linked again.
//!
//! Files are taken and definitions chosen as in any link, but sections get no addresses: everything
//! is relative to sections. Sections of one name, type and flags are joined, groups stay groups,
//! and every relocation is rewritten for the joined symbol table instead of applied.

mod address_table;
mod assigned;
mod compress;
mod content;
mod entries;
mod frames;
mod groups;
mod laid_out;
mod map;
mod marking;
mod notes;
mod parts;
mod relocations;
mod sections;
mod splitting;
mod symbol_writer;
mod symbols;
mod writing;

use crate::args::assignments::Assignment;
use crate::args::{Options, assignments};
use crate::check::{
    assertions, discarded, no_cross_references, section_faults, undefined, warned_symbols,
    written_files,
};
use crate::layout::file_size;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId};
use crate::resolve::definitions::Definitions;
use crate::resolve::extract::Extraction;
use crate::resolve::tables::Tables;
use crate::select::eh_frame::EhFrames;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::Liveness;
use crate::select::used_symbols::UsedSymbols;
use crate::select::{eh_frame, used_symbols};
use crate::synth;
use crate::synth::build_id::BuildIdNote;
use crate::synth::emitted_relocs::{self, EmittedRelocs};
use crate::synth::sections::{self as made, Plan};
use crate::synth::{attributes, header_flags};
use crate::tell::{removed, traces};
use entries::Entries;
use frames::Frames;
use laid_out::LaidOut;
pub use laid_out::ScriptedJoin;
use sections::JoinedSections;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::ids::Column;
use skald_core::output::Output;
use skald_core::time::Timer;
use std::borrow::Cow;
use symbols::{SymbolInput, SymbolTable};
use writing::Writing;

/// The results of reading and resolving for `-r`.
pub struct Joining<'a> {
    /// The command line, with the options that scripts set.
    pub options: Cow<'a, Options>,
    /// All files, taken or not.
    pub candidates: Candidates,
    /// Names, and the objects that refer to them.
    pub extraction: Extraction,
    /// The objects that are taken, in order.
    pub objects: Column<ObjectId, ObjectFile>,
    /// Section records, and the definition of each name.
    pub definitions: Definitions,
    /// `--defsym` and assignments of scripts.
    pub assigned: Vec<Assignment>,
    /// The layout that a script asks for; `None` without one.
    pub scripted: Option<ScriptedJoin>,
}

/// Makes a relocatable output.
pub fn link(joining: &mut Joining<'_>, diag: &Diag, timer: &Timer) -> Result<Vec<Output>, Failed> {
    let Joining { options, candidates, extraction, objects, definitions, assigned, scripted } =
        joining;
    let scripted = scripted.as_ref();
    let (options, candidates, extraction) = (&**options, &*candidates, &*extraction);
    let phase = timer.phase("mark");
    let objects = &*objects;
    let mut notes = notes::take(options, candidates, objects, definitions, diag);
    if scripted.is_some_and(|scripted| scripted.discards(b".note.gnu.property")) {
        notes.property = None;
    }
    diag.checkpoint()?;
    if scripted.is_none() {
        frames::claim(objects, definitions);
    }
    let records = eh_frame::split(objects, definitions, true);
    let definitions = &*definitions;
    let tables = Tables { options, candidates, extraction, objects, definitions, diag };
    section_faults::report(&tables, &records.faults);
    diag.checkpoint()?;
    let marking = marking::Marking {
        objects,
        definitions,
        extraction,
        frames: &records,
        rings: &GroupRings::new(objects, definitions, extraction, options),
        is_laid_out: scripted.is_some(),
    };
    let live = marking.run(options, diag);
    removed::print(&tables.sources(), definitions, &live);
    warned_symbols::warn(&tables, &live);
    let used = used_symbols(&tables, &live)?;
    drop(phase);

    join(&Selection {
        tables,
        records: &records,
        live: &live,
        used: &used,
        assigned,
        scripted,
        notes: &notes,
        timer,
    })
}

/// Symbols that relocations of kept sections refer to: they have to be in the output.
fn used_symbols(tables: &Tables<'_>, live: &Liveness) -> Result<UsedSymbols, Failed> {
    let &Tables { objects, definitions, candidates, diag, .. } = tables;
    let used = used_symbols::find(objects, definitions, live, candidates, diag);
    diag.checkpoint()?;
    discarded::check_in_part(tables, live, &used);
    Ok(used)
}

/// What reaches the output, with the tables from which that was decided.
struct Selection<'a> {
    tables: Tables<'a>,
    records: &'a EhFrames,
    live: &'a Liveness,
    used: &'a UsedSymbols,
    assigned: &'a [Assignment],
    scripted: Option<&'a ScriptedJoin>,
    notes: &'a notes::Notes,
    timer: &'a Timer,
}

impl Selection<'_> {
    /// The plan of the sections that the linker makes, except for the symbol table.
    fn plan(&self) -> Plan {
        let Tables { options, objects, .. } = self.tables;
        let is_dropped = |name| self.scripted.is_some_and(|scripted| scripted.discards(name));
        let build_id = BuildIdNote::asked(&options.build_id);
        let eh_frame = synth::eh_frame::plan(self.records, self.live, objects.len(), || false);
        let frame_counts =
            emitted_relocs::frame_counts(self.records, self.live, objects, &eh_frame.cies);
        header_flags::check(&self.tables);
        Plan {
            attributes: attributes::joined(&self.tables),
            loaded_attributes: attributes::loaded(&self.tables),
            build_id: build_id.filter(|_| !is_dropped(made::BUILD_ID.name)),
            property: self.notes.property.clone(),
            eh_frame,
            emitted: EmittedRelocs { frame_counts, ..EmittedRelocs::default() },
            ..Plan::default()
        }
    }

    /// The layout of a script; `None` without one.
    fn laid_out(&self, groups: &groups::Groups) -> Result<Option<LaidOut>, Failed> {
        let laid_out = self.scripted.map(|scripted| {
            laid_out::lay_out(&self.tables, scripted, self.live, groups, self.assigned)
        });
        laid_out.transpose()
    }

    fn joined(
        &self,
        plan: &Plan,
        frames: &Frames<'_>,
        groups: &groups::Groups,
        laid_out: Option<&LaidOut>,
    ) -> JoinedSections {
        let Tables { options, objects, definitions, .. } = self.tables;
        sections::collect(&sections::SectionInput {
            options,
            objects,
            definitions,
            live: self.live,
            frames,
            groups,
            plan,
            stack_note: self.notes.stack,
            laid_out,
        })
    }

    /// The maker of symbol table entries.
    fn entries<'b>(
        &'b self,
        joined: &'b JoinedSections,
        frames: &'b Frames<'b>,
        groups: &'b groups::Groups,
    ) -> Entries<'b> {
        let Tables { options, extraction, objects, definitions, .. } = self.tables;
        let live = self.live;
        Entries { options, extraction, objects, definitions, live, joined, frames, groups }
    }

    fn refuse_absurd_size(&self, size: u64) -> Result<(), Failed> {
        let Tables { objects, definitions, candidates, diag, .. } = self.tables;
        if !file_size::is_absurd(size, objects) {
            return Ok(());
        }
        let kept = |s: &&InputSection| !s.flags.has(SectionFlags::DISCARDED);
        let sections = definitions.sections.iter().filter(kept);
        diag.error(WHOLE_LINK, file_size::complaint(size, 1, objects, candidates, sections));
        diag.checkpoint()
    }
}

/// Lays the file out and writes it.
fn join(selection: &Selection<'_>) -> Result<Vec<Output>, Failed> {
    let &Selection { tables, live, .. } = selection;
    let Tables { options, candidates, extraction, objects, definitions, diag } = tables;
    let phase = selection.timer.phase("lay out");
    let mut plan = selection.plan();
    let (records, eh_frame) = (selection.records, &plan.eh_frame);
    let frames = Frames::new(options.machine, objects, definitions, records, live, eh_frame);
    let groups = groups::collect(options, extraction, objects, definitions, live);
    let laid_out = selection.laid_out(&groups)?;
    let mut joined = selection.joined(&plan, &frames, &groups, laid_out.as_ref());
    plan.emitted.inputs = std::mem::take(&mut joined.relocated);
    no_cross_references::check(&tables, &joined);
    let retain = assignments::retained_symbols(options, diag);
    let (symtab, symbols) = SymbolTable::plan(&SymbolInput {
        entries: selection.entries(&joined, &frames, &groups),
        used: selection.used,
        assigned: selection.assigned,
        laid_out: laid_out.as_ref(),
        assertions: &assertions::of_scripts(candidates),
        retain: retain.as_ref(),
        bad_expression: &|expr, error| undefined::bad_expression(&tables, expr, error),
        diag,
    });
    diag.checkpoint()?;
    let is_dropped = selection.scripted.is_some_and(|s| s.discards(made::ADDRESS_TABLE.name));
    let addresses =
        (!is_dropped).then(|| address_table::make(&tables, symtab.count, &symbols, &joined));
    let addresses = addresses.flatten();
    plan.symtab = Some(symtab);
    let symtab = plan.symtab.as_ref().expect("just planned");
    let writing = Writing {
        selection,
        plan: &plan,
        symtab,
        symbols: &symbols,
        frames: &frames,
        groups: &groups,
        addresses: addresses.as_deref().unwrap_or_default(),
    };
    let compressed = writing.compressed(&joined)?;
    compress::replace(&mut joined, compressed, options.machine);
    let end = joined.finish(symtab, &symbols, &groups, addresses.as_deref());
    selection.refuse_absurd_size(end.size)?;
    drop(phase);

    let _phase = selection.timer.phase("write");
    written_files::refuse_inputs(options, diag);
    diag.checkpoint()?;
    let output = writing.write(&joined, end)?;
    traces::write_dependency_file(options, candidates, &[], diag);
    map::write(selection, &joined)?;
    Ok(vec![output])
}

/// Whether the bytes of an input section are copied to the output unchanged.
fn is_copied(section: &InputSection, options: &Options) -> bool {
    let is_common = section.flags.has(SectionFlags::COMMON);
    !section.flags.has(SectionFlags::DISCARDED | SectionFlags::EH_FRAME)
        && (!is_common || options.define_common)
}
