//! From the whole command line to [`Options`]: values that depend on several words, in any order.

use skald_host::paths::{OsStrBytes, OsStringBytes};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use skald_core::diag::{Error, Result};

use super::draft::{Draft, UndefinedRules, split_paths};
use super::memory_limit;
use super::options::{
    CompressionSort, FormatChoice, InputName, MachineFrom, Options, OutputFormat, OutputKind,
    Strip, Unresolved, ZOptions,
};
use super::side_files::beside_output;
use skald_dwarf::dedup::Level;
use skald_linking::byte_order::ByteOrder;
use skald_linking::glob::Glob;

/// Looks up a variable of the environment (`LD_RUN_PATH` and the like).
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Sets options that depend on several words. Fails if options contradict each other.
pub fn settle(mut draft: Draft, environment: Environment<'_>) -> Result<(Options, Vec<String>)> {
    let kind = output_kind(&draft)?;
    let unresolved = unresolved(draft.undefined, kind);
    if !draft.rpath_given
        && let Some(list) = environment("LD_RUN_PATH")
        && let Some(list) = list.to_str()
        && !list.is_empty()
    {
        draft.rpath(list);
    }
    if !draft.demangle_given && environment("COLLECT_NO_DEMANGLE").is_some() {
        draft.options.demangle = false;
    }
    let memory_limit = draft.memory_limit.map_or_else(|| memory_limit::of(environment), Ok)?;
    let options = &mut draft.options;
    options.memory_limit = memory_limit;
    options.kind = kind;
    options.unresolved = unresolved;
    options.allow_shlib_undefined = draft.undefined.report_in_shared.map(|reported| !reported);
    options.warn_unresolved = draft.undefined.warn;
    options.ends_static = draft.position.search_static && !options.is_static;
    // RELRO needs page boundaries, which these outputs do not have.
    let paged = !options.omagic && !options.nmagic && kind != OutputKind::Relocatable;
    // With `--section-order` no page boundary is needed at the end of RELRO.
    let is_listed = options.arrangement.section_order.is_some();
    options.z.relro = draft.relro.unwrap_or(paged) && !is_listed && kind != OutputKind::Relocatable;
    // GCC passes --eh-frame-hdr with -r as well; the table would only be dead weight.
    options.eh_frame_hdr &= kind != OutputKind::Relocatable;
    name_reports(&mut draft);
    name_directories(&mut draft);
    if let Some(root) = draft.options.chroot.clone() {
        rebase(&mut draft.options, &root);
    }
    page_sizes(&draft.options.z)?;
    if draft.options.no_dynamic_linker
        && matches!(kind, OutputKind::Executable | OutputKind::PieExecutable)
        && draft.options.z.dynamic_undefined_weak == Some(true)
    {
        // In a static output nothing would look up the symbols.
        draft.options.z.dynamic_undefined_weak = None;
        draft
            .warnings
            .push("-z dynamic-undefined-weak ignored: there is no dynamic linker".to_owned());
    }
    if let Some(text) = &draft.unknown_build_id {
        draft.warnings.push(format!("{text}; there is no build id"));
    }
    if !draft.android_mode_given {
        let nothing =
            |word| format!("--android-memtag-mode is unspecified, leaving {word} a no-op");
        draft.warnings.extend(draft.android_memory.iter().map(nothing));
    }
    let from = draft.options.machine_from.clone();
    let order = match draft.options.format_choice {
        FormatChoice::Big => ByteOrder::Big,
        FormatChoice::Little => ByteOrder::Little,
        FormatChoice::Default => draft.options.machine.byte_order,
    };
    // A file that decides on the machine decides on its byte order, too.
    let is_known = from != MachineFrom::Nothing;
    let is_other = is_known && order != draft.options.machine.byte_order;
    let other = draft.options.machine.in_order(order).filter(|_| is_other);
    let lacking = draft.options.link_for(other.unwrap_or(draft.options.machine), from);
    if is_known {
        draft.warnings.extend(lacking);
    }
    check_patterns(&draft.options)?;
    check(&mut draft)?;
    Ok((draft.options, draft.warnings))
}

