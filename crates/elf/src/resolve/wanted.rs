//! Collects, before files are read, the names and rules that options and scripts ask for.

use crate::args::assignments::Assignment;
use crate::args::section_order::SectionOrder;
use crate::args::version_script::VersionScript;
use crate::args::{Options, OutputKind, Strip, assignments};
use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::ReadRules;
use crate::resolve::extract::Extraction;
use crate::resolve::names::own_names::AskedNames;
use crate::resolve::names::references::ref_flags;
use crate::resolve::outputs::scripted;
use crate::script::default_layout::LayoutOptions;
use crate::script::layout_script;
use crate::script::statements::Statement;
use crate::script::text_script::Command;
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use std::borrow::Cow;

/// Assignments of `--defsym` and of scripts, in order. With `--wrap` a name in an expression is
/// redirected as a reference of an object is.
pub fn all_assignments(options: &Options, candidates: &Candidates, diag: &Diag) -> Vec<Assignment> {
    let mut all: Vec<Assignment> = Vec::new();
    let script = scripted::script(options, candidates, diag);
    if let Some(script) = script.filter(|script| script.evaluates) {
        all.extend(script.standing_assignments().map(|(output, assign)| Assignment {
            name: assign.name.clone(),
            expr: assign.expr.clone(),
            provide: assign.provide,
            hidden: assign.hidden,
            is_certain: output.is_none_or(|o| o.constraint.is_none() && !o.discards()),
            is_late: false,
            option_before: None,
        }));
        if !options.wrap.is_empty() {
            wrap(&mut all, options);
        }
        note_late(&mut all, options, candidates);
        return all;
    }
    // Without output sections only assignments change the location counter (GNU ld). An assignment
    // that is not computed from numbers alone gives the counter no value here.
    let mut counter = Some(0);
    for command in candidates.commands() {
        if let Command::Assign { name, expr, provide, hidden } = command {
            let expr = match counter {
                Some(counter) => expr.clone().with_counter(counter),
                None => expr.clone(),
            };
            if name == b"." {
                counter = expr.constant();
                continue;
            }
            all.push(Assignment {
                name: name.clone(),
                expr,
                provide: *provide,
                hidden: *hidden,
                is_certain: true,
                is_late: false,
                option_before: None,
            });
        }
    }
    if !options.wrap.is_empty() {
        wrap(&mut all, options);
    }
    note_late(&mut all, options, candidates);
    all
}

/// Marks assignments that come too late for what asks for their names, each `PROVIDE` that
/// something before it asks for, and the positions of options. An option stands behind all objects.
fn note_late(all: &mut [Assignment], options: &Options, candidates: &Candidates) {
    let mut asked: UnorderedSet<Vec<u8>> = UnorderedSet::new();
    asked.extend(roots(options, candidates).into_iter().map(Cow::into_owned));
    let commands = candidates.commands().zip(&candidates.command_places);
    let mut places = commands.filter_map(|(command, &place)| {
        let is_of_option = matches!(command, Command::Assign { expr, .. } if expr.is_of_option());
        is_of_option.then_some(place)
    });
    let (mut early, mut assigned) = (UnorderedSet::new(), UnorderedSet::new());
    for assignment in all.iter_mut() {
        let Assignment { name, expr, .. } = assignment;
        assignment.is_late = asked.contains(name) && !assigned.contains(name);
        assignment.option_before = if expr.is_of_option() { places.next() } else { None };
        if assignment.provide {
            continue;
        }
        let is_asked = |text: &&[u8]| *text != &name[..] && !assigned.contains(*text);
        asked.extend(expr.symbols().filter(is_asked).map(<[u8]>::to_vec));
        let is_known = |text: &[u8]| expr.is_of_option() || early.contains(text);
        if expr.is_found_early(false, &is_known, &is_known) {
            early.insert(name.clone());
        }
        assigned.insert(name.clone());
    }
    for assignment in all.iter_mut().filter(|a| !a.provide) {
        assignment.is_late &= !early.contains(&assignment.name);
    }
}

/// The names that options and `EXTERN` ask for.
fn roots<'a>(options: &'a Options, candidates: &Candidates) -> Vec<Cow<'a, [u8]>> {
    let bytes = |name: &'a String| Cow::Borrowed(name.as_bytes());
    let mut roots: Vec<Cow<'a, [u8]>> = options.undefined.iter().map(bytes).collect();
    roots.extend(options.require_defined.iter().map(bytes));
    roots.extend(entry_name(options, candidates).map(Cow::Owned));
    for command in candidates.commands() {
        if let Command::Extern(names) = command {
            roots.extend(names.iter().cloned().map(Cow::Owned));
        }
    }
    roots
}

