//! Plans the linker's own sections, and the set of output sections.

use super::frozen::Frozen;
use crate::args::{Strip, assignments};
use crate::check::{ifunc_addresses, linked_sections, section_faults, signed_slots};
use crate::layout::order::Order;
use crate::layout::order::requested::OrderInput;
use crate::layout::{OutputSection, OutputSections, Synthetic, collect};
use crate::resolve::dynamic::Versions;
use crate::resolve::tables::Tables;
use crate::script::section_names::OutputId;
use crate::select::selected::Selected;
use crate::select::used_symbols;
use crate::synth::build_id::BuildIdNote;
use crate::synth::dynamic_relocs::{self, DynamicRelocs, RelocInput};
use crate::synth::dynamic_section::{self, DynamicStrings};
use crate::synth::dynamic_symbols::{self, DynamicInput, DynamicSymbols};
use crate::synth::eh_frame::EhFrameOutput;
use crate::synth::extra_symbols::ExtraInput;
use crate::synth::memtag::MemtagNote;
use crate::synth::package_note::PackageNote;
use crate::synth::planned::Planned;
use crate::synth::plt::{Plt, Promises};
use crate::synth::plt_frames::PltFrames;
use crate::synth::properties::Properties;
use crate::synth::reloc_form::RelocForm;
use crate::synth::sections::{self, Plan};
use crate::synth::sframe::{self, SFrameOutput};
use crate::synth::slots::{self, SlotRules, Slots};
use crate::synth::symtab::{self, SymTab, SymTabInput};
use crate::synth::{attributes, eh_frame, emitted_relocs, header_flags, interp, listed_got};
use crate::tell::symbol_order;
use crate::write::debug_index;
use skald_core::diag::{Failed, WHOLE_LINK};
use skald_core::ids::Column;

/// Output sections with their inputs, and what is planned from the same tables in parallel.
pub(super) struct Arranged {
    /// The output sections that inputs make.
    pub outputs: OutputSections,
    slots: Slots,
    eh_frame: EhFrameOutput,
    dynamic: Result<Dynamic, Failed>,
}

/// `.dynsym`, `.dynstr` and dynamic relocations.
type Dynamic = (DynamicSymbols, DynamicStrings, DynamicRelocs);

/// Sections of data that code reaches from the global pointer, besides `.got`.
const SMALL: [&[u8]; 4] = [b".sdata", b".sbss", b".lit4", b".lit8"];

/// Assigns GOT and PLT slots and collects inputs into output sections.
pub(super) fn arrange(frozen: &Frozen<'_>, names: Column<OutputId, Vec<u8>>) -> Arranged {
    let &Frozen { tables: Tables { options, extraction, objects, definitions, .. }, .. } = frozen;
    let &Frozen { selected, shape, .. } = frozen;
    let needs = &selected.columns.needs;
    let rules = SlotRules {
        shape,
        lazy: !options.z.now,
        header: options.machine.got_header,
        needs_base: selected.needs_got_base,
        has_lazy_entries: options.machine.lazy_entries.is_some_and(|lazy| lazy.have_addresses),
        is_listed: options.machine.listed_got.is_some(),
    };
    let slots = slots::assign(definitions, extraction, needs, &selected.scan, rules);
    let order = section_order(&frozen.tables, selected);
    let (dynamic, (outputs, eh_frame)) = skald_core::par::join(
        || dynamic(frozen, &slots),
        || {
            let Selected { frames, live, merged, .. } = selected;
            let has_symbols = || eh_frame::has_symbols(objects, definitions);
            let eh_frame = eh_frame::plan(frames, live, objects.len(), has_symbols);
            let machine = options.machine;
            let sorting = collect::Sorting { machine, order: &order, scripted: frozen.scripted };
            let mut outputs = collect::collect(definitions, objects, live, merged, names, sorting);
            for section in outputs.sections.iter_mut().filter(|section| section.is_large) {
                section.sh_flags |= u64::from(options.machine.large_section());
            }
            if let Some(got) = machine.listed_got {
                let is_near = |section: &&mut OutputSection| SMALL.contains(&&section.name[..]);
                let small = outputs.sections.iter_mut().filter(is_near);
                small.for_each(|section| section.sh_flags |= u64::from(got.section_flag));
            }
            (outputs, eh_frame)
        },
    );
    linked_sections::check(&frozen.tables, &outputs, &selected.live);
    signed_slots::check(&frozen.tables, &slots);
    ifunc_addresses::check(&frozen.tables, shape, &slots);
    Arranged { outputs, slots, eh_frame, dynamic }
}

