//! Symbols that the linker defines: bounds of sections and segments, `--defsym`, assignments of
//! scripts, versions.
//!
//! Names are claimed before marking, if something refers to them and no object defines them;
//! values follow when addresses are known (`synth/mark_values`).

mod bounds_names;
pub mod expressions;
pub mod originals;

use super::definitions::{Definition, Definitions, Rank, Strength, attr};
use super::dynamic::OutputShape;
use super::extract::Extraction;
use super::names::references::ref_flags;
use super::referent::ValueBase;
use crate::args::Options;
use crate::args::assignments::Assignment;
use crate::machine::description::SmallBase;
use crate::machine::{Machine, RelocKind};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::script::section_names::{ARRAYS, OutputId};
use expressions::{Expression, Expressions};
use object::elf::*;
use originals::{Original, Originals};
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::expr::Expr;
use std::borrow::Cow;

/// What the value of a linker-defined symbol marks.
#[derive(Debug, Clone)]
pub enum Mark {
    /// Address of the first loaded byte: `__executable_start` and the like.
    ImageStart,
    /// The same address, for `__ehdr_start`.
    Header,
    /// End of code: `etext`.
    TextEnd,
    /// End of initialised data: `edata`.
    DataEnd,
    /// Start of zero-filled data: `__bss_start`.
    BssStart,
    /// End of all loaded sections: `end`.
    End,
    /// Start of the output section of this name.
    SectionStart(Vec<u8>),
    /// End of the output section of this name.
    SectionEnd(Vec<u8>),
    /// Load address of the start of an output section.
    PhysicalStart(Vec<u8>),
    /// Load address of the end of an output section.
    PhysicalEnd(Vec<u8>),
    /// `_GLOBAL_OFFSET_TABLE_`: where the machine's GOT pointer points.
    Got,
    /// Start of `.data` or `.sdata`, or where it would be: the end of initialised data.
    DataStart(&'static [u8]),
    /// The global pointer, from which code reaches small data.
    GlobalPointer,
    /// The same where code reaches the GOT from it.
    ListedPointer,
    /// An address from which code reaches small data.
    SmallBase(SmallBase),
    /// `_DYNAMIC`: start of `.dynamic`.
    Dynamic,
    /// `__GNU_EH_FRAME_HDR`: start of `.eh_frame_hdr`.
    EhFrameHdr,
    /// `_TLS_MODULE_BASE_`: start of the module's TLS block.
    TlsModuleBase,
    /// `__rela_iplt_start`: first IRELATIVE relocation of a static executable.
    IrelativeStart,
    /// `__rela_iplt_end`: end of these relocations.
    IrelativeEnd,
    /// A symbol of `--section-order`, by its position in the list's symbols.
    Listed(usize),
    /// The value of one of [`ClaimedSymbols::expressions`].
    Expression,
    /// No address: the symbol stands for a version that the output defines.
    Version,
}

/// A symbol that the linker defines.
#[derive(Debug, Clone)]
pub struct LinkerSymbol {
    /// The symbol's name.
    pub name: NameId,
    /// The address that the symbol marks.
    pub mark: Mark,
}

/// Reference bits by which a name counts as wanted.
const WANTED: u32 =
    ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK | ref_flags::SHARED_REF | ref_flags::ROOT;

fn fixed_marks(machine: &Machine) -> Vec<(&'static str, Mark)> {
    let start = |name: &str| Mark::SectionStart(name.as_bytes().to_vec());
    let end = |name: &str| Mark::SectionEnd(name.as_bytes().to_vec());
    let (irelative_start, irelative_end) = match machine.reloc_kind {
        RelocKind::Rela | RelocKind::RelaInFields => ("__rela_iplt_start", "__rela_iplt_end"),
        RelocKind::Rel => ("__rel_iplt_start", "__rel_iplt_end"),
    };
    let mut marks = vec![
        ("__ehdr_start", Mark::Header),
        ("__executable_start", Mark::ImageStart),
        // Any address of the image identifies it; for links without the compiler's start files.
        ("__dso_handle", Mark::ImageStart),
        ("etext", Mark::TextEnd),
        ("_etext", Mark::TextEnd),
        ("__etext", Mark::TextEnd),
        ("edata", Mark::DataEnd),
        ("_edata", Mark::DataEnd),
        ("__bss_start", Mark::BssStart),
        ("end", Mark::End),
        ("_end", Mark::End),
        ("_GLOBAL_OFFSET_TABLE_", Mark::Got),
        ("_DYNAMIC", Mark::Dynamic),
        ("__GNU_EH_FRAME_HDR", Mark::EhFrameHdr),
        ("_TLS_MODULE_BASE_", Mark::TlsModuleBase),
        (irelative_start, Mark::IrelativeStart),
        (irelative_end, Mark::IrelativeEnd),
        ("__preinit_array_start", start(".preinit_array")),
        ("__preinit_array_end", end(".preinit_array")),
        ("__init_array_start", start(".init_array")),
        ("__init_array_end", end(".init_array")),
        ("__fini_array_start", start(".fini_array")),
        ("__fini_array_end", end(".fini_array")),
    ];
    marks.extend(machine.bss_start_names.iter().map(|name| (*name, Mark::BssStart)));
    marks.extend(machine.got_names.iter().map(|name| (*name, Mark::Got)));
    if let Some(small) = machine.small_data {
        let starts = small.starts.iter();
        marks.extend(starts.map(|&(name, of)| (name, Mark::DataStart(of.as_bytes()))));
        let is_listed = machine.listed_got.is_some();
        let mark = if is_listed { Mark::ListedPointer } else { Mark::GlobalPointer };
        marks.push((small.pointer, mark));
    }
    if let Some(got) = machine.listed_got {
        marks.extend(got.pointer_names.iter().map(|name| (*name, Mark::ListedPointer)));
    }
    marks.extend(machine.small_bases.iter().map(|base| (base.symbol, Mark::SmallBase(*base))));
    if let Some(index) = machine.unwind_index {
        let [first, last] = index.bounds;
        marks.extend([(first, start(index.name)), (last, end(index.name))]);
    }
    marks.extend(machine.end_names.iter().map(|name| (*name, Mark::End)));
    marks
}

/// Names that [`claim`] looks up; they are interned before files are read.
pub fn known_names(machine: &Machine) -> Vec<Vec<u8>> {
    fixed_marks(machine).into_iter().map(|(name, _)| name.as_bytes().to_vec()).collect()
}

/// The symbols that the linker defines.
#[derive(Debug, Default)]
pub struct ClaimedSymbols {
    /// The symbols, in an order that inputs alone decide.
    pub symbols: Vec<LinkerSymbol>,
    /// Output ids of sections, each with the name of its `__start_` or `__stop_` symbol.
    pub start_stop: Vec<(OutputId, NameId)>,
    /// The assignments that hold, in order of evaluation.
    pub expressions: Expressions,
    /// Symbols that stand for versions and have their names.
    pub versions: Vec<NameId>,
    /// A name may be among the symbols more than once.
    has_repeats: bool,
    /// By assignment: the name, `None` for a `PROVIDE` that does not hold.
    pub assigned: Vec<Option<NameId>>,
    /// The definitions that assignments replace.
    pub originals: Originals,
}

impl ClaimedSymbols {
    /// Names that stay undefined until the output's sections are known, as in GNU ld. A section may
    /// be dropped after all, and then a weak reference to its bound is null.
    pub fn defined_late(&self, shape: OutputShape) -> impl Iterator<Item = NameId> {
        let is_late = move |symbol: &&LinkerSymbol| match &symbol.mark {
            Mark::SectionStart(name) | Mark::SectionEnd(name) => {
                shape.is_shared || !ARRAYS.contains(&&name[..])
            }
            Mark::Got => !shape.is_dynamic,
            Mark::ImageStart => shape.is_shared,
            Mark::Header | Mark::EhFrameHdr | Mark::TlsModuleBase => true,
            _ => false,
        };
        self.symbols.iter().filter(is_late).map(|symbol| symbol.name)
    }
}

/// The tables that [`claim`] reads.
pub struct Claiming<'a> {
    /// Names of output sections, by id.
    pub outputs: &'a IdSlice<OutputId, Vec<u8>>,
    /// Assignments of options and scripts, in order.
    pub assignments: &'a [Assignment],
    /// For `--start-stop`, `--physical-image-base` and the like.
    pub options: &'a Options,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Names of versions, as [`enter_names`] returned them.
    pub versions: &'a [NameId],
    /// A script lays out the output; the script defines `etext`, `edata`, `end` and the like
    /// itself.
    pub is_scripted: bool,
    /// The output has `.dynamic`: a script may discard it.
    pub has_dynamic: bool,
    /// By assignment, whether it stands in an output section that the script does not make.
    pub unmade: &'a [bool],
}

