//! Undefined symbols of objects, options and shared libraries: from ids to messages.

use super::known_names;
use crate::args::Unresolved;
use crate::diagnose::handling_script::{self, Missing};
use crate::diagnose::messages::Visibility;
use crate::diagnose::order::MessageKind;
use crate::diagnose::undefined::{self, Referrer, UndefinedSymbol};
use crate::read::FileId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use skald_core::diag::Error;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use std::borrow::Cow;

/// Reports undefined names. A name that must be defined in this output is an error whatever options
/// say about undefined symbols, as with GNU ld and lld.
pub fn report(tables: &Tables<'_>, live: &Liveness, names: Vec<NameId>) {
    let is_own = |name: &NameId| {
        let global = tables.definitions.globals[*name];
        global.has(attr::OWN)
    };
    let warns = tables.options.unresolved == Unresolved::Warn;
    let (warned, refused) = names.into_iter().partition(|name| warns && !is_own(name));
    list(tables, live, warned, true);
    list(tables, live, refused, tables.options.noinhibit_exec);
}

fn list(tables: &Tables<'_>, live: &Liveness, names: Vec<NameId>, warn: bool) {
    if names.is_empty() {
        return;
    }
    // One more than the limit is looked up, to know whether there are more. Warnings have no limit.
    let limit = match tables.options.error_limit {
        limit if limit != 0 && !warn => limit + 1,
        _ => usize::MAX,
    };
    let wraps: UnorderedSet<&[u8]> = tables.options.wrap.iter().map(String::as_bytes).collect();
    let mut symbols: Vec<UndefinedSymbol<'_>> = names
        .iter()
        .take(limit)
        .map(|&name| UndefinedSymbol {
            written: written(tables.name(name), &wraps),
            ..UndefinedSymbol::new(tables.name(name), visibility(tables, name))
        })
        .collect();
    let wanted: UnorderedSet<NameId> = names.iter().take(limit).copied().collect();
    for (at, object) in tables.objects.with_ids() {
        if !object.globals.iter().any(|name| wanted.contains(name)) {
            continue;
        }
        let base = tables.definitions.section_base[at];
        // `.eh_frame` is not visited as a section; an undefined name in it is a personality
        // routine.
        let is_live = |shndx: u32| {
            object.record_index(shndx).is_some_and(|index| {
                let id = base + index;
                let section = &tables.definitions.sections[id];
                live.is_live(id) || section.flags.has(SectionFlags::EH_FRAME)
            })
        };
        let file_name = tables.object_name(at);
        undefined::find_sites(
            &mut symbols,
            &Referrer { file_name: &file_name, object: object.mapped.data, is_live: &is_live },
        );
    }
    let unprinted: Vec<&[u8]> = names.iter().skip(limit).map(|&name| tables.name(name)).collect();
    let texts = undefined::render(
        &symbols,
        &unprinted,
        known_names::defined_names(tables),
        &|file| tables.candidates.display_name(FileId::new(file)),
        &known_names::search_path(tables),
        tables.options.demangle,
    );
    if let Some(script) = &tables.options.reports.error_handling_script
        && !warn
    {
        for (at, &name) in (0..).zip(names.iter().take(limit.saturating_sub(1))) {
            if let Some(text) = handling_script::run(script, Missing::Symbol(tables.name(name))) {
                tables.diag.error(MessageKind::Undefined.key(at), text);
            }
        }
    }
    for (at, text) in (0..).zip(texts) {
        if warn {
            tables.diag.warn(MessageKind::Undefined.key(at), text)
        } else {
            tables.diag.error(MessageKind::Undefined.key(at), text)
        }
    }
}

/// The strictest visibility (gABI, `st_other`) that a reference to the name asks for.
fn visibility(tables: &Tables<'_>, name: NameId) -> Visibility {
    let flags = tables.extraction.refs.get(name).flags();
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

/// Reports an expression of the command line or of a script that has no value.
pub fn bad_expression(tables: &Tables<'_>, expr: &Expr, error: &Error) {
    // Several symbols may be undefined; the one whose value the evaluation needed is reported.
    let is_missing = |name: &&[u8]| {
        let spelled = String::from_utf8_lossy(name);
        error.0.contains(&format!("undefined symbol: {spelled},"))
    };
    let hint = expr.symbols().find(is_missing).map(|name| known_names::meant(tables, name));
    let text = format!("{}{}", error.0, hint.unwrap_or_default());
    tables.diag.error((u64::MAX, u64::from(expr.line())), text);
}

/// `--require-defined`: reports undefined names. `is_assigned` says whether an option or a script
/// defines a name that is not in `Definitions`.
pub fn required(tables: &Tables<'_>, is_assigned: impl Fn(&[u8]) -> bool) {
    for (at, name) in (0..).zip(&tables.options.require_defined) {
        let Some(id) = tables.extraction.own_name(name.as_bytes()) else { continue };
        if !tables.definitions.globals[id].has(attr::DEFINED | attr::SHARED)
            && !is_assigned(name.as_bytes())
        {
            let hint = known_names::meant(tables, name.as_bytes());
            let name = tables.printed(name.as_bytes());
            let text = format!("undefined symbol: {name}\n>>> required by --require-defined{hint}");
            if tables.options.noinhibit_exec {
                tables.diag.warn(MessageKind::UndefinedByOption.key(at), text)
            } else {
                tables.diag.error(MessageKind::UndefinedByOption.key(at), text)
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
