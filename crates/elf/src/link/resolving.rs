//! The first half of a link: files are read, taken to a fixed point, and every name gets its
//! definition.

use super::compiling::Compiling;
use super::memory;
use crate::args::assignments::Assignment;
use crate::args::{Input, Options, OutputKind, assignments};
use crate::check::{contested, transitive, undefined, undefined_versions, written_files};
use crate::loops::{self, Loops};
use crate::lto::plugins::Plugins;
use crate::read::candidates::Candidates;
use crate::read::{ObjectFile, ObjectId, Objects, dependent_libraries, open, script_options};
use crate::relocatable::{Joining, ScriptedJoin};
use crate::resolve::commons::undefined_commons;
use crate::resolve::definitions::Definitions;
use crate::resolve::dropped_libraries::{self, DroppedInput};
use crate::resolve::dynamic::{DecideInput, ExportLists, OutputShape, Versions};
use crate::resolve::extract::libraries_in_archives::LibrariesInArchives;
use crate::resolve::extract::parsing::Parsing;
use crate::resolve::extract::{Extraction, Extractor, Taken};
use crate::resolve::linker_symbols::{self, ClaimedSymbols, Claiming};
use crate::resolve::outputs::scripted::Scripted;
use crate::resolve::outputs::{output_names, scripted, zeros};
use crate::resolve::tables::Sources;
use crate::resolve::versions::{library_versions, versioned_names};
use crate::resolve::wanted::{self, WantedNames};
use crate::resolve::{definitions, dynamic, local_ifuncs, supplementary};
use crate::script::default_layout::LayoutOptions;
use crate::script::layout_script;
use crate::script::name_classes::NameClasses;
use crate::script::section_names::OutputId;
use crate::select::release;
use crate::tell::{backrefs, traces, usage_lists};
use object::elf::{SHF_ALLOC, SHF_WRITE};
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::ids::Column;
use skald_core::time::Timer;
use std::borrow::Cow;
use std::sync::Mutex;

/// The result of resolving: every name has its definition.
pub(super) struct Resolved<'a> {
    /// The options, with those that scripts add.
    pub options: Cow<'a, Options>,
    /// The machine's loops.
    pub loops: &'static Loops,
    /// All files, also those that are not linked.
    pub candidates: Candidates,
    /// The name table, and what files say of each name.
    pub extraction: Extraction,
    /// The objects that are taken, in order.
    pub objects: Column<ObjectId, ObjectFile>,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: Definitions,
    /// Output section names, by id.
    pub names: Column<OutputId, Vec<u8>>,
    /// Symbols that the linker defines, and what each stands for.
    pub claimed: ClaimedSymbols,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Versions of dynamic symbols.
    pub versions: Versions,
    /// Assignments of options and scripts, in order.
    pub assigned: Vec<Assignment>,
    /// The layout, of a script or the default one, and what its statements take.
    pub scripted: Scripted,
}

impl Resolved<'_> {
    /// The tables that messages need, without the definitions.
    pub(super) fn sources<'a>(&'a self, diag: &'a Diag) -> Sources<'a> {
        let Resolved { options, candidates, extraction, objects, .. } = self;
        Sources { options, candidates, extraction, objects, diag }
    }
}

/// The result of extraction, before definitions compete.
struct Extracted {
    candidates: Candidates,
    extraction: Extraction,
    objects: Column<ObjectId, ObjectFile>,
    assigned: Vec<Assignment>,
}

/// Opens the files of the command line and takes those that are needed, and the libraries that
/// taken files ask for.
fn extract(
    options: &Options,
    plugins: &Mutex<Plugins>,
    diag: &Diag,
    timer: &Timer,
) -> Result<Extracted, Failed> {
    // Every file is opened; archive members are known by the archive's index alone.
    let phase = timer.phase("open inputs");
    plugins.lock().expect("no task panics").start_early();
    let mut candidates = open::open_inputs(options, &options.inputs, timer, diag);
    drop(phase);
    let mut left_out = LibrariesInArchives::default();
    loop {
        let assigned = wanted::all_assignments(options, &candidates, diag);
        diag.checkpoint()?;
        let phase = timer.phase("extract");
        let compiling = Compiling { options, assigned: &assigned, plugins, timer, diag };
        let taken = take(&compiling, &mut candidates, &mut left_out)?;
        drop(phase);
        if let Some((extraction, objects)) = taken {
            return Ok(Extracted { candidates, extraction, objects, assigned });
        }
        candidates.forget_names();
    }
}

