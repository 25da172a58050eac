//! Link-time optimisation, which comes between taking files and the final definitions. Definitions
//! compete on trial, with stand-ins for the files that plugins have claimed, and plugins are told
//! which definitions prevail. What they compile joins the link in the place of the first claimed
//! file, as in GNU ld.

use super::resolving::{self, Settling};
use crate::args::assignments::Assignment;
use crate::args::{Input, InputName, Options, OutputKind};
use crate::check::duplicates;
use crate::lto::plugins::{AddedByPlugins, AddedInput, Intermediate, NamedFile, Plugins, held};
use crate::read::candidates::Candidates;
use crate::read::claimed_files::{AskedSegment, ClaimedNotes, Compiled};
use crate::read::object_file::ObjectFile;
use crate::read::{FileId, Objects, open, script_options};
use crate::resolve::definitions::{self, Definitions};
use crate::resolve::extract::{Extraction, Extractor};
use crate::resolve::names::references::ref_flags;
use crate::resolve::prevailing::{LIBRARY_CALLS, OptionNames, Trial};
use crate::resolve::tables::Sources;
use crate::resolve::versions::versioned_names;
use crate::resolve::wanted;
use crate::tell::{backrefs, claimed};
use skald_core::diag::{Diag, Failed, Style, WHOLE_LINK};
use skald_core::ids::IdRange;
use skald_core::input;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::time::Timer;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The tables of the link up to now.
pub(super) struct Compiling<'a, 'b> {
    pub options: &'a Options,
    pub assigned: &'a [Assignment],
    pub plugins: &'b Mutex<Plugins>,
    pub timer: &'a Timer,
    pub diag: &'a Diag,
}