/// Refuses malformed patterns of symbols, sections and files.
fn check_patterns(options: &Options) -> Result<()> {
    let remapped = options.remap_inputs.iter().map(|(pattern, _)| pattern);
    let arrangement = &options.arrangement;
    let shuffled = arrangement.shuffle.iter().filter_map(|rule| rule.pattern.as_ref());
    let compressed = options.compress_sections.iter().map(|(pattern, _)| pattern);
    let cleared = options.z.dead_reloc_in_nonalloc.iter().map(|(pattern, _)| pattern);
    let rows: [(&str, Vec<&String>); 9] = [
        ("--undefined-glob", options.undefined_glob.iter().collect()),
        ("--export-dynamic-symbol", options.export_dynamic_symbols.iter().collect()),
        ("--why-live", options.reports.why_live.iter().collect()),
        ("--warn-backrefs-exclude", options.reports.warn_backrefs_exclude.iter().collect()),
        ("--remap-inputs", remapped.collect()),
        ("--unique", arrangement.unique.iter().collect()),
        ("--shuffle-sections", shuffled.collect()),
        ("--compress-sections", compressed.collect()),
        ("-z dead-reloc-in-nonalloc", cleared.collect()),
    ];
    for (option, patterns) in rows {
        if let Some(fault) = patterns.into_iter().find_map(|p| Glob::fault(p.as_bytes())) {
            return Err(Error(format!("{option}: {fault}")));
        }
    }
    Ok(())
}

fn output_kind(draft: &Draft) -> Result<OutputKind> {
    let refuse = |other| Err(Error(format!("-r and {other} may not be used together")));
    match draft {
        Draft { relocatable: true, shared: true, .. } => refuse("-shared"),
        Draft { relocatable: true, pie: true, .. } => refuse("-pie"),
        Draft { relocatable: true, .. } => Ok(OutputKind::Relocatable),
        Draft { shared: true, .. } => Ok(OutputKind::Shared),
        Draft { pie: true, .. } => Ok(OutputKind::PieExecutable),
        _ => Ok(OutputKind::Executable),
    }
}

/// Completes the directories of `-L` and `-Y`, putting them below the sysroot if they begin so.
/// Those of the machine follow: [`Options::link_for`].
fn name_directories(draft: &mut Draft) {
    let mut paths: Vec<PathBuf> = std::mem::take(&mut draft.library_paths);
    paths.extend(draft.standard_paths.iter().flat_map(|list| split_paths(list.as_os_str())));
    let options = &mut draft.options;
    let sysroot = options.sysroot.as_deref();
    options.library_paths = paths.iter().map(|path| below_sysroot(path, sysroot)).collect();
    let words = &mut options.machine_words;
    words.given_directories = paths.len();
    words.standard_directories = draft.standard_paths.is_none() && !options.only_given_directories;
}

/// Replaces `=` or `$SYSROOT` at the front by the sysroot, which is empty if there is none.
pub(super) fn below_sysroot(path: &Path, sysroot: Option<&Path>) -> PathBuf {
    let bytes = path.as_os_str().as_bytes();
    let Some(rest) = bytes.strip_prefix(b"=").or(bytes.strip_prefix(b"$SYSROOT")) else {
        return path.to_owned();
    };
    prefixed(sysroot.unwrap_or(Path::new("")), OsStr::from_bytes(rest))
}

/// `prefix` and `rest` joined, with one `/` between them if both have one.
fn prefixed(prefix: &Path, rest: &OsStr) -> PathBuf {
    let prefix = prefix.as_os_str().as_bytes();
    let rest = rest.as_bytes();
    let prefix = match rest.first() {
        Some(b'/') => prefix.strip_suffix(b"/").unwrap_or(prefix),
        _ => prefix,
    };
    PathBuf::from(OsString::from_vec([prefix, rest].concat()))
}

/// Combines the flags of GNU ld, which are separate for objects, shared libraries and warnings, to
/// one of six values.
fn unresolved(rules: UndefinedRules, kind: OutputKind) -> Unresolved {
    let UndefinedRules { report_in_objects, report_in_shared, warn } = rules;
    match (report_in_objects, report_in_shared) {
        (Some(false), Some(false)) => Unresolved::IgnoreAll,
        (Some(false), _) => Unresolved::IgnoreInObjectFiles,
        // A shared library reports nothing by default, so no error can become a warning.
        (None, _) if warn && kind != OutputKind::Shared => Unresolved::Warn,
        (None, _) => Unresolved::Default,
        (Some(true), _) if warn => Unresolved::Warn,
        (Some(true), Some(false)) => Unresolved::IgnoreInSharedLibs,
        (Some(true), _) => Unresolved::ReportAll,
    }
}

/// Completes the names of files that are derived from the output's name.
fn name_reports(draft: &mut Draft) {
    let options = &mut draft.options;
    if draft.reproduce_beside_output && options.reports.reproduce.is_none() {
        options.reports.reproduce = Some(beside_output(options, ".repro.tar"));
    }
    if draft.time_trace_beside_output {
        options.reports.time_trace = Some(beside_output(options, ".time-trace"));
    }
    options.name_debug_file();
    let is_named = |map: &PathBuf| !map.as_os_str().is_empty();
    if options.map.as_ref().is_some_and(|map| !is_named(map)) {
        let text = "no file/directory name provided for map output; ignored";
        draft.warnings.push(text.to_owned());
    }
    options.map = match options.map.take().filter(is_named) {
        Some(map) => Some(map_file(&map, &options.output)),
        None if draft.print_map => Some(PathBuf::from("-")),
        None => None,
    };
}