/// Whether the output has the section or segment that the symbol marks. If not, GNU ld and lld do
/// not define the symbol: a library may define it, a weak reference is null, and a strong one is an
/// error.
fn has_marked(mark: &Mark, definitions: &Definitions, claiming: &Claiming<'_>) -> bool {
    match mark {
        Mark::Dynamic => claiming.has_dynamic,
        Mark::IrelativeStart | Mark::IrelativeEnd => !claiming.shape.is_pic,
        Mark::EhFrameHdr => {
            let is_frame = |s: &InputSection| s.flags.has(SectionFlags::EH_FRAME) && s.size != 0;
            claiming.options.eh_frame_hdr && definitions.sections.iter().any(is_frame)
        }
        _ => true,
    }
}

/// Defines the linker's symbols that files refer to, and assignments.
pub fn claim(
    definitions: &mut Definitions,
    extraction: &Extraction,
    claiming: &Claiming<'_>,
) -> ClaimedSymbols {
    let Claiming { outputs, assignments, options, shape, versions, is_scripted, unmade, .. } =
        *claiming;
    let mut claimed = ClaimedSymbols::default();
    for (text, mark) in fixed_marks(options.machine) {
        let mark = match mark {
            // With `--section-order` the header may be in a segment of its own, or in none.
            Mark::Header if options.arrangement.section_order.is_some() => Mark::ImageStart,
            mark => mark,
        };
        if !has_marked(&mark, definitions, claiming) {
            continue;
        }
        let Some(name) = extraction.own_name(text.as_bytes()) else { continue };
        let is_of_gnu_script = matches!(
            mark,
            Mark::TextEnd
                | Mark::DataEnd
                | Mark::BssStart
                | Mark::End
                | Mark::DataStart(_)
                | Mark::GlobalPointer
        );
        let hidden = !is_of_gnu_script;
        if is_scripted && (!hidden || assignments.iter().any(|a| a.name == text.as_bytes())) {
            continue;
        }
        if claimed.claim_if_wanted(definitions, extraction, name, mark.clone()) {
            if hidden {
                definitions.globals[name].attributes |= attr::LOCAL;
            }
        } else if matches!(mark, Mark::Dynamic) && !is_defined(definitions, name) {
            // GNU ld and lld define it even without a reference; debuggers look for it.
            claimed.define(definitions, name, mark);
            definitions.globals[name].attributes |= attr::LOCAL;
        }
    }
    let bounds = bounds_of_outputs(outputs, options, &assigned_names(assignments, unmade));
    let loaded = if defines_all_bounds(options) {
        bounds_names::loaded_outputs(definitions, outputs.len())
    } else {
        Column::new()
    };
    claimed.claim_bounds(definitions, extraction, bounds, loaded, options);
    claimed.define_listed(definitions, extraction, options);
    claimed.assign(definitions, extraction, assignments, unmade, shape.is_shared);
    claimed.claim_versions(definitions, versions);
    claimed.keep_last();
    claimed
}