/// Extracts files until no more are wanted. Libraries that taken files ask for come behind all
/// others. Afterwards no new name appears. `None` if such libraries are scripts with commands: then
/// names that options and scripts ask for have to be gathered again.
fn take(
    compiling: &Compiling<'_, '_>,
    candidates: &mut Candidates,
    left_out: &mut LibrariesInArchives,
) -> Result<Option<Taken>, Failed> {
    let &Compiling { options, assigned, plugins, timer, diag } = compiling;
    let wanted = WantedNames::new(
        options,
        assigned,
        candidates,
        linker_symbols::known_names(options.machine),
    );
    let parsing = Parsing::new(wanted::read_rules(options), timer, diag, plugins);
    let asked = wanted.as_wanted(options);
    let mut extractor = Extractor::start(candidates, options, asked, parsing, left_out);
    loop {
        while let Some(late) = late_inputs(options, candidates, &extractor, diag) {
            let commands = candidates.script_commands.len();
            open::open_late(options, &late, candidates, timer, diag);
            diag.checkpoint()?;
            if candidates.script_commands.len() != commands {
                return Ok(None);
            }
            extractor.go_on(candidates);
        }
        diag.checkpoint()?;
        compiling.ask_for_library_calls(candidates, &mut extractor);
        if !compiling.compile(candidates, &mut extractor)? {
            return Ok(Some(extractor.finish(candidates)));
        }
    }
}

/// Libraries that taken files ask for (`.deplibs` and the like) and that are no inputs yet. With
/// `-r` there are none: the joined object asks for them when it is linked.
fn late_inputs(
    options: &Options,
    candidates: &mut Candidates,
    extractor: &Extractor<'_>,
    diag: &Diag,
) -> Option<Vec<Input>> {
    if options.kind == OutputKind::Relocatable {
        return None;
    }
    let mut late = Vec::new();
    dependent_libraries::add(&mut late, options, candidates, extractor.taken(), diag);
    transitive::copy_needed(&mut late, options, candidates, diag);
    late.retain(|input| candidates.late_inputs.insert(input.what.clone()));
    (!late.is_empty()).then_some(late)
}

/// Reads files. Returns those that are taken, and the options together with those that scripts set.
fn read<'a>(
    options: &'a Options,
    plugins: &Mutex<Plugins>,
    diag: &Diag,
    timer: &Timer,
) -> Result<(Cow<'a, Options>, Extracted), Failed> {
    let extracted = extract(options, plugins, diag, timer)?;
    // Milestone: no file joins the link any more.
    let Extracted { candidates, extraction, objects, .. } = &extracted;
    let with_scripts = script_options::with_scripts(options, candidates, diag);
    let options = written_files::check_renamed(options, &with_scripts, diag);
    written_files::refuse_inputs(options, diag);
    diag.checkpoint()?;
    if candidates.compiled.claimed.is_empty() {
        backrefs::warn(&Sources { options, candidates, extraction, objects, diag });
    }
    Ok((with_scripts, extracted))
}