/// Plans everything except addresses.
pub(super) fn plan(
    frozen: &Frozen<'_>,
    arranged: Arranged,
) -> Result<(Planned, OutputSections), Failed> {
    let &Frozen { tables, selected, shape, .. } = frozen;
    let Tables { options, candidates, objects, definitions, diag, .. } = tables;
    let Arranged { mut outputs, slots, eh_frame, dynamic } = arranged;
    let pages = listed_got::most_pages(&outputs, definitions, &selected.merged, &slots.paged);
    outputs.got_front = listed_got::words_in_front(options.machine, pages);
    // The debugger index replaces these sections.
    outputs.sections.retain(|section| !debug_index::is_replaced(&section.name, options));
    header_flags::check(&frozen.tables);
    let attributes = attributes::joined(&frozen.tables);
    let property = Properties { options, candidates, objects, diag }.note(
        definitions,
        &slots,
        &selected.copies,
    );
    let noted = property.as_ref().map(|note| note.promises(options.machine.properties));
    let promises = Promises {
        header_flags: header_flags::joined(options.machine, objects),
        ..noted.unwrap_or_default()
    };
    let plt = (frozen.loops.plt)(&options.z, shape, promises);
    let (symbols, strings, relocs) = dynamic?;
    let mut plan = Plan {
        interp: interp::path(options, shape, !candidates.shared.is_empty()),
        build_id: BuildIdNote::asked(&options.build_id),
        package: PackageNote::asked(options, diag),
        memtag: MemtagNote::asked(options),
        has_tagged: !selected.tagged.is_empty(),
        reloc_form: RelocForm::new(options, shape),
        needs_got_base: selected.needs_got_base,
        ends_relro: frozen.scripted.script.ends_relro(),
        property,
        attributes,
        loaded_attributes: attributes::loaded(&frozen.tables),
        symbols,
        relocs,
        eh_frame,
        ..Plan::default()
    };
    if !options.no_plt_unwind_info {
        let (entries, direct) = (slots.plt.len(), slots.direct_plt.len());
        plan.eh_frame.describe_plt(PltFrames::new(plt, entries, direct));
    }
    if options.emit_relocs {
        plan.emitted = emitted_relocs::plan(
            &mut outputs,
            definitions,
            objects,
            &selected.frames,
            &selected.live,
            &plan.eh_frame.cies,
        );
    }
    plan.sframe = stack_traces(&tables, selected, &slots, plt);
    plan.symtab = symtab(frozen, &plan, &slots);
    sections::add(&mut outputs, &plan, &slots, plt, shape, options);
    let planned = Planned::new(slots, plt, plan, strings);
    if shape.is_dynamic {
        let size = frozen.dynamic_entries(&planned, None, None).size(&outputs);
        let header = dynamic_section::header(outputs.encoding(), options.has_read_only_dynamic());
        outputs.add_synthetic(Synthetic::Dynamic, header, size);
    }
    diag.checkpoint()?;
    Ok((planned, outputs))
}

/// The order of input sections that options ask for.
fn section_order<'a>(tables: &Tables<'a>, selected: &'a Selected) -> Order<'a> {
    let &Tables { options, candidates, extraction, objects, definitions, diag } = tables;
    let Selected { live, folds, .. } = selected;
    let input =
        OrderInput { options, candidates, extraction, objects, definitions, live, folds, diag };
    let (order, found) = input.section_order();
    symbol_order::print(&input, &found);
    order
}

