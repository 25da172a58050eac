//! Options about messages: which are made, how they look, and which end the link.

use skald_core::diag::{Error, Result};

use crate::args::rows::Row;
use skald_linking::option_row::{Form, Value};

pub(super) static ROWS: &[Row] = &[
    Row::switch(&["--fatal-warnings"], &["--no-fatal-warnings"], "Warnings are errors", |d, on| {
        d.options.fatal_warnings = on
    }),
    Row::flag(&["-w", "--no-warnings"], "No warnings", |d| {
        d.options.no_warnings = true;
        d.options.fatal_warnings = false;
    }),
    Row::maybe(
        &["--color-diagnostics"],
        "auto|always|never",
        "Colour messages (always if not said)",
        |d, v| {
            d.options.color = match v.map(Value::choice).transpose()? {
                Some("auto") => None,
                Some("never") => Some(false),
                _ => Some(true),
            };
            Ok(())
        },
    )
    .peers("default auto; the bare option is auto for mold"),
    Row::flag(&["--no-color-diagnostics"], "Do not colour messages", |d| {
        d.options.color = Some(false);
    }),
    Row::maybe(
        &["--demangle"],
        "STYLE",
        "Demangle names in messages (default), maps and cross references",
        |d, v| {
            d.options.demangle = v.map_or(Ok(true), demangle_style)?;
            d.options.demangle_lists = d.options.demangle;
            d.demangle_given = true;
            Ok(())
        },
    )
    .peers(
        "every style of GNU ld means the same here: C++ and Rust are told apart by the name; \
         GNU ld demangles maps by default, which takes longer than the link",
    ),
    Row::flag(&["--no-demangle"], "Do not demangle", |d| {
        d.options.demangle = false;
        d.options.demangle_lists = false;
    }),
    Row::number(&["--error-limit"], "COUNT", "Errors to print; 0 for all (default 20)", |d, n| {
        d.options.error_limit = usize::try_from(n).unwrap_or(usize::MAX);
    })
    .peers("not in GNU ld and mold"),
    Row::path(
        &["--error-handling-script"],
        "FILE",
        "Run FILE for each missing symbol and library: undefined-symbol NAME, missing-lib NAME",
        |d, file| {
            d.options.reports.error_handling_script = Some(file);
        },
    )
    .peers("lld only"),
    Row::flag(&["--vs-diagnostics"], "Begin messages with FILE(LINE) for Visual Studio", |d| {
        d.options.reports.visual_studio = true;
    })
    .peers("lld only"),
    Row::switch(
        &["--warn-common"],
        &["--no-warn-common"],
        "Warn of common symbols that meet other definitions",
        |d, on| d.options.warn_common = on,
    ),
    Row::switch(
        &["--warn-backrefs"],
        &["--no-warn-backrefs"],
        "Warn of archive members that only files after the archive need",
        |d, on| d.options.reports.warn_backrefs = on,
    )
    .peers("lld only"),
    Row::text(
        &["--warn-backrefs-exclude"],
        "GLOB",
        "But not of members that match GLOB: '*.a(*.o)'",
        |d, glob| {
            d.options.reports.warn_backrefs_exclude.push(glob);
        },
    )
    .peers("lld only"),
    Row::switch(
        &["--warn-symbol-ordering"],
        &["--no-warn-symbol-ordering"],
        "Warn of names in an ordering file that are not found (default)",
        |d, on| d.options.reports.no_warn_symbol_ordering = !on,
    )
    .peers("lld only"),
    Row::switch(
        &["--warn-ifunc-textrel"],
        &["--no-warn-ifunc-textrel"],
        "Warn of IFUNC symbols with text relocations",
        |d, on| d.options.reports.warn_ifunc_textrel = on,
    )
    .peers("lld only"),
    Row::switch(
        &["--warn-textrel"],
        &["--no-warn-textrel"],
        "Warn of text relocations",
        |d, on| d.options.reports.warn_textrel = on,
    ),
    Row::flag(&["--warn-shared-textrel"], "The same in shared libraries", |d| {
        d.options.reports.warn_shared_textrel = true;
    }),
    Row::switch(
        &["--warn-execstack"],
        &["--no-warn-execstack"],
        "Warn of an executable stack",
        |d, on| d.options.reports.warn_execstack = Some(on),
    ),
    Row::switch(
        &["--error-execstack"],
        &["--no-error-execstack"],
        "An executable stack is an error",
        |d, on| d.options.reports.error_execstack = on,
    )
    .peers("GNU ld from 2.42"),
    Row::switch(
        &["--warn-rwx-segments"],
        &["--no-warn-rwx-segments"],
        "Warn of segments that are writable and executable",
        |d, on| d.options.reports.warn_rwx_segments = Some(on),
    ),
    Row::switch(
        &["--error-rwx-segments"],
        &["--no-error-rwx-segments"],
        "Such a segment is an error",
        |d, on| d.options.reports.error_rwx_segments = on,
    )
    .peers("GNU ld from 2.42"),
    Row::silent(&["--warn-once"], Form::None, "", "Ignored: an undefined symbol has one message")
        .peers("GNU ld has one for each input without it"),
    Row::silent(
        &["--warn-constructors"],
        Form::None,
        "",
        "Ignored: ELF has no such constructors, and GNU ld never warns of them there",
    ),
    Row::flag(
        &["--warn-section-align"],
        "Warn where alignment moves the start of a section",
        |d| {
            d.options.reports.warn_section_align = true;
        },
    )
    .peers("GNU ld only"),
    Row::silent(
        &["--warn-alternate-em"],
        Form::None,
        "",
        "Ignored: the machines here have one machine code each",
    )
    .peers("GNU ld only"),
    Row::silent(
        &["--warn-mismatch", "--no-warn-mismatch"],
        Form::None,
        "",
        "Ignored: an input for another machine cannot be linked and is an error",
    )
    .peers("GNU ld copies such inputs unchanged under --no-warn-mismatch; lld ignores it"),
    Row::switch(
        &["--warn-search-mismatch"],
        &["--no-warn-search-mismatch"],
        "Complain of libraries for other machines (default)",
        |d, on| d.options.reports.no_warn_search_mismatch = !on,
    )
    .peers("GNU ld only"),
    Row::switch(
        &["--check-sections"],
        &["--no-check-sections"],
        "Sections that overlap are errors (default)",
        |d, on| d.options.reports.no_check_sections = !on,
    ),
    Row::flag(
        &["--detect-odr-violations"],
        "Tell of inline C++ that differs between objects",
        |d| {
            d.options.reports.odr_violations = true;
        },
    )
    .peers("gold's"),
];

/// GNU ld's demangling styles.
fn demangle_style(value: &Value<'_>) -> Result<bool> {
    match value.text()? {
        "none" => Ok(false),
        "auto" | "gnu-v3" | "gnu" | "java" | "gnat" | "dlang" | "rust" => Ok(true),
        _ => Err(Error(format!(
            "{}: bad value '{}': expected none, auto, gnu-v3, java, gnat, dlang or rust",
            value.option,
            value.text.display()
        ))),
    }
}