/// Reads files and defines every name, for `-r`: all symbols keep their spelling, and may stay
/// undefined.
pub(super) fn join<'a>(
    options: &'a Options,
    plugins: &Mutex<Plugins>,
    diag: &Diag,
    timer: &Timer,
) -> Result<Joining<'a>, Failed> {
    let (options, extracted) = read(options, plugins, diag, timer)?;
    let Extracted { candidates, extraction, mut objects, assigned } = extracted;
    let phase = timer.phase("define");
    let handles = versioned_names::unite(&extraction, &mut objects, true);
    let rules = wanted::read_rules(&options);
    let mut definitions = definitions::define(&extraction, &mut objects, &candidates, rules, diag);
    handles.settle(&mut definitions, &objects);
    supplementary::join(&candidates, &objects, &mut definitions, Some(diag));
    let scripted = ScriptedJoin::new(&options, &candidates, &objects, &mut definitions, diag);
    diag.checkpoint()?;
    let sources = Sources {
        options: &options,
        candidates: &candidates,
        extraction: &extraction,
        objects: &objects,
        diag,
    };
    let tables = sources.with(&definitions);
    contested::check_in_part(&tables);
    undefined::required(&tables, |name| assigned.iter().any(|a| *a.name == *name));
    traces::print(&sources, &definitions);
    usage_lists::write(&sources, &definitions);
    drop(phase);
    Ok(Joining { options, candidates, extraction, objects, definitions, assigned, scripted })
}

/// Reads files and gives every name its definition.
pub(super) fn resolve<'a>(
    options: &'a Options,
    plugins: &Mutex<Plugins>,
    diag: &Diag,
    timer: &Timer,
) -> Result<Resolved<'a>, Failed> {
    let (with_scripts, extracted) = read(options, plugins, diag, timer)?;
    let options = &*with_scripts;
    let Extracted { candidates, mut extraction, mut objects, assigned } = extracted;
    let phase = timer.phase("define");
    let settling =
        Settling { options, candidates: &candidates, assigned: &assigned, is_trial: false, diag };
    let settled = settle(&settling, &mut extraction, &mut objects)?;
    let Settled { definitions, names, claimed, shape, versions, scripted } = settled;
    memory::foresee(&definitions);
    drop(phase);
    Ok(Resolved {
        loops: loops::of(options.machine),
        options: with_scripts,
        candidates,
        extraction,
        objects,
        definitions,
        names,
        claimed,
        shape,
        versions,
        assigned,
        scripted,
    })
}

/// The tables from which definitions are settled.
pub(super) struct Settling<'a> {
    /// The options, with those that scripts add.
    pub options: &'a Options,
    /// All files.
    pub candidates: &'a Candidates,
    /// Assignments of options and scripts.
    pub assigned: &'a [Assignment],
    /// Definitions are settled on trial and will be settled again with other objects: nothing is
    /// reported to the user.
    pub is_trial: bool,
    /// Receives errors.
    pub diag: &'a Diag,
}

/// The definition of every name, and what follows from it; the fields are those of [`Resolved`].
pub(super) struct Settled {
    pub definitions: Definitions,
    pub names: Column<OutputId, Vec<u8>>,
    pub claimed: ClaimedSymbols,
    pub shape: OutputShape,
    pub versions: Versions,
    pub scripted: Scripted,
}

/// Gives every name its definition.
pub(super) fn settle(
    settling: &Settling<'_>,
    extraction: &mut Extraction,
    objects: &mut Objects,
) -> Result<Settled, Failed> {
    let &Settling { options, candidates, assigned, is_trial, diag } = settling;
    let script = wanted::version_script(options, candidates, diag);
    let script = wanted::with_exports_sections(script, options, candidates, objects, diag);
    let lists = export_lists(options, diag);
    diag.checkpoint()?;

    let classes = NameClasses::new(&LayoutOptions::new(options));
    let (mut definitions, shape) = define(extraction, objects, &classes, settling)?;
    supplementary::join(candidates, objects, &mut definitions, (!is_trial).then_some(diag));
    let outputs = assign_outputs(&mut definitions, objects, candidates, classes, options, diag);
    let (names, scripted) = outputs;
    let versions = dynamic::version_names(&script, options, shape);
    let versions =
        &*linker_symbols::enter_names(&mut definitions, extraction, &names, options, versions);
    let dynamic_flags = u64::from(SHF_ALLOC | SHF_WRITE);
    let claiming = Claiming {
        outputs: &names,
        assignments: assigned,
        options,
        shape,
        versions,
        is_scripted: !scripted.script.is_automatic,
        has_dynamic: shape.is_dynamic && !scripted.discards_own(b".dynamic", dynamic_flags),
        unmade: &scripted.unmade_assignments(),
    };
    let (extraction, objects) = (&*extraction, &*objects);
    let sources = Sources { options, candidates, extraction, objects, diag };
    if !is_trial {
        // Assignments would hide which file defines a name.
        contested::check(&sources.with(&definitions))?;
    }
    let claimed = linker_symbols::claim(&mut definitions, extraction, &claiming);
    if !is_trial {
        traces::print(&sources, &definitions);
        usage_lists::write(&sources, &definitions);
    }
    let input = DecideInput {
        extraction,
        objects,
        options,
        lists: &lists,
        assigned: &claimed.versioned(extraction),
        of_versions: &claimed.versions,
        shape,
    };
    let versions = dynamic::decide(&mut definitions, &input, script, diag);
    if !is_trial {
        undefined_versions::check(&sources.with(&definitions), &versions);
    }
    Ok(Settled { definitions, names, claimed, shape, versions, scripted })
}

