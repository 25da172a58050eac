//! Output sections that GNU ld's own script has and for which the default layout has no statement:
//! here `*` takes them. Scripts may `INSERT` at such a section whatever the inputs contain (`ld
//! --verbose`). Then it gets a statement of its own at its place in GNU ld's script.

use super::default_layout::LayoutOptions;
use super::statements::{
    BodyStatement, FilePattern, InputStatement, OTHER_TURN, OutputStatement, Place, SectionPattern,
    Sort, Statement,
};
use crate::machine::RelocKind;
use std::borrow::Cow;
use std::sync::Arc;

/// The side of a default section on which the others stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// Sections that stand next to one of the default layout, in order.
struct Run(Side, &'static str, &'static [&'static str]);

use Side::{Before, Behind};

/// A relocation section for each section.
pub(super) const RELOCATIONS_APART: &[&str] = &[
    ".rela.init",
    ".rela.text",
    ".rela.fini",
    ".rela.rodata",
    ".rela.data.rel.ro",
    ".rela.data",
    ".rela.tdata",
    ".rela.tbss",
    ".rela.ctors",
    ".rela.dtors",
    ".rela.got",
    ".rela.bss",
    ".rela.ldata",
    ".rela.lbss",
    ".rela.lrodata",
    ".rela.ifunc",
];

const RUNS: &[Run] = &[
    // A relocation section for each section: with `-z nocombreloc`.
    Run(Behind, ".rela.dyn", RELOCATIONS_APART),
    Run(Behind, ".plt.got", &[".plt.sec"]),
    Run(Behind, ".rodata", &[".rodata1"]),
    Run(Before, ".gcc_except_table", &[".sframe"]),
    Run(Behind, ".gcc_except_table", &[".gnu_extab", ".exception_ranges"]),
    // For a layout without RELRO, which has no place for `.dynamic`.
    Run(Before, ".got", &[".dynamic"]),
    Run(Behind, ".data", &[".data1"]),
    Run(
        Before,
        ".comment",
        &[".stab", ".stabstr", ".stab.excl", ".stab.exclstr", ".stab.index", ".stab.indexstr"],
    ),
    Run(Behind, ".comment", &[".gnu.build.attributes"]),
    Run(
        Before,
        ".debug_info",
        &[".debug", ".line", ".debug_srcinfo", ".debug_sfnames", ".debug_pubnames"],
    ),
    Run(
        Behind,
        ".debug_gdb_scripts",
        &[
            ".debug_macinfo",
            ".debug_weaknames",
            ".debug_funcnames",
            ".debug_typenames",
            ".debug_varnames",
            ".debug_pubtypes",
            ".debug_macro",
            ".debug_sup",
            ".gnu.attributes",
        ],
    ),
];

/// Adds the section `name` to the default layout, at its place in GNU ld's script, if the layout
/// does not have it.
pub(super) fn add(statements: &mut Vec<Statement>, name: &[u8], options: &LayoutOptions) {
    let kind = options.reloc_kind;
    let is_table = name.starts_with(&kind.name_of(b"."));
    let is_missing = is_table && !options.has_relocations_apart;
    if is_missing || position(statements, false, name).is_some() {
        return;
    }
    let Some((Run(side, beside, run), number)) = find(kind, name) else { return };
    let beside = kind.renamed(beside.as_bytes());
    let Some(at) = position(statements, *side == Behind, &beside) else {
        return;
    };
    let Statement::Output(model) = &statements[at] else { return };
    let place = model.place.clone();
    let inputs = inputs(kind.renamed(run[number].as_bytes()), place.clone());
    let own = OutputStatement {
        zone: model.zone,
        only_if: model.only_if,
        body: vec![BodyStatement::Inputs(Box::new(inputs))],
        ..OutputStatement::new(name.to_vec(), place)
    };
    // Sections of the run that are in the layout already stand between.
    let is_of_run = |statement: Option<&Statement>, names: &[&str]| match statement {
        Some(Statement::Output(own)) => {
            names.iter().any(|name| own.name == *kind.renamed(name.as_bytes()))
        }
        _ => false,
    };
    let mut at = at + usize::from(*side == Behind);
    match side {
        Behind => {
            while is_of_run(statements.get(at), &run[..number]) {
                at += 1;
            }
        }
        Before => {
            while at > 0 && is_of_run(statements.get(at - 1), &run[number..]) {
                at -= 1;
            }
        }
    }
    statements.insert(at, Statement::Output(Arc::new(own)));
}

/// The run that contains the section, and the section's position in the run.
fn find(kind: RelocKind, name: &[u8]) -> Option<(&'static Run, usize)> {
    RUNS.iter().find_map(|run| {
        let number = run.2.iter().position(|own| *kind.renamed(own.as_bytes()) == *name)?;
        Some((run, number))
    })
}

/// The first or last output section of this name.
fn position(statements: &[Statement], is_last: bool, name: &[u8]) -> Option<usize> {
    let is_it =
        |statement: &Statement| matches!(statement, Statement::Output(own) if own.name == name);
    if is_last { statements.iter().rposition(is_it) } else { statements.iter().position(is_it) }
}

/// All input sections with this name.
pub(super) fn inputs(name: Cow<'static, [u8]>, place: Place) -> InputStatement {
    let section = SectionPattern {
        name,
        excluded: Vec::new(),
        sort: [Sort::Default, Sort::Default],
        is_reversed: false,
    };
    InputStatement {
        place,
        file: FilePattern { name: Cow::Borrowed(b"*"), ..FilePattern::default() },
        keep: false,
        sections: vec![section],
        with_flags: 0,
        without_flags: 0,
        turn: OTHER_TURN,
        class: None,
    }
}