impl Compiling<'_, '_> {
    fn plugins(&self) -> MutexGuard<'_, Plugins> {
        self.plugins.lock().expect("no task panics")
    }

    /// Takes members of intermediate code that define functions which compilers call of their own
    /// accord (`memcpy`). Once everything is compiled, such a member could not be compiled any
    /// more.
    pub(super) fn ask_for_library_calls(
        &self,
        candidates: &mut Candidates,
        extractor: &mut Extractor<'_>,
    ) {
        if self.plugins().claimed().is_empty() {
            return;
        }
        let Extraction { names, refs, .. } = extractor.extraction();
        let mut asks = false;
        for name in LIBRARY_CALLS {
            let Some(id) = names.find_text(name.as_bytes()) else { continue };
            let record = refs.get(id);
            let lazy = record.lazy().filter(|_| record.flags() & ref_flags::DEFINED_BY_ROOT == 0);
            if lazy.is_some_and(|file| self.is_intermediate(candidates, file)) {
                record.add(ref_flags::ROOT);
                asks = true;
            }
        }
        if asks {
            extractor.go_on(candidates);
        }
    }

    /// The global names of members that a call made by the compiler would take. The call comes
    /// after compilation, and these names must then mean the same as in the compiled code.
    fn names_of_called_members(
        &self,
        candidates: &Candidates,
        extraction: &Extraction,
    ) -> Vec<&'static [u8]> {
        let Extraction { names, refs, .. } = extraction;
        let rules = wanted::read_rules(self.options);
        let members: BTreeSet<FileId> = LIBRARY_CALLS
            .iter()
            .filter_map(|name| refs.get(names.find_text(name.as_bytes())?).lazy())
            .collect();
        let objects = members.into_iter().filter_map(|file| {
            let input = candidates.input(file).ok()?;
            ObjectFile::parse(input, rules).ok()
        });
        let of_object = |object: ObjectFile| {
            let globals = object.mapped.symbols.ids().skip(object.first_global.index());
            globals.map(|symbol| object.symbol_name(symbol)).collect::<Vec<_>>()
        };
        objects.flat_map(of_object).collect()
    }

    /// Whether a plugin may claim a file.
    fn is_intermediate(&self, candidates: &Candidates, file: FileId) -> bool {
        let Ok(input) = candidates.input(file) else { return false };
        let own = Intermediate::of_bytes(input.bytes);
        let rules = wanted::read_rules(self.options);
        let held = if own.llvm {
            own
        } else {
            ObjectFile::parse(input, rules).map_or(own, |object| held(&object))
        };
        held != Intermediate::default() && self.plugins().may_claim(held)
    }

    /// Names that something outside of the objects calls: compilers of their own accord, the loader
    /// by DT_INIT, DT_FINI or the entry point of a library that is also a program. Compilers drop a
    /// function that nobody else can see unless they are told of such callers.
    fn called_by_others(&self) -> impl Iterator<Item = &[u8]> {
        let is_library = self.options.kind == OutputKind::Shared;
        let entry = is_library.then_some(self.options.machine.entry);
        let arrays = [&self.options.init, &self.options.fini];
        let loader = arrays.into_iter().map(|name| name.as_bytes()).chain(entry.map(str::as_bytes));
        loader.chain(LIBRARY_CALLS.iter().map(|name| name.as_bytes()))
    }

    /// Compiles the claimed files and opens the objects that result; returns whether there are any.
    pub(super) fn compile(
        &self,
        candidates: &mut Candidates,
        extractor: &mut Extractor<'_>,
    ) -> Result<bool, Failed> {
        let claimed: UnorderedSet<FileId> = self.plugins().claimed().iter().copied().collect();
        if !self.plugins().are_open() || !self.plugins().were_offered_any() {
            return Ok(false);
        }
        let phase = self.timer.phase("resolve on trial");
        let mut objects = extractor.copied();
        let first = objects.iter().filter_map(|object| object.file).find(|f| claimed.contains(f));
        let (definitions, late) = self.settle(candidates, extractor.extraction(), &mut objects)?;
        let of_members = self.names_of_called_members(candidates, extractor.extraction());
        let mentioned: Vec<&[u8]> = self
            .assigned
            .iter()
            .flat_map(|assignment| assignment.expr.mentioned())
            .chain(self.called_by_others())
            .chain(of_members)
            .collect();
        let assigned = self.assigned_names();
        let mut plugins = self.plugins_with_code(candidates, &objects)?;
        let is_relocatable = self.options.kind == OutputKind::Relocatable;
        let names = OptionNames { mentioned: &mentioned, assigned: &assigned };
        let extraction = &*extractor.extraction();
        let trial =
            Trial::new(extraction, &objects, &definitions, &plugins, names, late, is_relocatable);
        let resolved = |&file: &FileId| Some((file, trial.of_file(file, plugins.claim_of(file)?)));
        let resolutions: Vec<_> = plugins.claimed().par_iter().filter_map(resolved).collect();
        let resolutions: UnorderedMap<FileId, Option<Vec<u8>>> = resolutions.into_iter().collect();
        let notes = self.note(candidates, extractor.extraction(), &objects, &definitions, &claimed);
        drop(phase);
        let phase = self.timer.phase("compile");
        let resolution = |file: FileId| resolutions.get(&file).cloned().flatten();
        let added = plugins.compile(&resolution, self.diag);
        drop(plugins);
        drop(phase);
        let added = added.map_err(|text| {
            self.diag.error(WHOLE_LINK, text);
            Failed
        });
        self.diag.checkpoint()?;
        if self.diag.is_done() {
            return Err(Failed);
        }
        let mut added = added?;
        let order = std::mem::take(&mut added.section_order);
        let segments = std::mem::take(&mut added.segments);
        let inputs = self.inputs(added);
        let (start, paths) = (candidates.files.end(), candidates.paths.len());
        open::open_late(self.options, &inputs, candidates, self.timer, self.diag);
        self.diag.checkpoint()?;
        self.plugins().let_go();
        // The paths of compiled files are temporary ones, not inputs that a user named.
        candidates.paths.truncate(paths);
        let compiled = inputs.iter().filter_map(|input| match &input.what {
            InputName::Path(path) => Some(&**path),
            InputName::Library(_) => None,
        });
        input::forget(&compiled.collect::<Vec<&Path>>());
        let end = candidates.files.end();
        let place = first.unwrap_or(start);
        extractor.go_on_with_compiled(candidates, &claimed, start, place);
        let place = first.map(|first| (start..end, first));
        let section_order = named_sections(order, candidates, start..end);
        let segments = named_segments(segments, candidates, start..end);
        candidates.compiled = Compiled { claimed, place, section_order, segments, notes };
        Ok(true)
    }

    /// The plugins. If a plugin has to see a file of code before it answers, the first is offered
    /// to it.
    fn plugins_with_code(
        &self,
        candidates: &Candidates,
        objects: &Objects,
    ) -> Result<MutexGuard<'_, Plugins>, Failed> {
        let mut plugins = self.plugins();
        if !plugins.miss_code() {
            return Ok(plugins);
        }
        let code = objects.iter().filter_map(|object| object.file);
        let code = code.filter(|&file| plugins.claim_of(file).is_none());
        let mut code = code.filter_map(|file| Some((file, candidates.input(file).ok()?)));
        // What is in no file cannot be offered.
        let Some((file, input)) = code.find(|(_, input)| input.file.is_some()) else {
            return Ok(plugins);
        };
        let offered = plugins.offer_code(file, input, self.diag);
        offered.map_err(|text| {
            self.diag.error(WHOLE_LINK, text);
            Failed
        })?;
        Ok(plugins)
    }

    /// The names that assignments define whatever else does.
    fn assigned_names(&self) -> Vec<&[u8]> {
        self.assigned.iter().filter(|a| !a.provide).map(|a| &a.name[..]).collect()
    }

    /// Records the claimed files for the report.
    fn note(
        &self,
        candidates: &Candidates,
        extraction: &Extraction,
        objects: &Objects,
        definitions: &Definitions,
        claimed: &UnorderedSet<FileId>,
    ) -> ClaimedNotes {
        let with_scripts = script_options::with_scripts(self.options, candidates, self.diag);
        let options = &*with_scripts;
        let sources = Sources { options, candidates, extraction, objects, diag: self.diag };
        if !claimed.is_empty() {
            // Claimed files are replaced later, and their references with them.
            backrefs::warn(&sources);
        }
        claimed::note(&sources, definitions, claimed)
    }

    /// The definitions of the link with stand-ins, and the linker's own names that are undefined
    /// until sections are known. Duplicate definitions are reported here, because compiled files
    /// replace the claimed ones that have them.
    fn settle(
        &self,
        candidates: &Candidates,
        extraction: &mut Extraction,
        objects: &mut Objects,
    ) -> Result<(Definitions, UnorderedSet<NameId>), Failed> {
        let style = Style { no_warnings: true, is_silent: true, ..Style::default() };
        let silent = Diag::new(style);
        let definitions = self.try_to_settle(candidates, extraction, objects, &silent);
        let (definitions, late) = match definitions {
            Ok(settled) => settled,
            // The second attempt reports the errors.
            Err(Failed) => self.try_to_settle(candidates, extraction, objects, self.diag)?,
        };
        let Compiling { options, diag, .. } = *self;
        let (extraction, objects) = (&*extraction, &*objects);
        let sources = Sources { options, candidates, extraction, objects, diag };
        duplicates::check(&sources.with(&definitions));
        diag.checkpoint()?;
        Ok((definitions, late))
    }

    fn try_to_settle(
        &self,
        candidates: &Candidates,
        extraction: &mut Extraction,
        objects: &mut Objects,
        diag: &Diag,
    ) -> Result<(Definitions, UnorderedSet<NameId>), Failed> {
        let with_scripts = script_options::with_scripts(self.options, candidates, diag);
        let options = &*with_scripts;
        if options.kind == OutputKind::Relocatable {
            let handles = versioned_names::unite(extraction, objects, true);
            let rules = wanted::read_rules(options);
            let mut definitions = definitions::define(extraction, objects, candidates, rules, diag);
            handles.settle(&mut definitions, objects);
            return Ok((definitions, UnorderedSet::new()));
        }
        let settling =
            Settling { options, candidates, assigned: self.assigned, is_trial: true, diag };
        let settled = resolving::settle(&settling, extraction, objects)?;
        let late = settled.claimed.defined_late(settled.shape).collect();
        Ok((settled.definitions, late))
    }

    /// The inputs that plugins have added.
    fn inputs(&self, added: AddedByPlugins) -> Vec<Input> {
        let is_static = self.options.is_static || self.options.ends_static;
        let library = |name: String| {
            let files = [format!("lib{name}.so"), format!("lib{name}.a")];
            let within = |directory: &PathBuf| files.clone().map(|file| directory.join(file));
            let mut found = added
                .library_paths
                .iter()
                .flat_map(within)
                .filter(|path| !is_static || path.extension().is_some_and(|e| e == "a"));
            match found.find(|path| path.is_file()) {
                Some(path) => InputName::Path(path),
                None => InputName::Library(name),
            }
        };
        let input = |added: AddedInput| {
            let (what, as_needed) = match added {
                AddedInput::File(path) => (InputName::Path(path), false),
                // With -r the final link searches them.
                AddedInput::Library(_) if self.options.kind == OutputKind::Relocatable => {
                    return None;
                }
                // They are wanted for the calls that compilers make; most are inputs already.
                AddedInput::Library(name) => (library(name), true),
            };
            Some(Input { as_needed, ..Input::unnamed(what, is_static) })
        };
        added.inputs.into_iter().filter_map(input).collect()
    }
}

/// The files of the sections that plugins name. Files that plugins have added are `added`.
fn named_sections(
    sections: Vec<(NamedFile, u32)>,
    candidates: &Candidates,
    added: Range<FileId>,
) -> Vec<(FileId, u32)> {
    let of_path: UnorderedMap<&Path, FileId> = if sections.is_empty() {
        UnorderedMap::new()
    } else {
        added.ids().map(|file| (candidates.path(file), file)).collect()
    };
    let named = |(file, section): (NamedFile, u32)| match file {
        NamedFile::Offered(file) => Some((file, section)),
        NamedFile::Added(path) => Some((*of_path.get(&*path)?, section)),
    };
    sections.into_iter().filter_map(named).collect()
}

/// The segments that plugins ask for.
fn named_segments(
    segments: Vec<(AskedSegment, Vec<(NamedFile, u32)>)>,
    candidates: &Candidates,
    added: Range<FileId>,
) -> Vec<AskedSegment> {
    let named = |(segment, sections)| {
        let sections = named_sections(sections, candidates, added.clone());
        AskedSegment { sections, ..segment }
    };
    segments.into_iter().map(named).collect()
}