/// By assignment, whether it is a `PROVIDE` that something refers to.
pub fn provided(
    definitions: &Definitions,
    extraction: &Extraction,
    assignments: &[Assignment],
) -> Vec<bool> {
    let id = |text: &[u8]| extraction.names.find_text(text);
    let mut of_name: UnorderedMap<NameId, Vec<usize>> = UnorderedMap::new();
    for (at, assignment) in assignments.iter().enumerate().filter(|(_, a)| a.provide) {
        if let Some(name) = id(&assignment.name) {
            of_name.entry(name).or_default().push(at);
        }
    }
    // `PROVIDE` defines the symbol also if a library does: the program's own symbol preempts that.
    let wanted = WANTED | ref_flags::MENTIONED | ref_flags::SHARED_DEF;
    let is_wanted = |&name: &NameId| extraction.refs.get(name).flags() & wanted != 0;
    // A plain assignment, earlier or later, leaves nothing to provide. But an option that assigns a
    // library's symbol takes effect when the library is read; if it stands behind the `PROVIDE`,
    // that defines the symbol.
    for (at, assignment) in assignments.iter().enumerate().filter(|(_, a)| !a.provide) {
        let Some(name) = id(&assignment.name) else { continue };
        let Some(provides) = of_name.get_mut(&name) else { continue };
        if is_option_behind_library(definitions, extraction, name, assignment) {
            provides.retain(|&provide| provide < at)
        } else {
            provides.clear()
        }
    }
    let names = assignments.iter().filter(|a| a.provide).filter_map(|a| id(&a.name));
    let mut open: Vec<NameId> = names.filter(is_wanted).collect();
    let mut provided = vec![false; assignments.len()];
    while let Some(name) = open.pop() {
        // All assignments of a name are handled at its first one.
        if is_defined(definitions, name) {
            continue;
        }
        for at in of_name.remove(&name).unwrap_or_default() {
            provided[at] = true;
            open.extend(assignments[at].expr.symbols().filter_map(id));
        }
    }
    provided
}

