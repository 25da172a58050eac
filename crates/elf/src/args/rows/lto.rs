//! Options for compiler plugins. Options that LLVM's plugin takes as `-plugin-opt`, and that lld
//! has as options of its own, go into one list, which the plugin gets.

use crate::args::draft::Draft;
use crate::args::lto::GivenPlugin;
use crate::args::rows::Row;
use skald_core::diag::Result;
use skald_linking::option_row::{Form, Value};

pub(super) static ROWS: &[Row] = &[
    Row::path(&["-plugin"], "PLUGIN", "Compiler plugin for LTO objects", |d, file| {
        d.options.lto.plugins.push(GivenPlugin { path: file, options: Vec::new() });
    })
    .for_lto(),
    Row::text(&["-plugin-opt"], "ARG", "Pass ARG to the plugin before it", |d, text| {
        let lto = &mut d.options.lto;
        let options = match lto.plugins.last_mut() {
            Some(plugin) => &mut plugin.options,
            None => &mut lto.plugin_options,
        };
        options.push(text);
    })
    .for_lto(),
    Row::path(
        &["--thinlto-distributor"],
        "PROGRAM",
        "Runs compilations of ThinLTO",
        |d, program| {
            d.options.lto.distributor.program = Some(program).filter(|p| !p.as_os_str().is_empty());
        },
    )
    .for_lto(),
    Row::text(&["--thinlto-distributor-arg"], "TEXT", "Pass TEXT to the distributor", |d, text| {
        d.options.lto.distributor.arguments.push(text);
    })
    .for_lto(),
    Row::path(
        &["--thinlto-remote-compiler"],
        "PROGRAM",
        "The compiler that a distributor runs",
        |d, program| d.options.lto.distributor.compiler = Some(program),
    )
    .for_lto(),
    Row::text(
        &["--thinlto-remote-compiler-prepend-arg"],
        "TEXT",
        "Pass TEXT to that compiler, before all else",
        |d, text| d.options.lto.distributor.first_arguments.push(text),
    )
    .for_lto(),
    Row::text(
        &["--thinlto-remote-compiler-arg"],
        "TEXT",
        "Pass TEXT to that compiler",
        |d, text| d.options.lto.distributor.last_arguments.push(text),
    )
    .for_lto(),
    Row::value(
        &["--plugin-timeout"],
        "SECONDS",
        "End a plugin or distributor that does nothing for so long, or goes round in a loop four times as long (default \
         600; 0 for never)",
        |d, v| {
            d.options.lto.timeout = Some(v.number()?);
            Ok(())
        },
    )
    .for_lto(),
    Row::text(&["-mllvm"], "TEXT", "Pass TEXT to LLVM", |d, text| {
        d.options.lto.llvm_options.push(text);
    })
    .for_lto(),
    Row::value(&["--lto-O"], "LEVEL", "Optimization of LTO", |d, v| prefixed(d, "O", v))
        .form(Form::Joined)
        .for_lto(),
    Row::value(&["--lto-CGO"], "LEVEL", "Optimization of LTO code generation", |d, v| {
        prefixed(d, "cg-opt-level=", v)
    })
    .form(Form::Joined)
    .for_lto(),
    Row::text(&["--lto"], "KIND", "LTO of this kind", |d, kind| option(d, &format!("lto={kind}")))
        .for_lto()
        .peers("lld only: full or thin"),
    Row::maybe(&["--save-temps"], "KINDS", "Keep the files between LTO's steps", |d, v| {
        match v {
            Some(v) => prefixed(d, "save-temps=", v)?,
            None => option(d, "save-temps"),
        }
        Ok(())
    })
    .for_lto(),
    Row::switch(
        &["--fat-lto-objects"],
        &["--no-fat-lto-objects"],
        "Use the bitcode of objects that hold both",
        |d, on| d.options.lto.fat_objects = on,
    )
    .for_lto(),
    // Flags that are passed on as `-plugin-opt`, under the same or a shorter name.
    plugin_flag(&["--lto-emit-asm"], |d| option(d, "emit-asm")),
    plugin_flag(&["--lto-emit-llvm"], |d| option(d, "emit-llvm")),
    plugin_flag(&["--lto-debug-pass-manager"], |d| option(d, "debug-pass-manager")),
    plugin_flag(&["--lto-cs-profile-generate"], |d| option(d, "cs-profile-generate")),
    plugin_flag(&["--disable-verify"], |d| option(d, "disable-verify")),
    plugin_flag(&["--no-legacy-pass-manager"], |d| option(d, "legacy-pass-manager")),
    plugin_flag(&["--no-lto-legacy-pass-manager"], |d| option(d, "new-pass-manager")),
    plugin_flag(&["--thinlto-emit-imports-files"], |d| option(d, "thinlto-emit-imports-files")),
    plugin_flag(&["--thinlto-emit-index-files"], |d| option(d, "thinlto-emit-index-files")),
    plugin_flag(&["--opt-remarks-with-hotness"], |d| option(d, "opt-remarks-with-hotness")),
    // LLVM's plugin takes a word that begins with a dash for an option of LLVM's code generator.
    plugin_flag(&["--lto-unique-basic-block-section-names"], |d| {
        option(d, "-unique-basic-block-section-names");
    }),
    plugin_flag(&["--lto-basic-block-address-map"], |d| option(d, "-basic-block-address-map")),
    plugin_flag(&["--no-lto-basic-block-address-map"], |d| undo(d, "-basic-block-address-map")),
    plugin_flag(&["--no-lto-pgo-warn-mismatch"], |d| option(d, "-no-pgo-warn-mismatch")),
    plugin_flag(&["--lto-pgo-warn-mismatch"], |d| undo(d, "-no-pgo-warn-mismatch")),
    plugin_flag(&["--lto-whole-program-visibility"], |d| option(d, "whole-program-visibility")),
    plugin_flag(&["--no-lto-whole-program-visibility"], |d| undo(d, "whole-program-visibility")),
    plugin_flag(&["--lto-validate-all-vtables-have-type-infos"], |d| {
        option(d, "validate-all-vtables-have-type-infos");
    }),
    plugin_flag(&["--no-lto-validate-all-vtables-have-type-infos"], |d| {
        undo(d, "validate-all-vtables-have-type-infos")
    }),
    plugin_flag(&["--no-lto-unique-basic-block-section-names"], |d| {
        undo(d, "-unique-basic-block-section-names")
    }),
    // Options with an argument that are passed on likewise.
    plugin_text(&["--lto-partitions"], |d, v| prefixed(d, "lto-partitions=", v)),
    plugin_text(&["--lto-obj-path"], |d, v| prefixed(d, "obj-path=", v)),
    plugin_text(&["--lto-aa-pipeline"], |d, v| prefixed(d, "aa-pipeline=", v)),
    plugin_text(&["--lto-newpm-passes"], |d, v| prefixed(d, "passes=", v)),
    plugin_text(&["--lto-basic-block-sections"], |d, v| prefixed(d, "-basic-block-sections=", v)),
    plugin_text(&["--lto-cs-profile-file"], |d, v| prefixed(d, "cs-profile-path=", v)),
    plugin_text(&["--lto-sample-profile"], |d, v| prefixed(d, "sample-profile=", v)),
    plugin_text(&["--lto-pseudo-probe-for-profiling"], |d, v| {
        prefixed(d, "pseudo-probe-for-profiling=", v)
    }),
    plugin_text(&["--lto-known-safe-vtables"], |d, v| prefixed(d, "known-safe-vtables=", v)),
    plugin_text(&["--load-pass-plugin"], |d, v| prefixed(d, "load-pass-plugin=", v)),
    plugin_text(&["--thinlto-jobs"], |d, v| prefixed(d, "jobs=", v)),
    plugin_text(&["--thinlto-cache-dir"], |d, v| prefixed(d, "cache-dir=", v)),
    plugin_text(&["--thinlto-cache-policy"], |d, v| prefixed(d, "cache-policy=", v)),
    plugin_text(&["--thinlto-single-module"], |d, v| prefixed(d, "thinlto-single-module=", v)),
    plugin_text(&["--thinlto-object-suffix-replace"], |d, v| {
        prefixed(d, "thinlto-object-suffix-replace=", v)
    }),
    plugin_text(&["--thinlto-prefix-replace"], |d, v| prefixed(d, "thinlto-prefix-replace=", v)),
    plugin_text(&["--opt-remarks-filename"], |d, v| prefixed(d, "opt-remarks-filename=", v)),
    plugin_text(&["--opt-remarks-format"], |d, v| prefixed(d, "opt-remarks-format=", v)),
    plugin_text(&["--opt-remarks-passes"], |d, v| prefixed(d, "opt-remarks-passes=", v)),
    plugin_text(&["--opt-remarks-hotness-threshold"], |d, v| {
        prefixed(d, "opt-remarks-hotness-threshold=", v)
    }),
    Row::maybe(&["--thinlto-index-only"], "FILE", "For the plugin", |d, v| {
        match v {
            Some(v) => prefixed(d, "thinlto-index-only=", v)?,
            None => option(d, "thinlto-index-only"),
        }
        Ok(())
    })
    .for_lto(),
];

const fn plugin_flag(names: &'static [&'static str], set: fn(&mut Draft)) -> Row {
    Row::flag(names, "For the plugin", set).for_lto()
}

const fn plugin_text(
    names: &'static [&'static str],
    set: fn(&mut Draft, &Value<'_>) -> Result<()>,
) -> Row {
    Row::value(names, "TEXT", "For the plugin", set).for_lto()
}

fn option(draft: &mut Draft, text: &str) {
    draft.options.lto.plugin_options.push(text.to_owned());
}

/// Removes an option from the list.
fn undo(draft: &mut Draft, text: &str) {
    draft.options.lto.plugin_options.retain(|option| option != text);
}

fn prefixed(draft: &mut Draft, prefix: &str, value: &Value<'_>) -> Result<()> {
    option(draft, &format!("{prefix}{}", value.text()?));
    Ok(())
}
