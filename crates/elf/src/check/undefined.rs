//! Undefined symbols: what objects, options and shared libraries miss, from ids to messages.

use crate::args::Unresolved;
use crate::args::version_script::{ExactId, ExactName};
use crate::diagnose::handling_script::{self, Missing};
use crate::diagnose::messages::{Hint, VersionUndefined, Visibility};
use crate::diagnose::object_view::ObjectView;
use crate::diagnose::order::MessageKind;
use crate::diagnose::undefined::{self, Referrer, SearchPath, UndefinedSymbol};
use crate::format::elf::SymbolId;
use crate::format::encoding::Encoding;
use crate::read::FileId;
use crate::read::object_file::SectionFlags;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::resolve::definitions::attr;
use crate::resolve::dynamic::Versions;
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use skald_core::demangle::demangle_cxx;
use skald_core::diag::Error;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use skald_linking::near_names::{DefinedName, Reach};
use std::borrow::Cow;

impl Tables<'_> {
    /// Reports names that nothing defines. What must be defined in this output is an error whatever
    /// options say of undefined symbols, as with GNU ld and lld.
    pub(crate) fn undefined(&self, live: &Liveness, names: Vec<NameId>) {
        let is_own = |name: &NameId| {
            let global = self.definitions.globals[*name];
            global.has(attr::OWN)
        };
        let warns = self.options.unresolved == Unresolved::Warn;
        let (warned, refused) = names.into_iter().partition(|name| warns && !is_own(name));
        self.list_undefined(live, warned, true);
        self.list_undefined(live, refused, self.options.noinhibit_exec);
    }

    fn list_undefined(&self, live: &Liveness, names: Vec<NameId>, warn: bool) {
        if names.is_empty() {
            return;
        }
        // One more than the limit is looked for, to know that there are more. Warnings have no
        // limit.
        let limit = match self.options.error_limit {
            limit if limit != 0 && !warn => limit + 1,
            _ => usize::MAX,
        };
        let wraps: UnorderedSet<&[u8]> = self.options.wrap.iter().map(String::as_bytes).collect();
        let mut symbols: Vec<UndefinedSymbol<'_>> = names
            .iter()
            .take(limit)
            .map(|&name| UndefinedSymbol {
                written: written(self.name(name), &wraps),
                ..UndefinedSymbol::new(self.name(name), self.visibility(name))
            })
            .collect();
        let wanted: UnorderedSet<NameId> = names.iter().take(limit).copied().collect();
        for (at, object) in self.objects.with_ids() {
            if !object.globals.iter().any(|name| wanted.contains(name)) {
                continue;
            }
            let base = self.definitions.section_base[at];
            // Nobody visits `.eh_frame` as a section; what is undefined there is a personality
            // routine.
            let is_live = |shndx: u32| {
                object.record_index(shndx).is_some_and(|index| {
                    let id = base + index;
                    let section = &self.definitions.sections[id];
                    live.is_live(id) || section.flags.has(SectionFlags::EH_FRAME)
                })
            };
            let file_name = self.object_name(at);
            undefined::find_sites(
                &mut symbols,
                &Referrer { file_name: &file_name, object: object.mapped.data, is_live: &is_live },
            );
        }
        let unprinted: Vec<&[u8]> = names.iter().skip(limit).map(|&name| self.name(name)).collect();
        let texts = undefined::render(
            &symbols,
            &unprinted,
            self.defined_names(),
            &|file| self.candidates.display_name(FileId::new(file)),
            &self.search_path(),
            self.options.demangle,
        );
        if let Some(script) = &self.options.reports.error_handling_script
            && !warn
        {
            for (at, &name) in (0..).zip(names.iter().take(limit.saturating_sub(1))) {
                if let Some(text) = handling_script::run(script, Missing::Symbol(self.name(name))) {
                    self.diag.error(MessageKind::Undefined.key(at), text);
                }
            }
        }
        for (at, text) in (0..).zip(texts) {
            match warn {
                true => self.diag.warn(MessageKind::Undefined.key(at), text),
                false => self.diag.error(MessageKind::Undefined.key(at), text),
            }
        }
    }

    /// The strictest visibility (gABI, `st_other`) that a reference to the name asks for.
    fn visibility(&self, name: NameId) -> Visibility {
        let flags = self.extraction.refs.get(name).flags();
        if flags & ref_flags::INTERNAL != 0 {
            Visibility::Internal
        } else if flags & ref_flags::HIDDEN != 0 {
            Visibility::Hidden
        } else if flags & ref_flags::PROTECTED != 0 {
            Visibility::Protected
        } else {
            Visibility::Default
        }
    }

    pub(crate) fn search_path(&self) -> SearchPath<'_> {
        SearchPath {
            directories: &self.options.library_paths,
            linked: &self.candidates.paths,
            only_archives: self.options.is_static,
            encoding: Encoding::of(self.options.machine),
        }
    }

    /// What the user may have meant by a name of an option that nothing defines, as lines that
    /// begin with a line feed; empty where nothing is near.
    pub(crate) fn meant(&self, name: &[u8]) -> String {
        let file_name = |file| self.candidates.display_name(FileId::new(file));
        let demangled = self.options.demangle;
        let hints = undefined::alike(&[name], self.defined_names(), &file_name, demangled);
        let lines = |hint: Hint| hint.render(&self.printed(name));
        hints.into_iter().flatten().map(lines).collect()
    }

    /// Names of a version script that no input defines, where they are errors.
    pub(crate) fn undefined_versions(&self, versions: &Versions) {
        let script = &versions.script;
        let exact = |&rank: &ExactId| &script.exact_names()[rank];
        let mut missing: Vec<&ExactName> = versions.undefined.iter().map(exact).collect();
        self.drop_defined_cxx(&mut missing);
        if missing.is_empty() {
            return;
        }
        let names: Vec<&[u8]> = missing.iter().map(|exact| &*exact.name).collect();
        let file_name = |file| self.candidates.display_name(FileId::new(file));
        let hints =
            undefined::alike(&names, self.object_names(), &file_name, self.options.demangle);
        for (exact, hint) in missing.into_iter().zip(hints) {
            let report = VersionUndefined {
                place: format!("{}:{}", exact.origin, exact.line),
                version: script.describe(exact.assignment),
                name: String::from_utf8_lossy(&exact.name).into_owned(),
                hint,
            };
            self.diag.error((0, u64::from(exact.line)), report.render());
        }
    }

    /// Drops exact names that are defined after all: a symbol may get its version by its mangled
    /// name, so that its pattern in `extern "C++"` is not used.
    fn drop_defined_cxx(&self, missing: &mut Vec<&ExactName>) {
        if !missing.iter().any(|exact| exact.cxx) {
            return;
        }
        let globals = self.definitions.globals.with_ids();
        let defined: UnorderedSet<String> = globals
            .filter(|(_, global)| global.has(attr::DEFINED))
            .filter_map(|(name, _)| demangle_cxx(self.name(name)))
            .collect();
        let is_defined =
            |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| defined.contains(name));
        missing.retain(|exact| !exact.cxx || !is_defined(&exact.name));
    }

    /// Reports an expression of the command line or of a script that has no value.
    pub fn bad_expression(&self, expr: &Expr, error: &Error) {
        // Several symbols may be undefined; the one that the evaluation asked for is told.
        let is_missing = |name: &&[u8]| {
            let spelled = String::from_utf8_lossy(name);
            error.0.contains(&format!("undefined symbol: {spelled},"))
        };
        let hint = expr.symbols().find(is_missing).map(|name| self.meant(name));
        let text = format!("{}{}", error.0, hint.unwrap_or_default());
        self.diag.error((u64::MAX, u64::from(expr.line())), text);
    }

    /// Names that objects define, for spelling hints; files are those of the candidates.
    fn defined_names(&self) -> impl Iterator<Item = DefinedName<'static>> + '_ {
        self.object_names().chain(self.library_names()).chain(self.member_names())
    }

    fn object_names(&self) -> impl Iterator<Item = DefinedName<'static>> + '_ {
        self.objects.iter().flat_map(|object| {
            let first = object.first_global;
            let file = object.file.map_or(0, |file| file.number());
            object.mapped.symbols.ids().filter_map(move |index| {
                let name = object.symbol_name(index);
                if object.mapped.symbols[index].st_shndx() == 0 || name.is_empty() {
                    return None;
                }
                let reach = if index < first { Reach::Local } else { Reach::Global };
                Some(DefinedName { name, version: b"", in_library: false, file, reach })
            })
        })
    }

    /// What shared libraries export, and their local symbols if these were not stripped.
    fn library_names(&self) -> impl Iterator<Item = DefinedName<'static>> + '_ {
        self.candidates.shared.iter().flat_map(|shared| {
            let file = shared.file.map_or(0, |file| file.number());
            let export = move |index: SymbolId| {
                let version = shared.version_name(index).unwrap_or_default();
                let is_old = shared.version(index) & VERSYM_HIDDEN != 0;
                let reach = if is_old { Reach::OldVersion } else { Reach::Global };
                let name = shared.symbol_name(index);
                DefinedName { name, version, in_library: true, file, reach }
            };
            let exports =
                shared.symbols.ids().skip(1).filter(|&index| shared.is_export(index)).map(export);
            let own = ObjectView::parse(shared.data).map(|view| view.local_names());
            let hidden = own.into_iter().flatten().map(move |name| DefinedName {
                name,
                version: b"",
                in_library: true,
                file,
                reach: Reach::Hidden,
            });
            exports.chain(hidden)
        })
    }

    /// What archive members define that were not taken.
    fn member_names(&self) -> impl Iterator<Item = DefinedName<'static>> + '_ {
        self.candidates.archives.iter().flat_map(|archive| {
            archive.index.iter().filter_map(move |entry| {
                let start = entry.offset as usize;
                let name = archive.data.get(start..start + entry.len as usize)?;
                let file = (archive.first_file + entry.member).number();
                let reach = Reach::Global;
                Some(DefinedName { name, version: b"", in_library: true, file, reach })
            })
        })
    }

    /// `--require-defined`: reports names without definition. `is_assigned` says whether an option
    /// or a script defines a name that `Definitions` does not.
    pub fn required(&self, is_assigned: impl Fn(&[u8]) -> bool) {
        for (at, name) in (0..).zip(&self.options.require_defined) {
            let Some(id) = self.extraction.own_name(name.as_bytes()) else { continue };
            if !self.definitions.globals[id].has(attr::DEFINED | attr::SHARED)
                && !is_assigned(name.as_bytes())
            {
                let hint = self.meant(name.as_bytes());
                let name = self.printed(name.as_bytes());
                let text =
                    format!("undefined symbol: {name}\n>>> required by --require-defined{hint}");
                match self.options.noinhibit_exec {
                    true => self.diag.warn(MessageKind::UndefinedByOption.key(at), text),
                    false => self.diag.error(MessageKind::UndefinedByOption.key(at), text),
                }
            }
        }
    }
}

/// The spelling in the object that `--wrap=f` turned into `name`: `f` for `__wrap_f`, and
/// `__real_f` for `f`.
fn written(name: &'static [u8], wraps: &UnorderedSet<&[u8]>) -> Cow<'static, [u8]> {
    match name.strip_prefix(b"__wrap_").filter(|plain| wraps.contains(*plain)) {
        Some(plain) => Cow::Borrowed(plain),
        None if wraps.contains(name) => Cow::Owned([b"__real_", name].concat()),
        None => Cow::Borrowed(name),
    }
}