/// Whether a library defines a name, and an option behind the library on the command line assigns
/// it.
fn is_option_behind_library(
    definitions: &Definitions,
    extraction: &Extraction,
    name: NameId,
    assignment: &Assignment,
) -> bool {
    let library = extraction.refs.get(name).shared();
    definitions.ranks[name].strength() == Strength::Shared
        && library.zip(assignment.option_before).is_some_and(|(library, place)| library < place)
}

/// Whether an object or the linker defines a name.
fn is_defined(definitions: &Definitions, name: NameId) -> bool {
    definitions.ranks[name].strength() <= Strength::Weak
        || definitions.globals[name].has(attr::SYNTHETIC)
}

/// The bits of type and visibility that `name` takes over as an alias `name = of`: the union of
/// those of all symbols that `of` may be. Programs reach functions and variables of a library in
/// different ways, so the type matters.
fn alias_kind(
    definitions: &Definitions,
    extraction: &Extraction,
    name: NameId,
    expr: &Expr,
    is_shared: bool,
) -> Option<u32> {
    let find = |text: &[u8]| extraction.names.find_text(text);
    let exists = |text: &[u8]| find(text).is_some_and(|name| is_defined(definitions, name));
    let mut kinds = expr.sources(&exists).into_iter().map(|text| {
        let of = find(text).filter(|&of| of != name)?;
        Some(kind_of_source(definitions, extraction, of, is_shared))
    });
    let first = kinds.next()??;
    kinds.all(|other| other == Some(first)).then_some(first)
}

fn kind_of_source(
    definitions: &Definitions,
    extraction: &Extraction,
    of: NameId,
    is_shared: bool,
) -> u32 {
    let global = &definitions.globals[of];
    let stated = extraction.refs.get(of).flags();
    let is_own = stated & (ref_flags::HIDDEN | ref_flags::INTERNAL) != 0 || global.has(attr::LOCAL);
    let is_protected = stated & ref_flags::PROTECTED != 0 || global.has(attr::PROTECTED);
    // In a program, an alias of an IFUNC is a plain function at the IFUNC's PLT entry. In a library
    // another definition may preempt the IFUNC, so the alias calls the resolver, too.
    let types = if is_shared { attr::TYPE | attr::IFUNC } else { attr::TYPE };
    global.attributes & types
        | if is_own { attr::LOCAL } else { 0 }
        | if is_protected { attr::PROTECTED } else { 0 }
}

/// Synthetic sections that `--start-stop` defines bounds for, too.
const OWN_SECTIONS: [&[u8]; 12] = [
    b".dynamic",
    b".dynstr",
    b".dynsym",
    b".eh_frame_hdr",
    b".gnu.hash",
    b".got",
    b".got.plt",
    b".hash",
    b".interp",
    b".plt",
    b".plt.got",
    b".rela.dyn",
];

/// The NAME in `__start_NAME`: the section's name, or with `--start-stop` the C identifier made of
/// it.
fn bounds_name(section: &[u8], options: &Options) -> Option<Vec<u8>> {
    if crate::script::section_names::is_c_identifier(section) {
        return Some(section.to_vec());
    }
    if !options.start_stop {
        return None;
    }
    let bare = section.strip_prefix(b".").unwrap_or(section);
    let plain = |&byte: &u8| if byte.is_ascii_alphanumeric() { byte } else { b'_' };
    Some(bare.iter().map(plain).collect())
}

/// Whether bounds of sections are defined without a reference.
fn defines_all_bounds(options: &Options) -> bool {
    options.start_stop
        || options.arrangement.physical_image_base.is_some()
        || options.start_stop_visibility == Some(STV_PROTECTED)
}

/// Makes the mark of a bound from the section's name.
type BoundMark = fn(Vec<u8>) -> Mark;

