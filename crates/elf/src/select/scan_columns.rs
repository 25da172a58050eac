//! The columns that scanning writes, and the options that it follows.

use crate::args::processors::PlatformTypes;
use crate::args::{Icf, Options, Unresolved};
use crate::read::object_file::SectionFlags;
use crate::read::{Libraries, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::{ClaimedSymbols, LinkerSymbol, Mark};
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::PackedReferent;
use crate::script::layout_script::LayoutScript;
use crate::select::marker::ScanLoops;
use crate::select::scan::{ScanInput, need};
use crate::select::tagged_globals::TaggedGlobals;
use skald_core::column::zeroed;
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

/// Symbols that one task looks up.
const CHUNK: usize = 1 << 14;

/// Columns that scanning writes, constant afterwards, and the column that it reads most.
#[derive(Debug)]
pub struct ScanColumns {
    /// What symbols refer to: [`ScanInput::direct`].
    direct: Vec<PackedReferent>,
    /// By name, bits of [`need`](super::scan::need).
    pub needs: Column<NameId, AtomicU16>,
    /// By section, how many relative relocations it needs.
    pub relative: Column<SectionId, AtomicU32>,
}

impl ScanColumns {
    /// Empty columns.
    pub fn new(definitions: &Definitions) -> ScanColumns {
        ScanColumns {
            direct: direct(definitions),
            needs: Column::zeroed(definitions.globals.len()),
            relative: Column::zeroed(definitions.sections.len()),
        }
    }

    /// What symbols refer to: [`ScanInput::direct`].
    pub fn direct(&self) -> &[PackedReferent] {
        &self.direct
    }

    /// Frees `direct` after marking, unless folding, which reads it too, is to come.
    pub fn forget_direct(&mut self, folding: Icf) {
        if folding == Icf::None {
            self.direct = Vec::new();
        }
    }

    /// Without garbage collection every undefined name of an object counts as referred to, even if
    /// no relocation refers to it.
    pub fn note_all_references(&mut self, extraction: &Extraction) {
        self.needs.par_with_ids_mut().with_min_len(1 << 14).for_each(|(name, needs)| {
            let flags = extraction.refs.get(name).flags();
            if flags & (ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK) != 0 {
                *needs.get_mut() |= need::REFERENCED;
            }
        });
    }

    /// Whether a relocation or expression refers to `_GLOBAL_OFFSET_TABLE_`. Assemblers put that
    /// symbol into every object that uses a GOT, so its presence does not count.
    pub fn refer_to_got(&self, claimed: &ClaimedSymbols) -> bool {
        let is_got = |symbol: &&LinkerSymbol| matches!(symbol.mark, Mark::Got);
        claimed.symbols.iter().filter(is_got).any(|symbol| {
            self.needs[symbol.name].load(Ordering::Relaxed) & need::REFERENCED != 0
                || claimed.expressions.referenced().contains(&symbol.name)
        })
    }

    /// Requests a copy for a common symbol of a program that is larger or more aligned than the
    /// library's variable that defines it. Only a copy has room for what the program writes there.
    pub fn note_wished_copies(
        &mut self,
        definitions: &Definitions,
        shared: &Libraries,
        shape: OutputShape,
    ) {
        if shape.is_shared {
            return;
        }
        for (&name, &(size, align_log2)) in definitions.copy_wishes.sorted() {
            let rank = definitions.ranks[name];
            let needs = self.needs[name].get_mut();
            if rank.strength() != Strength::Shared || *needs == 0 {
                continue;
            }
            let (library, symbol) = (&shared[rank.library()], rank.symbol());
            let has = &library.symbols[symbol];
            // The address of the library's variable shows its alignment.
            let is_aligned = has.st_value().trailing_zeros() >= u32::from(align_log2);
            let is_short = has.st_size() < size || !is_aligned;
            if is_short && library.uses_copy(symbol) {
                *needs |= need::COPY;
            }
        }
    }

    /// Gives an IFUNC of a program a PLT entry if an expression takes its address: the address is
    /// that of the entry.
    pub fn note_assigned_ifuncs(
        &mut self,
        definitions: &Definitions,
        claimed: &ClaimedSymbols,
        shape: OutputShape,
    ) {
        if shape.is_shared {
            return;
        }
        for name in claimed.expressions.referenced() {
            if definitions.globals[name].has(attr::IFUNC) {
                *self.needs[name].get_mut() |= need::PLT | need::CANONICAL;
            }
        }
    }

    /// Makes IFUNCs of a program plain functions at their PLT entries if a library refers to them.
    /// The library is relocated before the program, when the resolver cannot be called yet, and the
    /// dynamic linker would give up. GNU ld and mold do so in programs at fixed addresses. Not
    /// where the library could not call the entry: there a library that is bound lazily works.
    pub fn note_exported_ifuncs(
        &mut self,
        definitions: &Definitions,
        shared: &Libraries,
        options: &Options,
        shape: OutputShape,
    ) {
        let is_own = shape.is_pic && options.machine.pic_plt_is_own;
        if shape.is_shared || !shape.has_loader || is_own {
            return;
        }
        let wanted = attr::IFUNC | attr::DEFINED | attr::EXPORTED;
        for &(_, name) in shared.iter().flat_map(|library| &library.imports) {
            if definitions.globals[name].attributes & wanted == wanted {
                *self.needs[name].get_mut() |= need::PLT | need::CANONICAL;
            }
        }
    }
}

/// Makes the column [`ScanInput::direct`].
fn direct(definitions: &Definitions) -> Vec<PackedReferent> {
    let globals = &definitions.globals;
    let mut column: Vec<PackedReferent> = zeroed(definitions.target.len());
    column.par_chunks_mut(CHUNK).zip(definitions.target.par_chunks(CHUNK)).for_each(
        |(direct, targets)| {
            for (direct, &target) in direct.iter_mut().zip(targets) {
                *direct = target;
                if let Some(name) = target.name() {
                    let global = globals[name];
                    // Thread-local variables are looked up by name: references to them are few.
                    if !global.has(attr::NOT_PLAIN | attr::TLS) {
                        *direct = global.value_base.into();
                    }
                }
            }
        },
    );
    column
}

/// Whether options or a script place sections of `loaded` bytes too far apart for rewritten
/// instructions to reach. Addresses of a script that depend on others do not count.
fn is_spread(options: &Options, script: &LayoutScript, loaded: u64) -> bool {
    let near = options.machine.near_span;
    let mut fixed: Vec<u64> = options.fixed_addresses().collect();
    if script.is_automatic {
        if !options.section_start.is_empty() {
            // The other sections begin where programs do.
            fixed.push(options.usual_base());
        }
        return extent(fixed) >= near - loaded;
    }
    fixed.extend(script.fixed_addresses());
    extent(fixed) >= near
}

/// The length of the shortest range that holds all these addresses, which may wrap around.
fn extent(mut addresses: Vec<u64>) -> u64 {
    shuffled(&mut addresses).sort_unstable();
    let behind = addresses.iter().cycle().skip(1);
    let gaps = addresses.iter().zip(behind).map(|(&from, &to)| to.wrapping_sub(from));
    // The gap from one address to itself is all of memory.
    gaps.filter(|&gap| gap != 0).max().map_or(0, u64::wrapping_neg)
}

/// The options that scanning follows.
#[derive(Debug)]
pub struct ScanRules {
    /// The machine's loops that follow them.
    pub loops: ScanLoops,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Instructions may be rewritten: [`ScanInput::relax`].
    pub relax: bool,
    /// Variables in tagged memory.
    pub tagged: TaggedGlobals,
    platform_types: PlatformTypes,
    allow_text_relocations: bool,
    no_copy_relocations: bool,
    copy_protected: bool,
    define_protected: bool,
    ignore_undefined: bool,
    report_undefined: bool,
    warn_text_relocations: bool,
    narrow_dynamic: bool,
    has_listed_got: bool,
}

impl ScanRules {
    /// Derives the rules from the options, the script, and the size of loaded sections.
    pub fn new(
        options: &Options,
        shape: OutputShape,
        definitions: &Definitions,
        script: &LayoutScript,
        loops: ScanLoops,
    ) -> ScanRules {
        let loaded: u64 = definitions
            .sections
            .par_iter()
            .with_min_len(1 << 14)
            .filter(|s| s.flags.has(SectionFlags::ALLOC) && !s.flags.has(SectionFlags::DISCARDED))
            .map(|s| s.size)
            .sum();
        // The start code of a static PIE runs before its GOT is relocated, so its GOT loads must be
        // rewritten in any case.
        let is_ignored =
            matches!(options.unresolved, Unresolved::IgnoreAll | Unresolved::IgnoreInObjectFiles);
        let may_be_open = shape.is_shared && options.unresolved == Unresolved::Default;
        let is_reported =
            options.noinhibit_exec && !may_be_open || options.unresolved == Unresolved::Warn;
        let relocates_itself = shape.is_pic && !shape.has_loader;
        ScanRules {
            loops,
            shape,
            relax: (!options.no_relax || relocates_itself)
                && loaded < options.machine.near_span
                && !is_spread(options, script, loaded),
            tagged: TaggedGlobals::default(),
            platform_types: options.platform_types(shape.is_dynamic),
            allow_text_relocations: options.z.text != Some(true),
            no_copy_relocations: options.z.no_copy_reloc,
            copy_protected: options.ignore_data_address_equality,
            define_protected: options.ignore_function_address_equality,
            ignore_undefined: is_ignored || is_reported,
            report_undefined: is_reported && !is_ignored,
            warn_text_relocations: options.reports.warn_textrel
                || (options.reports.warn_shared_textrel && shape.is_shared),
            narrow_dynamic: options.z.no_reloc_overflow,
            has_listed_got: options.machine.listed_got.is_some(),
        }
    }

    /// The tables and columns for scan loops.
    pub fn input<'a>(
        &'a self,
        objects: &'a Objects,
        definitions: &'a Definitions,
        columns: &'a ScanColumns,
    ) -> ScanInput<'a> {
        ScanInput {
            objects,
            definitions,
            direct: &columns.direct,
            needs: &columns.needs,
            relative: &columns.relative,
            shape: self.shape,
            relax: self.relax,
            tagged: &self.tagged,
            platform_types: self.platform_types,
            allow_text_relocations: self.allow_text_relocations,
            no_copy_relocations: self.no_copy_relocations,
            copy_protected: self.copy_protected,
            define_protected: self.define_protected,
            ignore_undefined: self.ignore_undefined,
            report_undefined: self.report_undefined,
            warn_text_relocations: self.warn_text_relocations,
            narrow_dynamic: self.narrow_dynamic,
            has_listed_got: self.has_listed_got,
        }
    }
}