/// As in GNU ld: for a directory the map is `OUTPUT.map` in it; `%` alone is `OUTPUT.map`, and in a
/// longer name it is OUTPUT.
fn map_file(map: &Path, output: &Path) -> PathBuf {
    let with_suffix = |name: &OsStr| [name.as_bytes(), b".map"].concat();
    let bytes = map.as_os_str().as_bytes();
    if bytes == b"%" {
        return PathBuf::from(OsString::from_vec(with_suffix(output.as_os_str())));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == b'%') {
        let name = [&bytes[..at], output.as_os_str().as_bytes(), &bytes[at + 1..]].concat();
        return PathBuf::from(OsString::from_vec(name));
    }
    match output.file_name() {
        Some(name) if map.is_dir() => map.join(OsString::from_vec(with_suffix(name))),
        _ => map.to_owned(),
    }
}

/// `path` with `root` before it, if it is absolute.
pub(super) fn below_root(path: &Path, root: &Path) -> PathBuf {
    if path.is_absolute() { prefixed(root, path.as_os_str()) } else { path.to_owned() }
}

/// `--chroot`: puts the root before every absolute path that is read. Files that are written keep
/// their paths, as in lld: the root is typically an unpacked archive of `--reproduce`. So do
/// plugins and distributors, which are programs of this system and no inputs.
fn rebase(options: &mut Options, root: &Path) {
    let rebase = |path: &mut PathBuf| *path = below_root(path, root);
    for input in &mut options.inputs {
        if let InputName::Path(path) = &mut input.what {
            rebase(path);
        }
    }
    options.scripts.iter_mut().for_each(|script| rebase(&mut script.path));
    options.mri_scripts.iter_mut().for_each(|script| rebase(&mut script.path));
    let lists = [
        &mut options.library_paths,
        &mut options.rpath_link,
        &mut options.version_scripts,
        &mut options.remap_inputs_files,
    ];
    lists.into_iter().flatten().for_each(rebase);
    options.dynamic_lists.iter_mut().for_each(|list| rebase(&mut list.path));
    let files = [
        &mut options.sysroot,
        &mut options.default_script,
        &mut options.retain_symbols_file,
        &mut options.arrangement.symbol_ordering_file,
        &mut options.arrangement.section_ordering_file,
        &mut options.arrangement.call_graph_ordering_file,
        &mut options.arrangement.irpgo_profile,
        &mut options.reports.error_handling_script,
    ];
    files.into_iter().flatten().for_each(rebase);
}

/// Refuses a common page size that is larger than the maximal one.
fn page_sizes(z: &ZOptions) -> Result<()> {
    match (z.common_page_size, z.max_page_size) {
        (Some(common), Some(max)) if common > max => {
            Err(Error(format!("common page size ({common:#x}) > maximum page size ({max:#x})")))
        }
        _ => Ok(()),
    }
}

/// Refuses `--dedup-debug-types` where units cannot be rewritten.
fn rewritten_units(options: &Options) -> Result<()> {
    let Some(level) = options.dedup_debug_types else { return Ok(()) };
    let refused = [
        (options.kind == OutputKind::Relocatable, "-r", ""),
        (options.emit_relocs, "--emit-relocs", ""),
        // gdb 13 crashes if a unit listed in `.debug_names` refers to another unit.
        (level == Level::All && options.debug_names, "--debug-names", "=all"),
    ];
    match refused.into_iter().find(|&(is_asked, ..)| is_asked) {
        Some((_, option, all)) => {
            Err(Error(format!("{option} and --dedup-debug-types{all} may not be used together")))
        }
        None => Ok(()),
    }
}