/// The names of a section's bounds, and their marks.
fn bounds_of(
    section: &[u8],
    options: &Options,
) -> impl Iterator<Item = (Vec<u8>, BoundMark)> + use<> {
    const BOUNDS: [(&str, BoundMark); 4] = [
        ("__start_", Mark::SectionStart),
        ("__stop_", Mark::SectionEnd),
        ("__phys_start_", Mark::PhysicalStart),
        ("__phys_stop_", Mark::PhysicalEnd),
    ];
    let count = if options.arrangement.physical_image_base.is_some() { 4 } else { 2 };
    let name = bounds_name(section, options);
    let bounds = BOUNDS[..count].iter();
    name.into_iter().flat_map(move |name| {
        bounds.clone().map(move |&(prefix, mark)| ([prefix.as_bytes(), &name].concat(), mark))
    })
}

/// Interns linker-defined names that need no reference: those of `versions`, and, where an option
/// asks for them, bounds of all loaded sections. `outputs` are the names of output sections by id.
/// Returns the ids of `versions`.
pub fn enter_names(
    definitions: &mut Definitions,
    extraction: &mut Extraction,
    outputs: &IdSlice<OutputId, Vec<u8>>,
    options: &Options,
    versions: Vec<Cow<'_, [u8]>>,
) -> Vec<NameId> {
    let count = versions.len();
    let mut texts = versions;
    if defines_all_bounds(options) {
        let loaded = bounds_names::loaded_outputs(definitions, outputs.len());
        let sections = outputs.iter().zip(loaded).filter(|(_, loaded)| *loaded);
        let bounds = sections.flat_map(|(name, _)| bounds_of(name, options));
        texts.extend(bounds.map(|bound| Cow::Owned(bound.0)));
    }
    if texts.is_empty() {
        return Vec::new();
    }
    let mut entered = bounds_names::enter(definitions, extraction, &texts);
    entered.truncate(count);
    entered
}

/// The names that assignments define whichever bounds of sections exist, without assignments that
/// refer to their own symbol.
fn assigned_names<'a>(assignments: &'a [Assignment], unmade: &[bool]) -> UnorderedSet<&'a [u8]> {
    let is_made = |at: usize| unmade.get(at) != Some(&true);
    let numbered = assignments.iter().enumerate();
    let is_new = |a: &Assignment| !a.expr.mentions(&a.name) || a.expr.asks_whether_defined(&a.name);
    // Assignments that are evaluated late come behind the bounds, so these leave nothing to
    // provide. The exception is a name that something before the `PROVIDE` asks for: then the
    // `PROVIDE` takes effect before there are bounds.
    let late: UnorderedSet<&[u8]> =
        assignments.iter().filter(|a| a.is_late && !a.provide).map(|a| &a.name[..]).collect();
    let is_first = |a: &Assignment| if a.provide { a.is_late } else { !late.contains(&a.name[..]) };
    let made = numbered.filter(|&(at, a)| is_made(at) && is_new(a) && is_first(a));
    made.map(|(_, assignment)| assignment.name.as_slice()).collect()
}

/// A bound of a section: which output section, the name, and what the symbol marks.
type Bound = (OutputId, Vec<u8>, Mark);

/// The bounds of all sections, but for names that are `assigned`. As with GNU ld an assigned bound
/// is a symbol like any other, which keeps no section and has default visibility.
fn bounds_of_outputs(
    outputs: &IdSlice<OutputId, Vec<u8>>,
    options: &Options,
    assigned: &UnorderedSet<&[u8]>,
) -> Vec<Bound> {
    let own = OWN_SECTIONS.iter().copied().filter(|_| options.start_stop);
    let sections = outputs.iter().map(Vec::as_slice).chain(own);
    let mut bounds = Vec::with_capacity(2 * outputs.len());
    for (out, section) in OutputId::default().onward().zip(sections) {
        let named = bounds_of(section, options).filter(|(text, _)| !assigned.contains(&text[..]));
        bounds.extend(named.map(|(text, mark)| (out, text, mark(section.to_vec()))));
    }
    bounds
}

/// Aliases of aliases are followed this many steps.
pub const LONGEST_ALIAS: usize = 64;