/// Applies `--wrap=f` to expressions as to objects: `f` becomes `__wrap_f`, and `__real_f` becomes
/// `f`. Names that are assigned are definitions, and stay.
fn wrap(all: &mut [Assignment], options: &Options) {
    let wraps: UnorderedSet<&[u8]> = options.wrap.iter().map(String::as_bytes).collect();
    for assignment in all {
        assignment.expr.rename(|name| match name.strip_prefix(b"__real_") {
            _ if wraps.contains(name) => Some([b"__wrap_", name].concat()),
            Some(plain) if wraps.contains(plain) => Some(plain.to_vec()),
            _ => None,
        });
    }
}

/// `--version-script` and `VERSION` commands of scripts, as one script.
pub fn version_script(options: &Options, candidates: &Candidates, diag: &Diag) -> VersionScript {
    let extra = candidates
        .commands()
        .filter_map(|command| match command {
            Command::Version(script) => Some((**script).clone()),
            _ => None,
        })
        .collect();
    assignments::version_script(options, extra, diag)
}

/// `--version-exports-section`: adds the names that `.exports` sections of objects list,
/// NUL-terminated patterns, to `script` as one more version; all other names then become local, as
/// with GNU ld.
pub fn with_exports_sections(
    script: VersionScript,
    options: &Options,
    candidates: &Candidates,
    objects: &Objects,
    diag: &Diag,
) -> VersionScript {
    let Some(version) = &options.version_exports_section else { return script };
    let mut text = format!("{version} {{ global: ").into_bytes();
    for object in objects {
        for shndx in 1..object.mapped.shdrs.len() as u32 {
            if object.section_name(shndx) != b".exports" {
                continue;
            }
            let patterns = object.raw_bytes(shndx).split(|&byte| byte == 0);
            for pattern in patterns.filter(|pattern| !pattern.is_empty()) {
                let is_word = |&byte: &u8| byte.is_ascii_graphic() && !b"{};\"".contains(&byte);
                if pattern.iter().all(is_word) {
                    text.extend(pattern);
                    text.extend(b"; ");
                } else {
                    let file = object.file.map(|f| candidates.display_name(f));
                    let file = file.unwrap_or_default();
                    let pattern = String::from_utf8_lossy(pattern);
                    let text = format!("{file}: .exports: '{pattern}' is no symbol's name");
                    diag.error((0, u64::from(shndx)), text);
                }
            }
        }
    }
    text.extend(b"local: *; };");
    let own = VersionScript::parse("--version-exports-section", &text);
    let joined = own.and_then(|own| {
        if script.is_empty() { Ok(own) } else { VersionScript::join(vec![script, own]) }
    });
    joined.unwrap_or_else(|error| {
        diag.error(WHOLE_LINK, error.0);
        VersionScript::default()
    })
}

/// The names that are interned before files are read.
pub struct WantedNames<'a> {
    roots: Vec<Cow<'a, [u8]>>,
    known: Vec<Cow<'a, [u8]>>,
    assigned: Vec<&'a [u8]>,
    mentioned: Vec<Vec<u8>>,
}

/// The entry point's name, if there is to be one.
pub fn entry_name(options: &Options, candidates: &Candidates) -> Option<Vec<u8>> {
    named_entry(options, candidates).or_else(|| {
        matches!(options.kind, OutputKind::Executable | OutputKind::PieExecutable)
            .then(|| options.machine.entry.into())
    })
}

/// Whether `-e` or `ENTRY` names the entry point.
pub fn entry_is_named(options: &Options, candidates: &Candidates) -> bool {
    named_entry(options, candidates).is_some()
}

/// The name that `-e`, or else the last `ENTRY`, gives the entry point.
fn named_entry(options: &Options, candidates: &Candidates) -> Option<Vec<u8>> {
    if let Some(entry) = &options.entry {
        return Some(entry.clone().into_bytes());
    }
    candidates.commands().rev().find_map(|command| match command {
        Command::Entry(name) => Some(name.clone()),
        Command::Sections(statements) => statements.iter().rev().find_map(|s| match s {
            Statement::Entry(name) => Some(name.clone()),
            _ => None,
        }),
        _ => None,
    })
}

