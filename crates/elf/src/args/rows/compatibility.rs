//! Options that have no effect in this linker: they are for another machine, for a format or system
//! that no longer exists, or about the internals of one linker. Builds pass them to every linker,
//! so they are accepted.

use crate::args::rows::Row;
use skald_linking::option_row::Form;

/// Help text of options that GNU ld itself ignores.
const IGNORED: &str = "Ignored";
/// Help text of options for other machines.
const MACHINE: &str = "Ignored: for other machines";
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
            "--debug-relax",
            "--debug-stubs",
            "--fix-cortex-a53",
            "--no-call-ret-replacement",
            "--warn-multiple-gp",
        ],
        Form::None,
        "",
        MACHINE,
    ),
    Row::silent(&["--stub-group-size", "--got", "--sdata"], Form::Required, "WORD", MACHINE),
];
