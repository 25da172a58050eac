//! Options that one processor has, and that its compilers and builds pass.

use crate::args::draft::Draft;
use crate::args::rows::Row;
use skald_linking::option_row::Form;

/// Help text of options that only the machine that has them misses.
const UNMADE: &str = "An error for the machine that has it, ignored for others";
/// Help text of options of PowerPC by which GNU ld makes calls faster, or does not.
const CALLS: &str = "Ignored: how PowerPC's calls are made, which no program notices";

pub(super) static ROWS: &[Row] = &[
    Row::switch(
        &["--toc-optimize"],
        &["--no-toc-optimize"],
        "Rewrite code of PowerPC that loads from the TOC (default)",
        |d, on| d.options.processors.kept_code.toc = !on,
    ),
    Row::switch(
        &["--pcrel-optimize"],
        &["--no-pcrel-optimize"],
        "Rewrite code of PowerPC that loads from the GOT (default)",
        |d, on| d.options.processors.kept_code.pc_relative = !on,
    ),
    Row::switch(
        &["--tls-optimize"],
        &["--no-tls-optimize"],
        "Rewrite code of PowerPC for thread-local storage (default)",
        |d, on| d.options.processors.kept_code.thread_local = !on,
    ),
    Row::switch(
        &["--save-restore-funcs"],
        &["--no-save-restore-funcs"],
        "Make the functions of PowerPC that save registers (default but with -r)",
        |d, on| d.options.processors.makes_functions = Some(on),
    ),
    Row::flag(&["--s390-pgste"], "Ask the kernel for page tables of s390 that KVM can use", |d| {
        d.options.processors.pgste = true
    })
    .peers("GNU ld only"),
    Row::text(&["--thumb-entry"], "SYMBOL", "As -e", |d, name| d.options.entry = Some(name))
        .peers("GNU ld only; -e finds out by the symbol what kind of code it is"),
    Row::silent(
        &[
            "--power10-stubs",
            "--plt-align",
            "--no-plt-align",
            "--plt-thread-safe",
            "--no-plt-thread-safe",
            "--no-plt-static-chain",
            "--plt-localentry",
            "--no-plt-localentry",
            "--no-power10-stubs",
            "--inline-optimize",
            "--no-inline-optimize",
            "--tls-get-addr-optimize",
            "--no-tls-get-addr-optimize",
            "--tls-get-addr-regsave",
            "--no-tls-get-addr-regsave",
            "--no-emit-stub-syms",
            "--secure-plt",
        ],
        Form::Optional,
        "WORD",
        CALLS,
    ),
    Row::silent(
        &[
            "--toc-sort",
            "--no-toc-sort",
            "--multi-toc",
            "--no-multi-toc",
            "--opd-optimize",
            "--no-opd-optimize",
            "--non-overlapping-opd",
            "--dotsyms",
            "--no-dotsyms",
        ],
        Form::None,
        "",
        "Ignored: how PowerPC's tables are arranged, which no program notices",
    ),
    Row::silent(&["--use-blx"], Form::None, "", "Ignored: ARM's calls use BLX where it is there"),
    Row::flag(&["--emit-stub-syms"], UNMADE, |d| unmade(d, "--emit-stub-syms")),
    Row::flag(&["--bss-plt"], UNMADE, |d| unmade(d, "--bss-plt")),
    Row::flag(&["--plt-static-chain"], UNMADE, |d| unmade(d, "--plt-static-chain")),
    Row::flag(&["--cmse-implib"], UNMADE, |d| unmade(d, "--cmse-implib")),
    Row::switch(&["--fix-cortex-a8"], &["--no-fix-cortex-a8"], UNMADE, |d, on| {
        d.options.machine_words.unmade.retain(|option| *option != "--fix-cortex-a8");
        if on {
            unmade(d, "--fix-cortex-a8");
        }
    }),
    Row::flag(&["--fix-v4bx-interworking"], UNMADE, |d| unmade(d, "--fix-v4bx-interworking")),
    Row::maybe(&["--fix-stm32l4xx-629360"], "KIND", UNMADE, |d, kind| {
        match kind.map(|kind| kind.text()).transpose()? {
            Some("none") => {}
            _ => unmade(d, "--fix-stm32l4xx-629360"),
        }
        Ok(())
    }),
    Row::choice(&["--vfp11-denorm-fix"], "none|scalar|vector", UNMADE, |d, kind| {
        if kind != "none" {
            unmade(d, "--vfp11-denorm-fix");
        }
    }),
    Row::text(&["--in-implib"], "FILE", UNMADE, |d, _| unmade(d, "--in-implib")),
];

/// Notes an option that the machine's link may refuse.
fn unmade(draft: &mut Draft, option: &'static str) {
    draft.options.machine_words.unmade.push(option);
}