impl<'a> WantedNames<'a> {
    /// Collects the names from options and scripts; `own` are the names that the linker may define.
    pub fn new(
        options: &'a Options,
        assigned: &'a [Assignment],
        candidates: &Candidates,
        own: Vec<Vec<u8>>,
    ) -> WantedNames<'a> {
        let bytes = |name: &'a String| Cow::Borrowed(name.as_bytes());
        let mut roots = roots(options, candidates);
        for assignment in assigned.iter().filter(|a| !a.provide) {
            // An assignment under `if !DEFINED` does not refer to its own symbol.
            let is_asked = |name: &&[u8]| {
                *name != &*assignment.name || !assignment.expr.asks_whether_defined(name)
            };
            roots.extend(assignment.expr.symbols().filter(is_asked).map(Cow::Borrowed));
        }
        let commands = candidates.commands();
        let mentioned = commands.flat_map(layout_script::expressions_of).flat_map(Expr::symbols);
        let mut known: Vec<Cow<'a, [u8]>> = own.into_iter().map(Cow::Owned).collect();
        let late: UnorderedSet<&[u8]> =
            assigned.iter().filter(|a| a.is_late && !a.provide).map(|a| &*a.name).collect();
        let is_final = |a: &&Assignment| {
            !a.provide
                && !late.contains(&*a.name)
                && (!a.expr.mentions(&a.name) || a.expr.asks_whether_defined(&a.name))
        };
        let defined = assigned.iter().filter(is_final).map(|a| &*a.name).collect();
        known.extend(assigned.iter().map(|a| Cow::Borrowed(&*a.name)));
        let provided = assigned.iter().filter(|a| a.provide);
        known.extend(provided.flat_map(|a| a.expr.symbols()).map(Cow::Borrowed));
        let order = options.arrangement.section_order.iter();
        let ordered = order.flat_map(SectionOrder::symbols);
        known.extend(ordered.map(|name| Cow::Borrowed(name.as_bytes())));
        known.extend([&options.init, &options.fini].map(bytes));
        // A library may have an entry point too, but does not need it to be defined.
        known.push(Cow::Borrowed(options.machine.entry.as_bytes()));
        known.extend(options.keep_unique.iter().map(bytes));
        WantedNames {
            roots,
            known,
            assigned: defined,
            mentioned: mentioned.map(<[u8]>::to_vec).collect(),
        }
    }

    /// Borrows the names for extraction.
    pub fn as_wanted(&'a self, options: &'a Options) -> AskedNames<'a> {
        AskedNames {
            roots: &self.roots,
            known: &self.known,
            assigned: &self.assigned,
            mentioned: &self.mentioned,
            wrapped: &options.wrap,
            register_symbols: options.machine.register_symbols,
        }
    }
}

/// The options that matter when objects are read.
pub fn read_rules(options: &Options) -> ReadRules<'_> {
    ReadRules {
        machine: options.machine,
        machine_from: options.machine_from.file(),
        discard: &options.arrangement.discard_sections,
        strip_debug: matches!(options.strip, Strip::Debug | Strip::All),
        only_lines: options.strip == Strip::NonLine,
        kept_prefixes: LayoutOptions::new(options).kept_prefixes,
        names: None,
        relocatable: options.kind == OutputKind::Relocatable,
        keep_warnings: matches!(options.kind, OutputKind::Relocatable | OutputKind::Shared),
        no_merge: !options.string_merge.unwrap_or(options.optimize != 0),
        keep_ctors: options.arrangement.keep_ctors,
    }
}

/// `--exclude-libs`: names that these archives define are not exported.
pub fn note_excluded_libraries(
    options: &Options,
    candidates: &Candidates,
    extraction: &Extraction,
    objects: &Objects,
) {
    if options.exclude_libs.is_empty() {
        return;
    }
    let mut libraries = UnorderedSet::new();
    for name in &options.exclude_libs {
        libraries.insert(name.as_bytes());
    }
    // An archive is listed by its file name, with or without suffix, as for GNU ld.
    let is_listed = |name: &[u8]| {
        libraries.contains(name)
            || name.strip_suffix(b".a").is_some_and(|stem| libraries.contains(stem))
    };
    let all = libraries.contains(&b"ALL"[..]);
    for object in objects {
        let Some(file) = object.file.filter(|&f| candidates.is_member(f)) else { continue };
        let name = candidates.path(file).file_name().unwrap_or_default();
        if !all && !is_listed(name.as_encoded_bytes()) {
            continue;
        }
        let _first = object.first_global;
        for (symbol, &name) in
            object.mapped.symbols[object.global_ids()].iter().zip(&object.globals)
        {
            if symbol.st_shndx() != object::elf::SHN_UNDEF {
                extraction.refs.get(name).add(ref_flags::EXCLUDED);
            }
        }
    }
}