/// Refuses options for files that are derived from the output if this kind of output has none.
fn made_of_output(options: &Options) -> Result<()> {
    let indexes = [(options.gdb_index, "--gdb-index"), (options.debug_names, "--debug-names")];
    if options.kind == OutputKind::Relocatable
        && let Some((_, option)) = indexes.into_iter().find(|(is_asked, _)| *is_asked)
    {
        return Err(Error(format!("-r and {option} may not be used together")));
    }
    rewritten_units(options)?;
    let separates = [
        (options.separate_debug_file.is_some(), "--separate-debug-file"),
        (options.only_keep_debug, "--only-keep-debug"),
    ];
    if separates.iter().all(|(is_asked, _)| *is_asked) {
        let text = "--separate-debug-file and --only-keep-debug may not be used together";
        return Err(Error(text.to_owned()));
    }
    if let Some((_, option)) = separates.into_iter().find(|(is_asked, _)| *is_asked) {
        let without = [
            (options.kind == OutputKind::Relocatable, "-r"),
            (options.output_format != OutputFormat::Elf, "--oformat"),
            (options.z.no_section_header, "-z nosectionheader"),
        ];
        if let Some((_, other)) = without.into_iter().find(|(is_asked, _)| *is_asked) {
            let text = format!("{other} and {option} may not be used together");
            return Err(Error(text));
        }
    }
    stripped(options)?;
    let files = [(&options.out_implib, "--out-implib"), (&options.dwp, "--dwp")];
    let is_relocatable = options.kind == OutputKind::Relocatable;
    match files.into_iter().find(|(file, _)| is_relocatable && file.is_some()) {
        Some((_, option)) => Err(Error(format!("-r and {option} may not be used together"))),
        None => Ok(()),
    }
}

/// Refuses options that need debug information that is stripped.
fn stripped(options: &Options) -> Result<()> {
    let option = match options.strip {
        Strip::None => return Ok(()),
        Strip::NonLine => "--strip-debug-non-line",
        Strip::Debug => "--strip-debug",
        Strip::All => "--strip-all",
    };
    if options.strip == Strip::NonLine && options.kind == OutputKind::Relocatable {
        return Err(Error(format!("-r and {option} may not be used together")));
    }
    match &options.dwp {
        // Debuggers find content in a package through the units of the program.
        Some(_) => Err(Error(format!(
            "{option} and --dwp may not be used together: debug information of the program says \
             what is in the package (--separate-debug-file puts it beside the program)"
        ))),
        None => Ok(()),
    }
}

fn check(draft: &mut Draft) -> Result<()> {
    let options = &draft.options;
    if options.kind == OutputKind::Relocatable && options.output_format != OutputFormat::Elf {
        return Err(Error("-r makes ELF files only, not what --oformat names".to_owned()));
    }
    if let Some((machine, name)) = &draft.format_of
        && (machine.e_machine, machine.class) != (options.machine.e_machine, options.machine.class)
    {
        let emulation = options.machine.emulation;
        return Err(Error(format!("--oformat={name}: is not a format of {emulation}")));
    }
    if let Some(report) = &options.reports.report {
        let extension = report.extension().and_then(OsStr::to_str);
        if !matches!(extension, Some("html" | "htm" | "json")) {
            let file = report.display();
            return Err(Error(format!("--report={file}: the name must end in .html or .json")));
        }
        if options.kind == OutputKind::Relocatable {
            return Err(Error("--report and -r may not be used together".to_owned()));
        }
    }
    made_of_output(options)?;
    if options.kind != OutputKind::Shared {
        if options.no_define_common {
            let text = "--no-define-common may not be used without -shared";
            return Err(Error(text.to_owned()));
        }
        let lists = [(&options.auxiliary, "-f, --auxiliary"), (&options.filter, "-F, --filter")];
        for (names, option) in lists {
            if let Some(name) = names.first() {
                return Err(Error(format!("{option} may not be used without -shared: {name}")));
            }
        }
    }
    let arrangement = &options.arrangement;
    let has_starts = !options.section_start.is_empty()
        || arrangement.rodata_segment.or(arrangement.ldata_segment).is_some();
    if arrangement.section_order.is_some() && has_starts {
        let text =
            "--section-order and --section-start (or -Ttext and the like) both give addresses";
        return Err(Error(text.to_owned()));
    }
    if arrangement.bp_startup_sort && arrangement.irpgo_profile.is_none() {
        return Err(Error("--bp-startup-sort=function needs --irpgo-profile".to_owned()));
    }
    if arrangement.call_graph_ordering_file.is_some() {
        let sorts = [
            (arrangement.bp_startup_sort, "--bp-startup-sort"),
            (arrangement.bp_compression_sort != CompressionSort::None, "--bp-compression-sort"),
        ];
        if let Some((_, option)) = sorts.into_iter().find(|(is_asked, _)| *is_asked) {
            let other = "--call-graph-ordering-file";
            return Err(Error(format!("{option} and {other} ask for different orders")));
        }
    }
    if let Some(base) = options.image_base
        && !base.is_multiple_of(options.max_page_size())
    {
        draft.warnings.push(format!("image base {base:#x} is not a multiple of the page size"));
    }
    Ok(())
}
