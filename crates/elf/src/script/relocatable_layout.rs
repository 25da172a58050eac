//! The layout of `-r` that a script inserts into: as in GNU ld's own script for it, an output
//! section takes exactly the inputs of its name and begins at 0, and all other inputs keep their
//! names.
//!
//! Without a script `-r` needs no statements: sections of one name, type and flags are joined.

use super::further_sections::{RELOCATIONS_APART, inputs};
use super::statements::{BodyStatement, Constraint, OutputStatement, Place, Statement};
use skald_linking::expr::Expr;
use std::sync::Arc;

use Constraint::{OnlyIfReadOnly, OnlyIfWritable};

/// Names of output sections in order, with the constraint on inputs for the place.
const RUNS: &[(Option<Constraint>, &[&str])] = &[
    (
        None,
        &[
            ".interp",
            ".note.gnu.build-id",
            ".hash",
            ".gnu.hash",
            ".dynsym",
            ".dynstr",
            ".gnu.version",
            ".gnu.version_d",
            ".gnu.version_r",
        ],
    ),
    (None, RELOCATIONS_APART),
    (
        None,
        &[
            ".rela.dyn",
            ".rela.plt",
            ".relr.dyn",
            ".init",
            ".plt",
            ".plt.got",
            ".plt.sec",
            ".text",
            ".fini",
            ".rodata",
            ".rodata1",
            ".eh_frame_hdr",
        ],
    ),
    (
        Some(OnlyIfReadOnly),
        &[".eh_frame", ".sframe", ".gcc_except_table", ".gnu_extab", ".exception_ranges"],
    ),
    (
        Some(OnlyIfWritable),
        &[".eh_frame", ".sframe", ".gnu_extab", ".gcc_except_table", ".exception_ranges"],
    ),
    (
        None,
        &[
            ".tdata",
            ".tbss",
            // In GNU ld's script `*` takes these sections; lld can insert at them.
            ".preinit_array",
            ".init_array",
            ".fini_array",
            ".ctors",
            ".dtors",
            ".data.rel.ro",
            ".jcr",
            ".dynamic",
            ".got",
            ".got.plt",
            ".data",
            ".data1",
            ".bss",
            ".lbss",
            ".lrodata",
            ".ldata",
            ".stab",
            ".stabstr",
            ".stab.excl",
            ".stab.exclstr",
            ".stab.index",
            ".stab.indexstr",
            ".comment",
            ".gnu.build.attributes",
            ".debug",
            ".line",
            ".debug_srcinfo",
            ".debug_sfnames",
            ".debug_aranges",
            ".debug_pubnames",
            ".debug_info",
            ".debug_abbrev",
            ".debug_line",
            ".debug_frame",
            ".debug_str",
            ".debug_loc",
            ".debug_macinfo",
            ".debug_weaknames",
            ".debug_funcnames",
            ".debug_typenames",
            ".debug_varnames",
            ".debug_pubtypes",
            ".debug_ranges",
            ".debug_addr",
            ".debug_line_str",
            ".debug_loclists",
            ".debug_macro",
            ".debug_names",
            ".debug_rnglists",
            ".debug_str_offsets",
            ".debug_sup",
            ".gnu.attributes",
        ],
    ),
];

/// The statements of the layout.
pub(super) fn statements() -> Vec<Statement> {
    let place = Place { script: Arc::from("layout of -r"), line: 0 };
    let of_run = |&(constraint, names): &(Option<Constraint>, &'static [&'static str])| {
        let place = &place;
        names.iter().map(move |name| {
            Statement::Output(Arc::new(OutputStatement {
                address: Some(Expr::number(0)),
                constraint,
                body: vec![BodyStatement::Inputs(Box::new(inputs(
                    name.as_bytes().into(),
                    place.clone(),
                )))],
                ..OutputStatement::new(name.as_bytes().to_vec(), place.clone())
            }))
        })
    };
    RUNS.iter().flat_map(of_run).collect()
}
