//! `--why-live`: what keeps symbols alive. Marking runs in parallel and does not record which
//! reference came first. So the graph is walked again, by one thread and breadth first. The printed
//! chain is a shortest one, and the same in every run.

use super::listing::{self, Stream};
use crate::format::elf::SymbolId;
use crate::read::object_file::SectionFlags;
use crate::read::{LibraryId, ObjectId};
use crate::resolve::definitions::{Definitions, SectionId, Strength};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Sources;
use crate::resolve::wanted::entry_name;
use crate::select::references::{EdgeTarget, ReferenceGraph};
use object::elf::{STT_FUNC, STT_SECTION};
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::glob::Glob;
use std::fmt::Write;

/// Answers for all patterns; `roots` is `None` without `--gc-sections`.
pub fn print(sources: &Sources<'_>, references: &ReferenceGraph<'_>, roots: Option<&[SectionId]>) {
    let definitions = references.definitions;
    let patterns = &sources.options.reports.why_live;
    if patterns.is_empty() {
        return;
    }
    let globs: Vec<Glob> = patterns.iter().map(|text| Glob::new(text.as_bytes())).collect();
    let is_asked = |name: &[u8]| globs.iter().any(|glob| glob.matches(name));
    let parents = roots.map(|roots| references.parents(roots));
    let answer = Answer { sources, definitions, parents };
    let mut text = String::new();
    for (at, object) in sources.objects.with_ids() {
        for index in object.mapped.symbols.ids().skip(1) {
            let is_section = object.mapped.symbols[index].kind() == STT_SECTION;
            let Some(section) = answer.section_of(at, index).filter(|_| !is_section) else {
                continue;
            };
            let name = object.symbol_name(index);
            if !name.is_empty() && is_asked(name) {
                answer.tell(&mut text, at, name, section);
            }
        }
    }
    answer.tell_imports(&mut text, references, is_asked);
    listing::write(None, Stream::Out, &text, sources.diag);
}

struct Answer<'a> {
    sources: &'a Sources<'a>,
    definitions: &'a Definitions,
    /// See [`ReferenceGraph::parents`].
    parents: Option<Column<SectionId, Option<SectionId>>>,
}

impl Answer<'_> {
    /// The section that holds a symbol, if this object defines it.
    fn section_of(&self, object: ObjectId, symbol: SymbolId) -> Option<SectionId> {
        let definitions = self.definitions;
        let target = definitions.target_of(object, symbol);
        if let Some(name) = target.name() {
            let rank = definitions.ranks[name];
            let is_own = rank.strength() < Strength::Shared
                && rank.object() == object
                && rank.symbol() == symbol;
            is_own.then_some(())?;
        }
        definitions.section_of(target)
    }

    /// The references of live sections to shared libraries, each with the first section that has
    /// it.
    fn tell_imports(
        &self,
        text: &mut String,
        references: &ReferenceGraph<'_>,
        is_asked: impl Fn(&[u8]) -> bool,
    ) {
        let Sources { extraction, candidates, .. } = *self.sources;
        let spelled = |name: NameId| extraction.pools.name(&extraction.names, name);
        let undefined = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
        let mut asked: Vec<(LibraryId, SymbolId, NameId)> = self
            .definitions
            .ranks
            .with_ids()
            .filter(|(name, rank)| {
                rank.strength() == Strength::Shared
                    && extraction.refs.get(*name).flags() & undefined != 0
                    && is_asked(spelled(*name))
            })
            .map(|(name, rank)| (rank.library(), rank.symbol(), name))
            .collect();
        if asked.is_empty() {
            return;
        }
        shuffled(&mut asked).sort_unstable();
        let wanted: UnorderedSet<NameId> = asked.iter().map(|&(.., name)| name).collect();
        let mut users: UnorderedMap<NameId, SectionId> = UnorderedMap::default();
        for section in self.definitions.sections.ids() {
            if self.parents.as_ref().is_some_and(|parents| parents[section].is_none()) {
                continue;
            }
            references.of(section, &mut |target| {
                if let EdgeTarget::Name(name) = target
                    && wanted.contains(&name)
                {
                    users.entry(name).or_insert(section);
                }
            });
        }
        for (library, _, name) in asked {
            let Some(&user) = users.get(&name) else { continue };
            let file = candidates.shared[library].file;
            let file = file.map(|file| candidates.display_name(file)).unwrap_or_default();
            let symbol = format!("{file}:({})", String::from_utf8_lossy(spelled(name)));
            match self.parents {
                Some(_) => {
                    let _ = write!(text, "live symbol: {symbol}");
                    self.tell_chain(text, user);
                }
                None => {
                    let _ = writeln!(text, "live symbol: {symbol} (all sections are kept)");
                }
            }
        }
    }

    fn tell(&self, text: &mut String, object: ObjectId, name: &[u8], section: SectionId) {
        let symbol = self.place(object, &String::from_utf8_lossy(name));
        let Some(parents) = &self.parents else {
            let _ = writeln!(text, "live symbol: {symbol} (all sections are kept)");
            return;
        };
        let Some(parent) = parents[section] else { return };
        let _ = write!(text, "live symbol: {symbol}");
        if parent == section {
            let _ = writeln!(text, " ({})", reason(self.sources, self.definitions, section));
        } else {
            self.tell_chain(text, parent);
        }
    }

    /// The chain of references from a section to the root from which marking reached it.
    fn tell_chain(&self, text: &mut String, first: SectionId) {
        let mut at = first;
        loop {
            let _ = write!(text, "\n>>> referenced by: {}", self.section(at));
            let parent = self.parents.as_ref().and_then(|parents| parents[at]);
            match parent.filter(|&parent| parent != at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let _ = writeln!(text, " ({})", reason(self.sources, self.definitions, at));
    }

    /// `FILE:(WHAT)`.
    fn place(&self, object: ObjectId, what: &str) -> String {
        let file = self.sources.objects[object].file;
        let file = file.map(|f| self.sources.candidates.display_name(f)).unwrap_or_default();
        format!("{file}:({what})")
    }

    /// A section by the first symbol in it, functions preferred, or by its name.
    fn section(&self, id: SectionId) -> String {
        let record = &self.definitions.sections[id];
        let at = record.object;
        let object = &self.sources.objects[at];
        let named = object.mapped.symbols.ids().skip(1).filter(|&index| {
            object.mapped.symbols[index].kind() != STT_SECTION
                && !object.symbol_name(index).is_empty()
                && self.section_of(at, index) == Some(id)
        });
        let first = named.min_by_key(|&index| {
            let symbol = &object.mapped.symbols[index];
            (symbol.kind() != STT_FUNC, symbol.st_value(), index)
        });
        let name = match first {
            Some(index) => object.symbol_name(index),
            None if record.flags.has(SectionFlags::COMMON) => b"COMMON",
            None => object.section_name(record.shndx),
        };
        self.place(at, &String::from_utf8_lossy(name))
    }
}

/// Why a section is a root of marking.
pub fn reason(sources: &Sources<'_>, definitions: &Definitions, id: SectionId) -> &'static str {
    let Sources { options, candidates, extraction, .. } = *sources;
    let holds = |name: &[u8]| {
        let found = extraction.own_name(name);
        found.is_some_and(|name| definitions.globals[name].value_base == id.into())
    };
    if entry_name(options, candidates).is_some_and(|name| holds(&name)) {
        return "entry point";
    }
    if options.undefined.iter().any(|name| holds(name.as_bytes())) {
        return "--undefined";
    }
    if definitions.sections[id].flags.has(SectionFlags::KEEP) {
        "retained"
    } else {
        "exported or asked for"
    }
}
