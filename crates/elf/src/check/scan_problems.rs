//! Reports relocations that scanning could not accept, and other errors in selected sections.

use super::relocations::{self, reloc_type};
use super::{discarded, library_imports, undefined};
use crate::args::OutputKind;
use crate::diagnose::location::{Place, Site, locate};
use crate::diagnose::messages::RelocationReferent;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use crate::select::scan::{Problem, RelocId, ScanOutput};
use skald_core::diag::AFTER_FILES;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use std::collections::BTreeMap;

/// Reports relocations that scanning could not accept.
pub fn report(tables: &Tables<'_>, live: &Liveness, scan: &ScanOutput) {
    let mut undefined: BTreeMap<RelocId, NameId> = BTreeMap::new();
    let mut seen = UnorderedSet::new();
    let mut discarded = Vec::new();
    let excluded = discarded::excluded_definitions(tables);
    let mut others = Vec::new();
    let ignored: UnorderedSet<&[u8]> =
        tables.options.ignore_unresolved.iter().map(String::as_bytes).collect();
    for &(place, problem) in &scan.problems {
        if problem == Problem::Discarded {
            discarded.push(place);
        } else if problem == Problem::Undefined {
            let section = &tables.definitions.sections[place.section];
            let object = &tables.objects[section.object];
            let symbol = object.reloc(section, place.index).symbol();
            let target = tables.definitions.target_of(section.object, symbol);
            let name = target.name().expect("what is undefined is a name");
            if excluded.contains_key(&name) {
                discarded.push(place);
            } else if !ignored.contains(tables.name(name)) && seen.insert(name) {
                undefined.insert(place, name);
            }
        } else {
            others.push((place, problem));
        }
    }
    let sites: Vec<Site<'_>> =
        others.iter().map(|&(place, _)| relocations::site(tables, place)).collect();
    for ((place, problem), located) in
        others.into_iter().zip(locate(&sites, tables.options.demangle))
    {
        report_problem(tables, place, problem, &located);
    }
    discarded::report(tables, discarded);
    undefined::report(tables, live, undefined.into_values().collect());
    undefined::required(tables, |_| false);
    library_imports::undefined(tables);
    library_imports::tls_mismatches(tables);
    if scan.has_text_relocations && tables.options.z.text.is_none() {
        let what = match tables.options.kind {
            OutputKind::Shared => "a shared library",
            OutputKind::PieExecutable => "a PIE",
            _ => "a program",
        };
        let text = format!(
            "creating a DT_TEXTREL in an output file: {what} whose code the loader has to \
             write; recompile with -fPIC, or pass '-z notext' to do without this warning"
        );
        tables.diag.warn(AFTER_FILES, text);
    }
}

/// In GNU ld's words.
fn allowed_text_relocation(tables: &Tables<'_>, place: RelocId, located: &Place) -> String {
    let referent = match relocations::referent(tables, place) {
        RelocationReferent::Symbol(name) => format!("symbol `{name}'"),
        RelocationReferent::Section(name) => format!("section `{name}'"),
    };
    format!("relocation against {referent} in read-only section `{}'", located.section)
}

fn report_problem(tables: &Tables<'_>, place: RelocId, problem: Problem, located: &Place) {
    let r_type = reloc_type(tables, place);
    let relocation = tables.options.machine.relocation_name(r_type);
    let at = located.location();
    let referent = relocations::referent_text(tables, place);
    let what = match problem {
        Problem::Undefined | Problem::Discarded => return,
        Problem::FixedAddress => {
            format!("relocation {relocation} cannot refer to absolute {referent}")
        }
        Problem::UnknownType => {
            // Types that only the loader applies have names; the text for an unknown type begins
            // with `unknown`.
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
            let text = format!("{at}: {}", allowed_text_relocation(tables, place, located));
            return tables.diag.warn(relocations::key(place), text);
        }
        Problem::ForeignTlsBlock => format!(
            "relocation {relocation} cannot reach {referent} in another library's TLS block"
        ),
        Problem::BadTlsSequence => format!(
            "relocation {relocation} {}",
            (tables.options.machine.required_tls_sequence)(r_type)
        ),
        Problem::ThreadSlotAddend => format!(
            "relocation {relocation} against {referent} has an addend, which an entry of the GOT \
             for a thread-local variable cannot have"
        ),
        Problem::NoCopy
        | Problem::ProtectedCopy
        | Problem::ProtectedAddress
        | Problem::EmptyCopy
        | Problem::DistanceToNothing
        | Problem::NoIfunc
        | Problem::CalledGot => no_address(problem, &relocation.to_string(), &referent),
        Problem::BadSymbol => format!(
            "relocation {relocation} has an invalid symbol index: {}",
            relocations::symbol_index(tables, place)
        ),
        Problem::BadPlace => format!("relocation {relocation} lies outside its section"),
        Problem::PlainReferenceToTls => format!(
            "relocation {relocation} against thread-local {referent}, which is declared here \
             without __thread or thread_local"
        ),
        Problem::TlsMismatch => format!(
            "thread-local relocation {relocation} against {referent}, which is not thread-local"
        ),
    };
    let context = context(tables, place, problem, located);
    tables.diag.error(relocations::key(place), format!("{at}: {what}{context}"));
}

/// The lines below the message of a problem: source line, definition, and the option or symbol that
/// would help.
fn context(tables: &Tables<'_>, place: RelocId, problem: Problem, located: &Place) -> String {
    let mut text = String::new();
    if let Some(source) = &located.source {
        text += &format!("\n>>> referenced by {source}");
    }
    let has_symbol =
        !matches!(problem, Problem::UnknownType | Problem::BadSymbol | Problem::BadPlace);
    if has_symbol && let Some(file_name) = relocations::defined_in(tables, place) {
        text += &format!("\n>>> defined in {file_name}");
    }
    if tables.options.kind == OutputKind::PieExecutable {
        text += match problem {
            // In no kind of output can a library's variable be in the program's own TLS block.
            Problem::NeedsPic
                if (tables.options.machine.is_thread_local)(reloc_type(tables, place)) =>
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

/// The message for code that needs the address of a symbol outside of the output as a link-time
/// constant.
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
        Problem::NoIfunc => format!(
            "relocation {relocation} against IFUNC {referent}, which the machine's psABI does not \
             have"
        ),
        Problem::CalledGot => format!(
            "relocation {relocation} is that of a call of {referent}, as in code for the BSS PLT; \
             recompile with -msecure-plt"
        ),
        _ => unreachable!("other problems have other causes"),
    }
}
