//! From ids to messages: what went wrong in tables, told by file, section and symbol.

use super::{odr, warnings};
use crate::args::OutputKind;
use crate::diagnose::duplicates;
use crate::diagnose::location::{Place, Site, locate};
use crate::diagnose::messages::{
    Definition, DuplicateReport, RelocationOverflow, RelocationReferent,
};
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::{FileId, ObjectId};
use crate::resolve::definitions::{Duplicate, Strength, attr};
use crate::resolve::tables::Tables;
use crate::select::fault::SectionFault;
use crate::select::liveness::Liveness;
use crate::select::scan::{Problem, RelocId, ScanOutput};
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault};
use skald_core::diag::Failed;
use skald_core::names::NameId;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;
use std::collections::BTreeMap;
use std::fmt::Arguments;

pub(crate) fn problem_key(place: RelocId) -> (u64, u64) {
    MessageKind::Relocation.key_within(place.section, place.index.into())
}

impl<'a> Tables<'a> {
    pub(crate) fn site(&self, place: RelocId) -> Site<'static> {
        let section = &self.definitions.sections[place.section];
        let object = &self.objects[section.object];
        let reloc = object.reloc(section, place.index);
        Site {
            file_name: self.object_name(section.object),
            object: object.mapped.data,
            section_index: section.shndx,
            section_offset: reloc.r_offset(),
        }
    }

    /// What to call the symbol of a relocation: by its name, or by its section for STT_SECTION.
    pub(crate) fn referent(&self, place: RelocId) -> RelocationReferent {
        let section = &self.definitions.sections[place.section];
        let object = &self.objects[section.object];
        let symbol = object.reloc(section, place.index).symbol();
        let name =
            if symbol < object.mapped.symbols.end() { object.symbol_name(symbol) } else { b"" };
        if !name.is_empty() {
            return RelocationReferent::Symbol(self.printed(name));
        }
        let target = object
            .mapped
            .symbols
            .get(symbol)
            .and_then(|_| object.symbol_section(symbol))
            .filter(|&shndx| (shndx as usize) < object.mapped.shdrs.len())
            .map_or(&b""[..], |shndx| object.section_name(shndx));
        RelocationReferent::Section(String::from_utf8_lossy(target).into_owned())
    }

    fn referent_text(&self, place: RelocId) -> String {
        match self.referent(place) {
            RelocationReferent::Symbol(name) => format!("symbol '{name}'"),
            RelocationReferent::Section(name) => format!("section '{name}'"),
        }
    }

    fn symbol_index(&self, place: RelocId) -> SymbolId {
        let section = &self.definitions.sections[place.section];
        let object = &self.objects[section.object];
        object.reloc(section, place.index).symbol()
    }

    fn reloc_type(&self, place: RelocId) -> u32 {
        let section = &self.definitions.sections[place.section];
        let object = &self.objects[section.object];
        object.reloc(section, place.index).r_type()
    }

    /// Reports conflicts of definitions. Duplicates do not end the link yet, so that undefined
    /// names are listed with them.
    pub fn contested(&self) -> Result<(), Failed> {
        self.bad_symbols();
        self.diag.checkpoint()?;
        self.own_got();
        self.duplicates();
        self.mismatches();
        odr::warn(self);
        self.local_exports();
        warnings::commons(self);
        warnings::ifuncs_with_text_relocations(self);
        Ok(())
    }

    /// `_GLOBAL_OFFSET_TABLE_`: code finds the GOT by its address, so no object may define the
    /// name.
    fn own_got(&self) {
        const GOT: &str = "_GLOBAL_OFFSET_TABLE_";
        let Some(name) = self.extraction.own_name(GOT.as_bytes()) else { return };
        let rank = self.definitions.ranks[name];
        if rank.strength() <= Strength::Weak {
            let object = self.object_name(rank.object());
            let text = format!("{object} cannot redefine linker defined symbol '{GOT}'");
            self.diag.error(MessageKind::InvalidSymbol.key(u64::from(rank.object()) << 32), text);
        }
    }

    /// Reports conflicts of definitions that end `-r` too; others are left to the link to come.
    pub fn contested_in_part(&self) {
        self.bad_symbols();
        self.duplicates();
        self.mismatches();
        self.tls_references();
        warnings::commons(self);
    }

    /// Reports symbols whose fields are wrong: see `ObjectFile::symbol_fault`.
    fn bad_symbols(&self) {
        for &(at, index) in &self.definitions.bad_symbols {
            if let Some(what) = self.objects[at].symbol_fault(index) {
                let key = MessageKind::InvalidSymbol.key(u64::from(at) << 32 | u64::from(index));
                self.diag.error(key, format!("{}: {what}", self.object_name(at)));
            }
        }
    }

    /// Reports sections whose content cannot be used.
    pub fn section_faults(&self, faults: &[SectionFault]) {
        for fault in faults {
            let section = self.objects[fault.object].section_name(fault.shndx);
            let text = format!(
                "{}:({}+{:#x}): {}",
                self.object_name(fault.object),
                String::from_utf8_lossy(section),
                fault.section_offset,
                fault.what
            );
            self.diag.error((u64::from(fault.object), u64::from(fault.shndx)), text);
        }
    }

    /// Warns of an `.sframe` that cannot be merged with the others.
    pub fn unmerged_stack_traces(&self, fault: &SectionFault) {
        let object = &self.objects[fault.object];
        let section = String::from_utf8_lossy(object.section_name(fault.shndx));
        let file = object.file.map(|file| self.candidates.display_name(file)).unwrap_or_default();
        let text = format!(
            "{file}:({section}+{:#x}): {}; no .sframe is made",
            fault.section_offset, fault.what
        );
        self.diag.warn(MessageKind::StackTrace.key(fault.object.into()), text);
    }

    /// Warns of units of debug information that cannot be read, and are not in `index`, the name of
    /// a section.
    pub fn unread_units(&self, index: &str, faults: &[SectionFault]) {
        self.debug_faults(faults, format_args!("{index} is made without this unit"));
    }

    /// Warns of tables of inputs that cannot be read, of which `index` has nothing.
    pub fn unread_tables(&self, index: &str, faults: &[SectionFault]) {
        self.debug_faults(faults, format_args!("{index} is made without this table"));
    }

    /// Warns of units of debug information that cannot be rewritten, because of which, if
    /// `is_given_up`, none is.
    pub fn left_units(&self, faults: &[SectionFault], is_given_up: bool) {
        let units = if is_given_up { "all units as they are" } else { "this unit as it is" };
        self.debug_faults(faults, format_args!("--dedup-debug-types leaves {units}"));
    }

    fn debug_faults(&self, faults: &[SectionFault], follows: Arguments<'_>) {
        for fault in faults {
            let object = &self.objects[fault.object];
            let section = String::from_utf8_lossy(object.section_name(fault.shndx));
            let text = format!(
                "{}:({section}+{:#x}): {}; {follows}",
                self.object_name(fault.object),
                fault.section_offset,
                fault.what
            );
            self.diag.warn(MessageKind::DebugUnit.key(fault.object.into()), text);
        }
    }

    /// Warns of `.dwo` files whose names `index`, the name of a section, lacks: of the first one,
    /// since a directory that is gone has them all.
    pub fn unread_dwo_files(&self, index: &str, faults: Vec<String>) {
        let Some(first) = faults.first() else { return };
        let others = match faults.len() - 1 {
            0 => String::new(),
            1 => " and one more file".to_owned(),
            count => format!(" and {count} more files"),
        };
        let text = format!("{first}; {index} is made without the names of this file{others}");
        self.diag.warn(MessageKind::DebugUnit.key(u64::MAX), text);
    }

    /// Warns of names that `.debug_names` lacks.
    pub fn unlisted_names(&self, count: u64) {
        let text = format!(
            ".debug_names is made without {count} uses of names that stand in no .debug_str"
        );
        self.diag.warn(MessageKind::DebugUnit.key(u64::MAX), text);
    }

    /// Reports names that several objects define.
    pub fn duplicates(&self) {
        if self.options.allow_multiple_definition {
            return;
        }
        let mut all = self.definitions.duplicates.clone();
        shuffled(&mut all).sort_unstable_by_key(|d| (d.object, d.symbol));
        all.retain(|duplicate| {
            !(self.same_absolute(duplicate)
                || self.same_place(duplicate)
                || self.just_symbol(duplicate)
                || self.is_compiled_again(duplicate))
        });
        for (at, (duplicate, [first, second])) in (0..).zip(all.iter().zip(self.both(&all))) {
            let report = self.duplicate(duplicate, first, second);
            match self.options.noinhibit_exec {
                true => self.diag.warn(MessageKind::Duplicate.key(at), report.render()),
                false => self.diag.error(MessageKind::Duplicate.key(at), report.render()),
            }
        }
    }

    /// Whether an archive member was taken for a name that a compiled file turns out to define, in
    /// assembly that plugins do not see.
    fn is_compiled_again(&self, duplicate: &Duplicate) -> bool {
        let objects = [self.definitions.ranks[duplicate.name].object(), duplicate.object];
        let files = objects.map(|object| self.objects[object].file);
        let is_compiled = |file: FileId| self.candidates.is_compiled(file);
        let is_member = |file: FileId| self.candidates.is_lazy_member(file);
        let [Some(one), Some(other)] = files else { return false };
        is_compiled(one) && is_member(other) || is_compiled(other) && is_member(one)
    }

    /// Reports names that are thread-local in one object and not in another.
    fn mismatches(&self) {
        let mut all = self.definitions.tls_mismatches.clone();
        shuffled(&mut all).sort_unstable_by_key(|d| (d.object, d.symbol));
        for (at, (loser, [first, second])) in (0..).zip(all.iter().zip(self.both(&all))) {
            let name = self.printed(self.name(loser.name));
            let text = format!("TLS attribute mismatch: {name}{}{}", first.line(), second.line());
            self.diag.error(MessageKind::MixedDefinitions.key(at), text);
        }
    }

    /// The definition that won, and the other one.
    fn both(&self, all: &[Duplicate]) -> Vec<[Definition; 2]> {
        let symbols = all.iter().flat_map(|duplicate| {
            let rank = self.definitions.ranks[duplicate.name];
            [(rank.object(), rank.symbol()), (duplicate.object, duplicate.symbol)]
        });
        let mut definitions = self.definitions_of(symbols).into_iter();
        let mut next = || definitions.next().expect("two for each");
        all.iter().map(|_| [next(), next()]).collect()
    }

    fn duplicate(
        &self,
        duplicate: &Duplicate,
        first: Definition,
        second: Definition,
    ) -> DuplicateReport {
        let rank = self.definitions.ranks[duplicate.name];
        let symbol = &self.objects[duplicate.object].mapped.symbols[duplicate.symbol];
        let is_function = symbol.kind() == object::elf::STT_FUNC;
        // `foo@V` and `foo@@V` are one name: the message shows the version, which explains it.
        let of_symbol =
            |object: ObjectId, symbol: SymbolId| self.objects[object].symbol_name(symbol);
        let spelled = [
            of_symbol(duplicate.object, duplicate.symbol),
            of_symbol(rank.object(), rank.symbol()),
        ];
        let versioned = spelled.into_iter().find(|name| name.contains(&b'@'));
        DuplicateReport {
            name: self.printed(versioned.unwrap_or_else(|| self.name(duplicate.name))),
            hint: match rank.object() == duplicate.object {
                true => None,
                false => duplicates::hint(&first, &second, is_function),
            },
            first,
            second,
        }
    }

    /// Reports symbols that a shared library exports in `.dynsym` and marks as local by their
    /// version (VER_NDX_LOCAL). The format has no such thing, and lld and mold refuse it too; if
    /// they were left out, the symbol would be called undefined.
    fn local_exports(&self) {
        for (at, shared) in self.candidates.shared.with_ids() {
            let Some(symbol) = shared.local_export else { continue };
            let path = self.candidates.shared_paths[at].display();
            let name = self.printed(shared.symbol_name(symbol));
            let text = format!("{path}: invalid version index 0 for defined symbol {name}");
            self.diag.error(MessageKind::LibraryVersion.key(at.into()), text);
        }
    }

    /// Whether both are absolute with one value: that does no harm.
    fn same_absolute(&self, duplicate: &Duplicate) -> bool {
        let rank = self.definitions.ranks[duplicate.name];
        let first = &self.objects[rank.object()].mapped.symbols[rank.symbol()];
        let second = &self.objects[duplicate.object].mapped.symbols[duplicate.symbol];
        let absolute = object::elf::SHN_ABS;
        first.st_shndx() == absolute
            && second.st_shndx() == absolute
            && first.st_value() == second.st_value()
    }

    /// One of the definitions only tells where another link put the symbol (`--just-symbols`): as
    /// for GNU ld, the first holds.
    fn just_symbol(&self, duplicate: &Duplicate) -> bool {
        let rank = self.definitions.ranks[duplicate.name];
        let is_told = |object: ObjectId| {
            self.objects[object].file.is_some_and(|f| self.candidates.is_just_symbols(f))
        };
        !self.options.strict_just_symbols && (is_told(rank.object()) || is_told(duplicate.object))
    }

    /// `foo` and its default version `foo@@V`, which `.symver` makes of it, are one definition. Of
    /// `foo@V` and `foo@@V` that holds in programs alone, which few ask for versions: libraries
    /// have the one or the other.
    fn same_place(&self, duplicate: &Duplicate) -> bool {
        let rank = self.definitions.ranks[duplicate.name];
        if rank.object() != duplicate.object {
            return false;
        }
        let object = &self.objects[duplicate.object];
        let has_version = |symbol: SymbolId| object.symbol_name(symbol).contains(&b'@');
        let is_program =
            matches!(self.options.kind, OutputKind::Executable | OutputKind::PieExecutable);
        if !is_program
            && rank.symbol() != duplicate.symbol
            && has_version(rank.symbol())
            && has_version(duplicate.symbol)
        {
            return false;
        }
        let first = &object.mapped.symbols[rank.symbol()];
        let second = &object.mapped.symbols[duplicate.symbol];
        object.has_versioned_names
            && first.st_shndx() == second.st_shndx()
            && first.st_value() == second.st_value()
    }

    /// Where symbols, each of an object, are defined.
    pub(crate) fn definitions_of(
        &self,
        symbols: impl Iterator<Item = (ObjectId, SymbolId)> + Clone,
    ) -> Vec<Definition> {
        let site = |(object, symbol): (ObjectId, SymbolId)| {
            let file = &self.objects[object];
            file.symbol_section(symbol).map(|section_index| Site {
                file_name: self.object_name(object),
                object: file.mapped.data,
                section_index,
                section_offset: file.mapped.symbols[symbol].st_value(),
            })
        };
        let sites: Vec<Option<Site<'_>>> = symbols.clone().map(site).collect();
        let with_section: Vec<Site<'_>> = sites.iter().flatten().cloned().collect();
        let mut places = locate(&with_section, self.options.demangle).into_iter();
        let definition = |((object, _), site): ((ObjectId, SymbolId), &Option<Site<'_>>)| match site
        {
            Some(_) => Definition::At(places.next().expect("each site has a place")),
            None => Definition::In(self.object_name(object)),
        };
        symbols.zip(&sites).map(definition).collect()
    }

    /// Reports relocations that scanning could not accept.
    pub fn problems(&self, live: &Liveness, scan: &ScanOutput) {
        let mut undefined: BTreeMap<RelocId, NameId> = BTreeMap::new();
        let mut seen = UnorderedSet::new();
        let mut discarded = Vec::new();
        let excluded = self.excluded_definitions();
        let mut others = Vec::new();
        let ignored: UnorderedSet<&[u8]> =
            self.options.ignore_unresolved.iter().map(String::as_bytes).collect();
        for &(place, problem) in &scan.problems {
            if problem == Problem::Discarded {
                discarded.push(place);
            } else if problem == Problem::Undefined {
                let section = &self.definitions.sections[place.section];
                let object = &self.objects[section.object];
                let symbol = object.reloc(section, place.index).symbol();
                let target = self.definitions.target_of(section.object, symbol);
                let name = target.name().expect("what is undefined is a name");
                if excluded.contains_key(&name) {
                    discarded.push(place);
                } else if !ignored.contains(self.name(name)) && seen.insert(name) {
                    undefined.insert(place, name);
                }
            } else {
                others.push((place, problem));
            }
        }
        let sites: Vec<Site<'_>> = others.iter().map(|&(place, _)| self.site(place)).collect();
        for ((place, problem), located) in
            others.into_iter().zip(locate(&sites, self.options.demangle))
        {
            self.problem(place, problem, &located);
        }
        self.discarded(discarded);
        self.undefined(live, undefined.into_values().collect());
        self.required(|_| false);
        self.shared_undefined();
        self.library_kinds();
        if scan.has_text_relocations && self.options.z.text.is_none() {
            let what = match self.options.kind {
                OutputKind::Shared => "a shared library",
                OutputKind::PieExecutable => "a PIE",
                _ => "a program",
            };
            let text = format!(
                "creating a DT_TEXTREL in an output file: {what} whose code the loader has to \
                 write; recompile with -fPIC, or pass '-z notext' to do without this warning"
            );
            self.diag.warn((u64::MAX, 0), text);
        }
    }

    fn problem(&self, place: RelocId, problem: Problem, located: &Place) {
        let r_type = self.reloc_type(place);
        let relocation = self.options.machine.relocation_name(r_type);
        let at = located.location();
        let referent = self.referent_text(place);
        let what = match problem {
            Problem::Undefined | Problem::Discarded => return,
            Problem::FixedAddress => {
                format!("relocation {relocation} cannot refer to absolute {referent}")
            }
            Problem::UnknownType => {
                // Types that only the loader applies have a name; that of others begins with
                // `unknown`.
                let shown = relocation.to_string();
                let shown = shown.strip_prefix("unknown ").unwrap_or(&shown);
                format!("unknown relocation {shown} against {referent}")
            }
            Problem::NeedsPic => format!(
                "relocation {relocation} cannot be used against {referent}; recompile with -fPIC"
            ),
            Problem::TextRelocation => format!(
                "relocation {relocation} against {referent} in read-only section '{}' cannot be \
                 used; recompile with -fPIC or pass '-z notext' to allow text relocations in the \
                 output",
                located.section
            ),
            Problem::AllowedTextRelocation => {
                let text = format!(
                    "{at}: relocation against {} in read-only section `{}'",
                    match self.referent(place) {
                        RelocationReferent::Symbol(name) => format!("symbol `{name}'"),
                        RelocationReferent::Section(name) => format!("section `{name}'"),
                    },
                    located.section
                );
                return self.diag.warn(problem_key(place), text);
            }
            Problem::ForeignTlsBlock => format!(
                "relocation {relocation} cannot reach {referent} in another library's TLS block"
            ),
            Problem::BadTlsSequence => {
                format!(
                    "relocation {relocation} {}",
                    (self.options.machine.required_tls_sequence)(r_type)
                )
            }
            Problem::NoCopy
            | Problem::ProtectedCopy
            | Problem::ProtectedAddress
            | Problem::EmptyCopy
            | Problem::DistanceToNothing => no_address(problem, &relocation.to_string(), &referent),
            Problem::BadSymbol => format!(
                "relocation {relocation} has an invalid symbol index: {}",
                self.symbol_index(place)
            ),
            Problem::BadPlace => format!("relocation {relocation} lies outside its section"),
            Problem::PlainReferenceToTls => format!(
                "relocation {relocation} against thread-local {referent}, which is declared here \
                 without __thread or thread_local"
            ),
            Problem::TlsMismatch => {
                format!(
                    "thread-local relocation {relocation} against {referent}, which is not \
                     thread-local"
                )
            }
        };
        let context = self.context(place, problem, located);
        self.diag.error(problem_key(place), format!("{at}: {what}{context}"));
    }

    /// The lines below the message of a problem: source line, definition, and which option or
    /// symbol would do.
    fn context(&self, place: RelocId, problem: Problem, located: &Place) -> String {
        let mut text = String::new();
        if let Some(source) = &located.source {
            text += &format!("\n>>> referenced by {source}");
        }
        let has_symbol =
            !matches!(problem, Problem::UnknownType | Problem::BadSymbol | Problem::BadPlace);
        if has_symbol && let Some(file_name) = self.defined_in(place) {
            text += &format!("\n>>> defined in {file_name}");
        }
        if self.options.kind == OutputKind::PieExecutable {
            text += match problem {
                // In no kind of output is a library's variable in the program's own TLS block.
                Problem::NeedsPic
                    if (self.options.machine.is_thread_local)(self.reloc_type(place)) =>
                {
                    ""
                }
                Problem::NeedsPic => "\n>>> -fPIE is enough for a program; or link it with -no-pie",
                Problem::FixedAddress => "\n>>> the loader moves the program: link it with -no-pie",
                _ => "",
            };
        }
        text
    }

    /// Whether `--defsym` defines the name.
    pub(crate) fn is_made_by_option(&self, name: NameId) -> bool {
        self.definitions.globals[name].has(attr::SYNTHETIC)
            && self.options.defsym.iter().any(|defsym| defsym.name.as_bytes() == self.name(name))
    }

    fn defined_in(&self, place: RelocId) -> Option<String> {
        let section = &self.definitions.sections[place.section];
        let object = &self.objects[section.object];
        let symbol = object.reloc(section, place.index).symbol();
        let target = self.definitions.target_of(section.object, symbol);
        let Some(name) = target.name() else { return Some(self.object_name(section.object)) };
        if self.is_made_by_option(name) {
            return Some("--defsym".to_owned());
        }
        let rank = self.definitions.ranks[name];
        match rank.strength() {
            Strength::Strong | Strength::Weak | Strength::Common => {
                Some(self.object_name(rank.object()))
            }
            Strength::Shared => {
                Some(self.candidates.shared_paths[rank.library()].display().to_string())
            }
            Strength::Undefined => None,
        }
    }
}