fn dynamic(frozen: &Frozen<'_>, slots: &Slots) -> Result<Dynamic, Failed> {
    let &Frozen { tables, selected, shape, .. } = frozen;
    let Tables { options, candidates, objects, definitions, .. } = tables;
    let named = || {
        let mut symbols = DynamicSymbols::default();
        let mut strings = DynamicStrings::default();
        if shape.is_dynamic {
            symbols = dynamic_symbols(&tables, frozen.versions, selected, slots)?;
            strings = dynamic_section::add_strings(options, candidates, &mut symbols);
        }
        Ok((symbols, strings))
    };
    let input = RelocInput {
        machine: options.machine,
        objects,
        definitions,
        liveness: &selected.live,
        relative: &selected.columns.relative,
        scan: &selected.scan,
        slots,
        copied: &selected.copies.variables,
        shape,
        // The loader tags what relocations of `.rela.dyn` make, and finds addends there.
        packed: options.packs_relative_relocations() && selected.tagged.is_empty(),
        packs_signed: frozen.packs_signed_pointers(),
    };
    let (named, relocs) = skald_core::par::join(named, || dynamic_relocs::plan(&input));
    let (symbols, strings) = named?;
    Ok((symbols, strings, relocs))
}

fn dynamic_symbols(
    tables: &Tables<'_>,
    versions: &Versions,
    selected: &Selected,
    slots: &Slots,
) -> Result<DynamicSymbols, Failed> {
    let &Tables { options, objects, candidates, extraction, definitions, diag, .. } = tables;
    let file_name = options.output.file_name().unwrap_or_default();
    let input = DynamicInput {
        options,
        objects,
        candidates,
        extraction,
        definitions,
        versions,
        liveness: &selected.live,
        needs: &selected.columns.needs,
        ordered: &slots.ordered,
        listed: &slots.listed,
        copies: &selected.copies.names,
        base_name: match &options.soname {
            Some(soname) => soname.as_bytes(),
            None => file_name.as_encoded_bytes(),
        },
    };
    dynamic_symbols::plan(&input).map_err(|error| {
        diag.error(WHOLE_LINK, error.to_string());
        Failed
    })
}

/// The plan of `.sframe`; as with GNU ld there is none if a table cannot be merged, with a warning:
/// unwinders that use `.eh_frame` still work.
fn stack_traces(
    tables: &Tables<'_>,
    selected: &Selected,
    slots: &Slots,
    plt: &Plt,
) -> Option<SFrameOutput> {
    let options = tables.options;
    let planned = sframe::plan(tables.objects, tables.definitions, &selected.live);
    let mut planned = planned.unwrap_or_else(|fault| {
        section_faults::unmerged_stack_traces(tables, &fault);
        None
    });
    if let Some(output) = planned.as_mut().filter(|_| !options.no_plt_unwind_info) {
        output.describe_plts(slots, plt);
    }
    planned
}

fn symtab(frozen: &Frozen<'_>, plan: &Plan, slots: &Slots) -> Option<SymTab> {
    let &Frozen { tables, selected, claimed, .. } = frozen;
    let Tables { options, candidates, extraction, objects, definitions, diag } = tables;
    // Emitted relocations refer to section symbols and undefined symbols.
    if options.strip == Strip::All && !options.emit_relocs {
        return None;
    }
    let Selected { live, merged, copies, .. } = selected;
    let find_used = || used_symbols::find(objects, definitions, live, candidates, diag);
    let used = options.emit_relocs.then(find_used);
    let retain = assignments::retained_symbols(options, diag);
    let used = used.as_ref();
    let input = ExtraInput {
        options,
        extraction,
        objects,
        definitions,
        claimed,
        copies,
        slots,
        plan,
        used,
    };
    let (mut locals, mut globals) = input.find();
    if let Some(retain) = &retain {
        locals.retain(|extra| retain.contains(extra.text));
        globals.retain(|extra| retain.contains(extra.text));
    }
    let input = SymTabInput {
        options,
        discard: options.discarded_symbols(),
        objects,
        definitions,
        liveness: live,
        merged,
        names: &extraction.names,
        retain: retain.as_ref(),
    };
    Some(symtab::plan(&input, plan.emitted.section_symbols.clone(), locals, globals))
}