/// Assigns each input section to an output section: by a script, or by the class of its name.
/// Returns the names of outputs by id.
fn assign_outputs(
    definitions: &mut Definitions,
    objects: &Objects,
    candidates: &Candidates,
    classes: NameClasses,
    options: &Options,
    diag: &Diag,
) -> (Column<OutputId, Vec<u8>>, Scripted) {
    let arrangement = &options.arrangement;
    let segments = &candidates.compiled.segments;
    let (names, scripted) = match scripted::script(options, candidates, diag) {
        Some(script) => scripted::assign(script, candidates, objects, definitions, options, diag),
        None => {
            let mut names = output_names::assign(objects, definitions, arrangement);
            output_names::separate(objects, definitions, segments, &mut names);
            (names, scripted::by_default(classes))
        }
    };
    if !segments.is_empty() && !scripted.script.is_automatic {
        let text = "a plugin asks for segments of sections, which the script has the say about";
        diag.warn(WHOLE_LINK, text);
    }
    if arrangement.zero_to_bss && scripted.script.is_automatic {
        zeros::mark(objects, definitions);
    }
    (names, scripted)
}

fn export_lists(options: &Options, diag: &Diag) -> ExportLists {
    let (dynamic_list, export) = assignments::export_lists(options, diag);
    ExportLists { dynamic_list, export }
}

/// Gives every name its definition, and settles what depends on all of them together: common
/// symbols left undefined, local IFUNCs, spellings of one symbol, versions of libraries, and weak
/// references to libraries that nothing needs.
fn define(
    extraction: &mut Extraction,
    objects: &mut Objects,
    classes: &NameClasses,
    settling: &Settling<'_>,
) -> Result<(Definitions, OutputShape), Failed> {
    let &Settling { options, candidates, assigned, diag, .. } = settling;
    let handles = versioned_names::unite(extraction, objects, false);
    wanted::note_excluded_libraries(options, candidates, extraction, objects);
    let mut rules = wanted::read_rules(options);
    // A script may keep `.ctors` apart from `.init_array`; the entries of `.ctors` run from the
    // end.
    let commands = &candidates.script_commands;
    rules.keep_ctors |= layout_script::is_asked(commands) && !layout_script::is_automatic(commands);
    rules.names = Some(classes);
    let mut definitions = definitions::define(extraction, objects, candidates, rules, diag);
    diag.checkpoint()?;
    release::decoded_tables(objects, &definitions).give_back_meanwhile();
    undefined_commons::leave(&mut definitions, extraction, &candidates.shared, options);
    undefined_commons::leave_assigned(&mut definitions, extraction, assigned);
    local_ifuncs::name_all(&mut definitions, extraction, objects);
    handles.settle(&mut definitions, objects);
    library_versions::bind(&mut definitions, extraction, objects, candidates);
    let shape = OutputShape::new(options, !candidates.shared.is_empty());
    let undefined = dynamic::undefined_weak(options, shape);
    let dropped = DroppedInput { extraction, objects, shared: &candidates.shared, undefined };
    dropped_libraries::leave(&mut definitions, &dropped, |_| true);
    Ok((definitions, shape))
}