impl ClaimedSymbols {
    /// Defines `__start_NAME` and `__stop_NAME` of sections, and with `--physical-image-base`
    /// symbols of their load addresses.
    fn claim_bounds(
        &mut self,
        definitions: &mut Definitions,
        extraction: &Extraction,
        bounds: Vec<Bound>,
        loaded: Column<OutputId, bool>,
        options: &Options,
    ) {
        let Extraction { names, .. } = extraction;
        let hashes: Vec<u128> = bounds.iter().map(|bound| names.key().hash(&bound.1)).collect();
        for ((out, _, mark), name) in bounds.into_iter().zip(names.find_batch(&hashes)) {
            let Some(name) = name else { continue };
            let in_any_case = loaded.get(out) == Some(&true);
            if in_any_case && !is_defined(definitions, name) {
                self.define(definitions, name, mark);
            } else if !self.claim_if_wanted(definitions, extraction, name, mark) {
                continue;
            }
            let global = &mut definitions.globals[name];
            global.attributes |= attr::START_STOP;
            match options.start_stop_visibility.unwrap_or(STV_PROTECTED) {
                STV_DEFAULT => {}
                STV_PROTECTED => global.attributes |= attr::PROTECTED,
                _ => global.attributes |= attr::LOCAL,
            }
            self.start_stop.push((out, name));
        }
    }

    /// Defines the names of assignments. A `PROVIDE` counts only if something refers to its name,
    /// including another `PROVIDE` that takes effect, earlier or later.
    fn assign(
        &mut self,
        definitions: &mut Definitions,
        extraction: &Extraction,
        assignments: &[Assignment],
        unmade: &[bool],
        is_shared: bool,
    ) {
        let Extraction { names, .. } = extraction;
        let hashes: Vec<u128> =
            assignments.iter().map(|assignment| names.key().hash(&assignment.name)).collect();
        let ids = names.find_batch(&hashes);
        let is_provided = provided(definitions, extraction, assignments);
        let mut assigned = Vec::with_capacity(assignments.len());
        self.assigned = vec![None; assignments.len()];
        for (at, ((assignment, name), is_provided)) in
            assignments.iter().zip(ids).zip(is_provided).enumerate()
        {
            let Some(name) = name else { continue };
            if unmade.get(at) == Some(&true) {
                continue;
            }
            if assignment.provide && (!is_provided || is_defined(definitions, name)) {
                continue;
            }
            // A weak definition that is assigned its own value becomes a strong one.
            let is_weak = definitions.ranks[name].strength() == Strength::Weak;
            let keeps = assignment.expr.keeps(&assignment.name);
            if keeps && is_defined(definitions, name) && !is_weak {
                continue;
            }
            let symbols = &self.symbols;
            let by_option = is_option_behind_library(definitions, extraction, name, assignment);
            self.originals.note(definitions, name, by_option, || {
                let own = symbols.iter().find(|symbol| symbol.name == name)?;
                Some(own.mark.clone()).filter(|mark| !matches!(mark, Mark::Expression))
            });
            self.define(definitions, name, Mark::Expression);
            self.assigned[at] = Some(name);
            assigned.push((name, assignment.expr.clone()));
            if assignment.hidden {
                definitions.globals[name].attributes |= attr::LOCAL;
            }
        }
        self.take_kinds(definitions, extraction, assignments, is_shared);
        self.expressions = Expressions::new(assigned, names);
        let originals = &self.originals;
        let is_absolute = |name: NameId, is_original: bool| {
            if is_original {
                originals.get(name).is_none_or(Original::is_absolute)
            } else {
                definitions.globals[name].has(attr::ABSOLUTE)
            }
        };
        self.expressions.find_absolute(names, is_absolute);
        for expression in self.expressions.iter() {
            if expression.is_last && self.expressions.is_absolute(expression.at) {
                let global = &mut definitions.globals[expression.name];
                global.value_base = ValueBase::ABSOLUTE;
                global.attributes = global.attributes & !attr::TLS | attr::ABSOLUTE;
            }
        }
    }

    /// Gives symbols the type and visibility of the symbol in their expression, which may be
    /// assigned later.
    fn take_kinds(
        &self,
        definitions: &mut Definitions,
        extraction: &Extraction,
        assignments: &[Assignment],
        is_shared: bool,
    ) {
        for _ in 0..LONGEST_ALIAS {
            let mut has_changed = false;
            for (assignment, name) in assignments.iter().zip(&self.assigned) {
                let &Some(name) = name else { continue };
                let of = &assignment.expr;
                if let Some(kind) = alias_kind(definitions, extraction, name, of, is_shared) {
                    let attributes = &mut definitions.globals[name].attributes;
                    let new = *attributes & !(attr::TYPE | attr::IFUNC) | kind;
                    has_changed |= std::mem::replace(attributes, new) != new;
                }
            }
            if !has_changed {
                break;
            }
        }
    }