/// The message for code that needs a link-time constant as address of a symbol outside of the
/// output.
fn no_address(problem: Problem, relocation: &str, referent: &str) -> String {
    match problem {
        Problem::NoCopy => format!(
            "unresolvable relocation {relocation} against {referent}; recompile with -fPIC or \
             remove '-z nocopyreloc'"
        ),
        Problem::ProtectedCopy => format!(
            "cannot create a copy relocation for protected {referent}, which relocation \
             {relocation} needs; recompile with -fPIC"
        ),
        Problem::ProtectedAddress => format!(
            "cannot preempt protected {referent}: relocation {relocation} takes its address, \
             which would differ from the library's own; recompile with -fPIC"
        ),
        Problem::EmptyCopy => format!(
            "cannot create a copy relocation for {referent}, which has no size and relocation \
             {relocation} needs a copy of; recompile with -fPIC"
        ),
        Problem::DistanceToNothing => format!(
            "relocation {relocation} cannot be used against weak {referent}, which nothing \
             defines; recompile with -fPIC"
        ),
        _ => unreachable!("other problems have other causes"),
    }
}

/// Reports relocations that could not be applied.
pub fn report_failures(tables: &Tables<'_>, image: &Image<'_>, mut failures: Vec<Failure>) {
    shuffled(&mut failures).sort_unstable_by_key(|f| (f.section, f.reloc));
    let tables = Tables { definitions: image.definitions, ..*tables };
    let machine = image.machine;
    let place_of = |failure: &Failure| RelocId { section: failure.section, index: failure.reloc };
    let sites: Vec<Site<'_>> = failures.iter().map(|f| tables.site(place_of(f))).collect();
    for (failure, located) in failures.iter().zip(locate(&sites, tables.options.demangle)) {
        let place = place_of(failure);
        let r_type = tables.reloc_type(place);
        let key = problem_key(place);
        let text = match failure.what {
            Fault::OutOfRange(value) => {
                let (min, max) = machine.howto(r_type).map_or((0, 0), |h| h.range.bounds());
                RelocationOverflow {
                    place: located,
                    relocation: machine.relocation_name(r_type).to_string(),
                    value: i128::from(value),
                    min: i128::from(min),
                    max: i128::from(max),
                    referent: Some(tables.referent(place)),
                    defined_in: tables.defined_in(place),
                    hint: tables.overflow_hint(place, r_type, value),
                }
                .render()
            }
            Fault::BadPlace => format!(
                "{}: relocation {} lies outside its section",
                located.location(),
                machine.relocation_name(r_type)
            ),
            Fault::BadSymbol => format!(
                "{}: relocation {} has an invalid symbol index: {}",
                located.location(),
                machine.relocation_name(r_type),
                tables.symbol_index(place)
            ),
            Fault::Unsupported => format!(
                "{}: relocation {} cannot be applied to {}",
                located.location(),
                machine.relocation_name(r_type),
                tables.referent_text(place)
            ),
        };
        match tables.options.noinhibit_exec {
            true => tables.diag.warn(key, text),
            false => tables.diag.error(key, text),
        }
    }
}
