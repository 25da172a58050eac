//! Options that print something: versions, maps, traces, statistics.

use std::path::PathBuf;

use crate::args::help::completion::SHELLS;
use crate::args::help::setup::BUILDS;
use crate::args::rows::Row;
use skald_linking::option_row::Value;

pub(super) static ROWS: &[Row] = &[
    Row::flag(&["--help"], "Print this text", |d| d.questions.help = true),
    Row::flag(&["-v"], "Print the version; link if there are inputs", |d| {
        d.questions.version = true;
    }),
    Row::flag(&["--version"], "Print the version and stop", |d| {
        d.questions.version_only = true;
    }),
    Row::flag(&["-V"], "As -v, with the supported emulations", |d| {
        d.questions.version = true;
        d.questions.emulations = true;
    }),
    Row::maybe(&["--verbose"], "LEVEL", "As -V, and print the script in use", |d, v| {
        let on = v.map_or(Ok(1), Value::number)? != 0;
        d.options.reports.verbose = on;
        d.questions.version = on;
        d.questions.emulations = on;
        Ok(())
    })
    .peers("GNU ld also tells which files it tries to open"),
    Row::flag(&["--target-help"], "List the options of the target", |d| {
        d.questions.target_help = true;
    }),
    Row::flag(&["--print-sysroot"], "Print the sysroot and stop", |d| d.questions.sysroot = true),
    Row::flag(&["--print-output-format"], "Print the format of the output", |d| {
        d.questions.output_format = true;
    }),
    Row::flag(&["--print-manual"], "Print the manual page, in troff", |d| {
        d.questions.manual = true;
    })
    .peers("skald only"),
    Row::choice(&["--print-completion"], SHELLS, "Print a completion script", |d, shell| {
        d.questions.completion = Some(shell.to_owned());
    })
    .peers("skald only"),
    Row::choice(&["--print-setup"], BUILDS, "Print what makes a build use it", |d, build| {
        d.questions.setup = Some(build.to_owned());
    })
    .peers("skald only"),
    Row::path(&["-Map"], "FILE", "Write a map to FILE, or to DIR/OUTPUT.map", |d, file| {
        d.options.map = Some(file);
    })
    .peers("% in FILE stands for the output, as for GNU ld from 2.43"),
    Row::flag(&["-M", "--print-map"], "Print a map", |d| d.print_map = true),
    Row::switch(
        &["--print-map-discarded"],
        &["--no-print-map-discarded"],
        "The map shows discarded sections (default)",
        |d, on| d.options.reports.no_map_discarded = !on,
    )
    .peers("GNU ld only"),
    Row::switch(&["--cref"], &["--no-cref"], "Print a cross reference table", |d, on| {
        d.options.reports.cref = on;
    }),
    Row::flag(&["-t", "-tt", "--trace"], "Print the name of every input", |d| {
        d.options.trace = true
    }),
    Row::path(&["--dependency-file"], "FILE", "Write a Makefile rule to FILE", |d, file| {
        d.options.dependency_file = Some(file);
    }),
    Row::text(&["--why-live"], "GLOB", "Tell what keeps symbols that match GLOB", |d, glob| {
        d.options.reports.why_live.push(glob);
    })
    .peers("lld only"),
    Row::path(&["--why-extract"], "FILE", "Tell why archive members are taken", |d, file| {
        d.options.reports.why_extract = Some(file);
    })
    .peers("lld only"),
    Row::path(&["--print-archive-stats"], "FILE", "Count archive members", |d, file| {
        d.options.reports.archive_stats = Some(file);
    })
    .peers("lld only"),
    Row::path(&["--print-symbol-order"], "FILE", "Write the order found by calls", |d, file| {
        d.options.reports.symbol_order = Some(file);
    })
    .peers("lld only, and there for hfsort only"),
    Row::flag(&["--print-dependencies"], "Tell which file uses which", |d| {
        d.options.reports.dependencies = true;
    })
    .peers("mold only"),
    Row::flag(&["--print-memory-usage"], "Tell how full memory regions are", |d| {
        d.options.reports.memory_usage = true;
    }),
    Row::switch(&["--stats"], &["--no-stats"], "Print statistics", |d, on| {
        d.options.reports.stats = on;
    }),
    Row::flag(&["--time", "--perf"], "Print the time of every stage", |d| d.options.time = true)
        .peers("--time is wild's, --perf mold's"),
    Row::maybe(
        &["--time-trace"],
        "FILE",
        "Write a Chrome trace (default OUTPUT.time-trace)",
        |d, v| {
            // lld takes `--time-trace=` for `--time-trace`.
            let file = v.map(Value::path).filter(|file| *file != PathBuf::new());
            d.time_trace_beside_output = file.is_none();
            d.options.reports.time_trace = file;
            Ok(())
        },
    )
    .peers("lld only"),
    Row::number(
        &["--time-trace-granularity"],
        "MICROSECONDS",
        "Leave shorter entries out of the trace (default 500)",
        |d, time| d.options.reports.time_trace_granularity = Some(time),
    )
    .peers("lld only"),
    Row::path(
        &["--report"],
        "FILE.html|FILE.json",
        "Write a picture of the link, as a page or as data",
        |d, file| {
            d.options.reports.report = Some(file);
        },
    )
    .peers("skald only"),
    Row::path(&["--reproduce"], "FILE", "Write inputs and options to a tar file", |d, file| {
        d.options.reports.reproduce = Some(file).filter(|file| *file != PathBuf::new());
    })
    .peers("of lld's layout; its response.txt says where to start and not every path anew"),
    Row::flag(&["--repro"], "The same, to OUTPUT.repro.tar", |d| d.reproduce_beside_output = true)
        .peers("mold only"),
];
