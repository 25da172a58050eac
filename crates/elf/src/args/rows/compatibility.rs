//! Options that have no effect in this linker: they are for another machine, for a format or system
//! that no longer exists, or about the internals of one linker. Builds pass them to every linker,
//! so they are accepted.

use crate::args::draft::Draft;
use crate::args::rows::Row;
use skald_linking::option_row::Form;

/// Help text of options that GNU ld itself ignores.
const IGNORED: &str = "Ignored";
/// Help text of options for other machines.
const MACHINE: &str = "Ignored: for other machines";
/// Help text of options that only the machine that has them misses.
const UNMADE: &str = "An error for ARM, ignored for others";
/// Help text of options about another linker's processes, memory and speed.
const INSIDE: &str = "Ignored: how another linker works inside";

pub(super) static ROWS: &[Row] = &[
    Row::silent(&["-g", "-p", "-Qy", "-Qn", "-qmagic"], Form::None, "", IGNORED),
    Row::silent(&["-A", "--architecture"], Form::Required, "ARCH", IGNORED),
    // Solaris's compilers pass it instead of -shared; elsewhere it is the largest size for small
    // data.
    Row::maybe(&["-G"], "SIZE", "Without a size -shared, with one ignored", |d, size| {
        if size.is_none() {
            (d.shared, d.pie) = (true, false);
        }
        Ok(())
    })
    .form(Form::Level)
    .peers("as for GNU ld"),
    Row::silent(&["--gpsize"], Form::Required, "SIZE", MACHINE),
    // Compilers for MIPS pass the instruction set.
    Row::silent(
        &[
            "-mips1",
            "-mips2",
            "-mips3",
            "-mips4",
            "-mips5",
            "-mips32",
            "-mips32r2",
            "-mips32r3",
            "-mips32r5",
            "-mips32r6",
            "-mips64",
            "-mips64r2",
            "-mips64r3",
            "-mips64r5",
            "-mips64r6",
        ],
        Form::None,
        "",
        MACHINE,
    ),
    Row::silent(&["-assert"], Form::Required, "KEYWORD", IGNORED),
    Row::silent(
        &["-flto"],
        Form::Optional,
        "KIND",
        "Ignored: a compiler driver's word that reaches the linker",
    ),
    Row::silent(&["-flto-partition", "-fuse-ld"], Form::Required, "WORD", IGNORED),
    Row::silent(&["-fno-lto"], Form::None, "", IGNORED),
    Row::silent(
        &[
            "--accept-unknown-input-arch",
            "--no-accept-unknown-input-arch",
            "--traditional-format",
            "--embedded-relocs",
            "--nodefaultlibs",
        ],
        Form::None,
        "",
        IGNORED,
    ),
    Row::silent(
        &["--ctf-variables", "--no-ctf-variables", "--gsframe", "--omit-frame"],
        Form::None,
        "",
        "Ignored: debug formats that are copied as they are",
    ),
    Row::silent(&["--ctf-share-types"], Form::Required, "METHOD", IGNORED),
    Row::silent(
        &[
            "--quick-exit",
            "--no-quick-exit",
            "--keep-memory",
            "--no-keep-memory",
            "--reduce-memory-overheads",
            "--map-whole-files",
            "--no-map-whole-files",
            "--incremental",
            "--prepopulate-maps",
            "--update-in-place",
            "--no-update-in-place",
            "--warn-thin-archive-missing-members",
            "--separate-code",
            "--relax-tls",
        ],
        Form::None,
        "",
        INSIDE,
    ),
    Row::silent(&["--run"], Form::None, "", {
        "As the first word, -run COMMAND runs COMMAND with this linker in the place of any other"
    })
    .peers("mold's; gold has a --run that runs the output, and builds that pass it do not want it"),
    Row::silent(&["--hash-size", "--max-cache-size"], Form::Required, "SIZE", INSIDE),
    Row::silent(&["--rsp-quoting"], Form::Required, "posix|windows", {
        "How @FILE is read; looked at before all other options"
    }),
    Row::silent(
        &[
            "--be32",
            "--fix-cortex-a53",
            "--secure-plt",
            "--toc-optimize",
            "--no-toc-optimize",
            "--pcrel-optimize",
            "--no-pcrel-optimize",
            "--no-power10-stubs",
            "--warn-multiple-gp",
        ],
        Form::None,
        "",
        MACHINE,
    ),
    Row::silent(&["--stub-group-size", "--got", "--sdata"], Form::Required, "WORD", MACHINE),
    Row::flag(&["--bss-plt"], UNMADE, |d| unmade(d, "--bss-plt")),
    Row::flag(&["--cmse-implib"], UNMADE, |d| unmade(d, "--cmse-implib")),
    Row::switch(&["--fix-cortex-a8"], &["--no-fix-cortex-a8"], UNMADE, |d, on| {
        d.options.machine_words.unmade.retain(|option| *option != "--fix-cortex-a8");
        if on {
            unmade(d, "--fix-cortex-a8");
        }
    }),
    Row::text(&["--in-implib"], "FILE", UNMADE, |d, _| unmade(d, "--in-implib")),
    Row::silent(&["--power10-stubs"], Form::Optional, "MODE", MACHINE),
];

/// Notes an option that the machine's link may refuse.
fn unmade(draft: &mut Draft, option: &'static str) {
    draft.options.machine_words.unmade.push(option);
}
