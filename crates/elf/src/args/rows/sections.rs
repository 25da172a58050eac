//! Options about which input sections reach the output: garbage collection, identical folding,
//! merging, discarding.

use super::output::compression;
use crate::args::options::{Icf, OrphanHandling, SortCommon, SortSection};
use crate::args::processors::{Repair843419, Target2};
use crate::args::rows::Row;
use skald_core::diag::Result;
use skald_linking::option_row::{Form, Value};

pub(super) static ROWS: &[Row] = &[
    Row::switch(&["--gc-sections"], &["--no-gc-sections"], "Leave out unused sections", {
        |d, on| d.options.gc_sections = on
    }),
    Row::maybe(&["--print-gc-sections"], "FILE", "List the sections left out (to FILE)", |d, v| {
        d.options.print_gc_sections = true;
        d.options.reports.gc_sections_file = v.map(Value::path);
        Ok(())
    })
    .peers("FILE is mold's and lld's"),
    Row::flag(&["--no-print-gc-sections"], "Undo --print-gc-sections", |d| {
        d.options.print_gc_sections = false;
        d.options.reports.gc_sections_file = None;
    }),
    Row::flag(
        &["--gc-keep-exported"],
        "Keep what an executable could export: symbols that are not hidden",
        |d| {
            d.options.gc_keep_exported = true;
        },
    )
    .peers("GNU ld only"),
    Row::choice(
        &["--icf"],
        "none|safe|all",
        "Fold equal functions: those whose address nobody takes, or all",
        |d, word| {
            d.options.icf = match word {
                "all" => Icf::All,
                "safe" => Icf::Safe,
                _ => Icf::None,
            };
        },
    )
    .peers("not in GNU ld; lld folds no function with an exception table"),
    Row::flag(&["--no-icf"], "No folding (default)", |d| d.options.icf = Icf::None),
    // All candidates are assumed equal first, and separated in rounds; no round can be skipped.
    Row::silent(&["--icf-iterations"], Form::Required, "COUNT", {
        "Ignored: folding goes on until nothing is left to fold"
    })
    .peers("gold's"),
    Row::maybe(&["--print-icf-sections"], "FILE", "List what was folded (to FILE)", |d, v| {
        d.options.reports.icf_sections = true;
        d.options.reports.icf_sections_file = v.map(Value::path);
        Ok(())
    })
    .peers("FILE is mold's"),
    Row::flag(&["--no-print-icf-sections"], "Undo --print-icf-sections", |d| {
        d.options.reports.icf_sections = false;
        d.options.reports.icf_sections_file = None;
    }),
    Row::text(&["--keep-unique"], "SYMBOL", "Never fold SYMBOL", |d, name| {
        d.options.keep_unique.push(name);
    })
    .peers("lld only"),
    Row::flag(
        &["--ignore-data-address-equality"],
        "Fold data whose address is taken, copy protected variables",
        |d| d.options.ignore_data_address_equality = true,
    ),
    Row::flag(
        &["--ignore-function-address-equality"],
        "Let a library's protected function have a second address in the program",
        |d| d.options.ignore_function_address_equality = true,
    ),
    Row::switch(
        &["--string-merge"],
        &["--no-string-merge"],
        "Merge equal strings and constants (default, but at -O0)",
        |d, on| d.options.string_merge = Some(on),
    )
    .peers("wild's spelling; only lld merges none at -O0"),
    Row {
        form: Form::Level,
        ..Row::value(&["-O"], "LEVEL", "Optimize the output", |d, v| {
            d.options.optimize = optimize(v)?;
            Ok(())
        })
    }
    .peers("s, z, g and fast are a compiler's levels, which GNU ld accepts; lld refuses them"),
    Row::maybe(
        &["--fix-cortex-a53-843419"],
        "full|adr|adrp",
        "Repair code for an erratum of Cortex-A53 (full), only by ADR, never by ADR",
        |d, v| {
            d.options.repairs.of_843419 = Some(repair_843419(v)?);
            Ok(())
        },
    )
    .peers("the words are GNU ld's"),
    Row::flag(&["--no-fix-cortex-a53-843419"], "Undo --fix-cortex-a53-843419 (default)", |d| {
        d.options.repairs.of_843419 = None
    }),
    Row::switch(
        &["--fix-cortex-a53-835769"],
        &["--no-fix-cortex-a53-835769"],
        "Repair code for another erratum of Cortex-A53",
        |d, on| d.options.repairs.of_835769 = on,
    )
    .peers("GNU ld only"),
    Row::flag(&["--target1-abs"], "R_ARM_TARGET1 is an address (default)", |d| {
        d.options.processors.target1_is_relative = false
    }),
    Row::flag(&["--target1-rel"], "R_ARM_TARGET1 is a distance", |d| {
        d.options.processors.target1_is_relative = true
    }),
    Row::choice(&["--target2"], "rel|abs|got-rel", "What R_ARM_TARGET2 is", |d, word| {
        d.options.processors.target2 = Some(match word {
            "rel" => Target2::Relative,
            "abs" => Target2::Absolute,
            _ => Target2::GotRelative,
        });
    }),
    Row::flag(&["--fix-v4bx"], "Replace BX for version 4 of ARM", |d| {
        d.options.processors.replaces_bx = true
    })
    .peers("GNU ld only"),
    Row::flag(&["--be8"], "Write little-endian code into big-endian programs of ARM", |d| {
        d.options.z.little_code = true
    }),
    Row::switch(
        &["--long-plt"],
        &["--no-long-plt"],
        "PLT entries of ARM reach all addresses",
        |d, on| d.options.z.long_plt = on,
    ),
    Row::flag(&["--pic-veneer"], "Thunks of ARM do not depend on where they are loaded", |d| {
        d.options.processors.pic_thunks = true
    }),
    Row::flag(&["--no-wchar-size-warning"], "Do not warn of sizes of wchar_t", |d| {
        d.options.processors.silences_wchar = true
    }),
    Row::flag(&["--no-enum-size-warning"], "Do not warn of sizes of enumerations", |d| {
        d.options.processors.silences_enums = true
    }),
    Row::switch(
        &["--merge-exidx-entries"],
        &["--no-merge-exidx-entries"],
        "Merge equal entries of .ARM.exidx (default)",
        |d, on| d.options.processors.keeps_unwind_entries = !on,
    ),
    Row::choice(
        &["--pmem-wrap-around"],
        "8k|16k|32k|64k",
        "Memory of AVR's code, whose end the beginning follows",
        |d, word| {
            let kib: Option<u64> = word.trim_end_matches('k').parse().ok();
            d.options.processors.code_memory.wraps_at = kib.map(|kib| kib << 10);
        },
    )
    .peers("GNU ld only"),
    Row::flag(&["--no-stubs"], "Pointers to far functions of AVR are cut", |d| {
        d.options.processors.code_memory.pointers_are_cut = true
    })
    .peers("GNU ld only"),
    Row::switch(&["--relax"], &["--no-relax"], "Rewrite instructions (default)", |d, on| {
        d.options.no_relax = !on;
    }),
    Row::switch(
        &["--relax-gp"],
        &["--no-relax-gp"],
        "Rewrite instructions to count from RISC-V's global pointer (default)",
        |d, on| d.options.no_relax_gp = !on,
    ),
    Row::switch(
        &["--optimize-bb-jumps"],
        &["--no-optimize-bb-jumps"],
        "Delete jumps to the next basic block",
        |d, on| d.options.optimize_bb_jumps = on,
    )
    .peers("lld only"),
    Row::switch(
        &["--branch-to-branch"],
        &["--no-branch-to-branch"],
        "Let branches to jumps go where these go",
        |d, on| d.options.branch_to_branch = on,
    )
    .peers("lld from 21, which does so at -O2"),
    Row::value(
        &["--split-stack-adjust-size"],
        "SIZE",
        "Stack that -fsplit-stack code asks for before it calls other code",
        {
            |d, v| {
                d.options.split_stack_adjust_size = Some(v.number32()?);
                Ok(())
            }
        },
    )
    .peers("gold; lld heeds it on other machines only"),
    Row::value(
        &["--compress-sections"],
        "GLOB=none|zlib[:LEVEL]|zstd[:LEVEL]",
        "Compress output sections that match GLOB",
        |d, v| {
            let allowed = "GLOB=none, GLOB=zlib[:LEVEL] or GLOB=zstd[:LEVEL]";
            let (glob, method) = v.pair()?;
            let method = compression(method).ok_or_else(|| v.bad(allowed))?;
            d.options.compress_sections.push((glob.to_owned(), method));
            Ok(())
        },
    )
    .peers("lld only"),
    Row::text(&["--discard-section"], "NAME", "Leave out sections of this name", |d, name| {
        d.options.arrangement.discard_sections.push(name);
    })
    .peers("mold only"),
    Row::text(&["--no-discard-section"], "NAME", "Undo --discard-section=NAME", |d, name| {
        d.options.arrangement.discard_sections.retain(|other| *other != name);
    })
    .peers("mold only"),
    Row::flag(&["--discard-sframe"], "Leave out .sframe sections", |d| {
        d.options.arrangement.discard_sections.push(".sframe".to_owned());
    })
    .peers("new releases of GNU ld"),
    Row::maybe(
        &["--unique"],
        "GLOB",
        "Join no unusual sections, or none that match GLOB",
        |d, v| {
            match v {
                Some(v) => d.options.arrangement.unique.push(v.text()?.to_owned()),
                None => d.options.arrangement.unique_orphans = true,
            }
            Ok(())
        },
    )
    .peers(
        "for mold an argument is required and may be separate, and equal names are joined; for lld \
         all sections are unusual",
    ),
    // Only the SECTIONS command of a script names sections, so all others are orphans.
    Row::choice(
        &["--orphan-handling"],
        "place|warn|error|discard",
        "What becomes of sections that a script with SECTIONS does not name",
        |d, word| {
            d.options.arrangement.orphans = match word {
                "warn" => OrphanHandling::Warn,
                "error" => OrphanHandling::Error,
                "discard" => OrphanHandling::Discard,
                _ => OrphanHandling::Place,
            };
        },
    )
    .peers("GNU ld and lld"),
    Row::choice(
        &["--sort-section"],
        "none|name|alignment",
        "Sort the input sections of the default layout by name or by alignment",
        |d, word| {
            d.options.arrangement.sort_section = match word {
                "name" => SortSection::Name,
                "alignment" => SortSection::Alignment,
                _ => SortSection::None,
            };
        },
    )
    .peers("GNU ld and gold; in lld only for wildcards of a script, in mold without effect"),
    Row::maybe(
        &["--sort-common", "--sort_common"],
        "ascending|descending",
        "Sort commons by alignment",
        |d, v| {
            d.options.arrangement.sort_common = match v.map(Value::choice).transpose()? {
                Some("ascending") => Some(SortCommon::Ascending),
                _ => Some(SortCommon::Descending),
            };
            Ok(())
        },
    )
    .peers("GNU ld and gold, which sorts always"),
    Row::switch(
        &["--force-group-allocation"],
        &["--no-force-group-allocation"],
        "Dissolve section groups with -r",
        |d, on| d.options.arrangement.force_group_allocation = on,
    ),
    Row::flag(
        &["--relocatable-merge-sections"],
        "With -r, merge sections as without: .text.foo into .text",
        |d| d.options.arrangement.relocatable_merge_sections = true,
    )
    .peers("mold only"),
    Row::switch(
        &["--ctors-in-init-array"],
        &["--no-ctors-in-init-array"],
        "Move .ctors into .init_array, .dtors into .fini_array (default)",
        |d, on| d.options.arrangement.keep_ctors = !on,
    )
    .peers("gold's; GNU ld's default script does"),
];

fn repair_843419(value: Option<&Value<'_>>) -> Result<Repair843419> {
    let Some(value) = value else { return Ok(Repair843419::Full) };
    match value.text()? {
        "full" => Ok(Repair843419::Full),
        "adr" => Ok(Repair843419::Adr),
        "adrp" => Ok(Repair843419::Adrp),
        _ => Err(value.bad("full, adr or adrp")),
    }
}

/// A level of optimization: a number, or a compiler's word for a level, which stands for the
/// nearest number.
fn optimize(level: &Value<'_>) -> Result<u32> {
    match level.text()? {
        "" | "g" => Ok(1),
        "s" | "z" | "fast" => Ok(2),
        _ => level.number32(),
    }
}