    /// Defines a symbol for each version that the output defines, as GNU ld does: the dynamic
    /// linker has no use for it, but tools that compare two builds of a library look for it
    /// (`dpkg-gensymbols`).
    fn claim_versions(&mut self, definitions: &mut Definitions, versions: &[NameId]) {
        for &name in versions {
            if !is_defined(definitions, name) {
                self.define(definitions, name, Mark::Version);
                let global = &mut definitions.globals[name];
                global.value_base = ValueBase::ABSOLUTE;
                global.attributes |= attr::ABSOLUTE | attr::OBJECT;
                self.versions.push(name);
            }
        }
    }

    /// Defines a symbol that is referred to and that no object defines.
    fn claim_if_wanted(
        &mut self,
        definitions: &mut Definitions,
        extraction: &Extraction,
        name: NameId,
        mark: Mark,
    ) -> bool {
        let flags = extraction.refs.get(name).flags();
        if flags & WANTED == 0 || is_defined(definitions, name) {
            return false;
        }
        self.define(definitions, name, mark);
        true
    }

    fn define(&mut self, definitions: &mut Definitions, name: NameId, mark: Mark) {
        self.has_repeats |= definitions.globals[name].has(attr::SYNTHETIC);
        // The symbol also has the type that an object gives it, as in GNU ld.
        let known = definitions.globals[name];
        // A library's visibility does not apply to a symbol of another module.
        let visibility = if known.has(attr::SHARED) { 0 } else { attr::OWN };
        let kept = known.attributes & (visibility | attr::FUNC | attr::OBJECT);
        definitions.ranks[name] = Rank::NONE;
        definitions.globals[name] = Definition {
            value_base: ValueBase::NOWHERE,
            attributes: attr::DEFINED | attr::SYNTHETIC | kept,
        };
        self.symbols.push(LinkerSymbol { name, mark });
    }

    /// Keeps the last of several assignments to a name, in its place among the others.
    fn keep_last(&mut self) {
        if self.has_repeats {
            let mut seen = UnorderedSet::new();
            self.symbols.reverse();
            self.symbols.retain(|symbol| seen.insert(symbol.name));
            self.symbols.reverse();
        }
    }

    /// Defines the symbols of the `--section-order` list.
    fn define_listed(
        &mut self,
        definitions: &mut Definitions,
        extraction: &Extraction,
        options: &Options,
    ) {
        let Some(order) = &options.arrangement.section_order else { return };
        // `__ehdr_start` is the only trace of the file header's address in the output.
        if let Some(name) = extraction.own_name(b"__ehdr_start")
            && !is_defined(definitions, name)
        {
            self.define(definitions, name, Mark::ImageStart);
            definitions.globals[name].attributes |= attr::LOCAL;
        }
        for (at, text) in order.symbols().enumerate() {
            if let Some(name) = extraction.own_name(text.as_bytes()) {
                self.define(definitions, name, Mark::Listed(at));
            }
        }
    }

    /// Aliases, each with the symbol at the end of its chain of aliases.
    pub fn aliases(&self) -> UnorderedMap<NameId, NameId> {
        let of_expression =
            |expression: Expression<'_>| expression.alias_of().map(|of| (expression.name, of));
        let direct: UnorderedMap<NameId, NameId> =
            self.expressions.iter().filter_map(of_expression).collect();
        let mut aliases = UnorderedMap::new();
        for symbol in &self.symbols {
            let Some(&(mut of)) = direct.get(&symbol.name) else { continue };
            // A chain that ends in itself has no value.
            for _ in 0..LONGEST_ALIAS {
                let Some(&next) = direct.get(&of) else { break };
                of = next;
            }
            aliases.insert(symbol.name, of);
        }
        aliases
    }

    /// Linker-defined names with a version (`foo@V`).
    pub fn versioned(&self, extraction: &Extraction) -> Vec<NameId> {
        let text = |name: NameId| extraction.pools.name(&extraction.names, name);
        let expressions = self.symbols.iter().filter(|s| matches!(s.mark, Mark::Expression));
        expressions.map(|s| s.name).filter(|&name| text(name).contains(&b'@')).collect()
    }
}
