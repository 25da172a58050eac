//! Options about names: entry, definitions made on the command line, undefined symbols, versions,
//! and which symbols the symbol table keeps.

use crate::args::options::{Discard, DynamicListFile};
use crate::args::rows::Row;

pub(super) static ROWS: &[Row] = &[
    Row::flag(
        &["--disable-multiple-abs-defs"],
        "What --just-symbols names may not be defined again",
        |d| d.options.strict_just_symbols = true,
    )
    .peers("GNU ld only"),
    Row::text(&["-e", "--entry"], "SYMBOL", "Start at SYMBOL or at a number", |d, name| {
        d.options.entry = Some(name);
    }),
    Row::text(&["-init"], "SYMBOL", "Call SYMBOL at load time (default _init)", |d, name| {
        d.options.init = name;
    }),
    Row::text(&["-fini"], "SYMBOL", "Call SYMBOL at unload time (default _fini)", |d, name| {
        d.options.fini = name;
    }),
    Row::text(&["-u", "--undefined"], "SYMBOL", "Look for a definition of SYMBOL", |d, name| {
        d.options.undefined.push(name);
    }),
    Row::text(&["--undefined-glob"], "GLOB", "The same for names that match GLOB", |d, glob| {
        d.options.undefined_glob.push(glob);
    })
    .peers("not in GNU ld"),
    Row::text(&["--require-defined"], "SYMBOL", "As -u; an error if undefined", |d, name| {
        d.options.undefined.push(name.clone());
        d.options.require_defined.push(name);
    }),
    Row::value(&["--defsym"], "SYMBOL=EXPRESSION", "Define SYMBOL", |d, v| {
        let (name, expression) = v.pair()?;
        d.options.define_symbol(name.trim().to_owned(), expression.trim().to_owned());
        Ok(())
    })
    .peers("lld knows no operators here"),
    Row::text(&["--wrap"], "SYMBOL", "Redirect SYMBOL to __wrap_SYMBOL", |d, name| {
        d.options.wrap.push(name);
    }),
    Row::text(&["-y", "--trace-symbol"], "SYMBOL", "Tell which files mention SYMBOL", |d, name| {
        d.options.trace_symbol.push(name);
    }),
    Row::text(&["--task-link"], "SYMBOL", "As -r", |d, _| d.relocatable = true)
        .peers("GNU ld only, where SYMBOL matters to COFF and not to ELF"),
    Row::switch(
        &["-E", "--export-dynamic"],
        &["--no-export-dynamic"],
        "Put an executable's symbols in the dynamic symbol table",
        |d, on| d.options.export_dynamic = on,
    ),
    Row::text(&["--export-dynamic-symbol"], "GLOB", "Export symbols that match GLOB", |d, glob| {
        d.options.export_dynamic_symbols.push(glob);
    }),
    Row::path(&["--export-dynamic-symbol-list"], "FILE", "The same, read from FILE", |d, path| {
        d.options.dynamic_lists.push(DynamicListFile { path, binds_others: false });
    }),
    Row::path(&["--dynamic-list"], "FILE", "Symbols that stay interposable", |d, path| {
        d.options.dynamic_lists.push(DynamicListFile { path, binds_others: true });
    }),
    Row::flag(&["--dynamic-list-data"], "Data is in the dynamic list", |d| {
        d.options.dynamic_list_data = true;
    })
    .peers("mold's manual shows an argument, which it never had"),
    Row::flag(&["--dynamic-list-cpp-new"], "operator new and delete are in it", |d| {
        d.options.dynamic_list_cpp_new = true;
    })
    .peers("GNU ld only"),
    Row::flag(&["--dynamic-list-cpp-typeinfo"], "C++ type information is in it", |d| {
        d.options.dynamic_list_cpp_typeinfo = true;
    })
    .peers("GNU ld only"),
    Row::value(
        &["--exclude-libs"],
        "LIBS",
        "Hide the symbols of these archives, or ALL",
        |d, v| {
            let names = v.text()?.split([',', ':']).filter(|name| !name.is_empty());
            d.options.exclude_libs.extend(names.map(str::to_owned));
            Ok(())
        },
    ),
    Row::path(&["--version-script"], "FILE", "Read symbol versions from FILE", |d, file| {
        d.options.version_scripts.push(file);
    })
    .peers("as with lld, names without 'global:' may come before 'local:', which GNU ld refuses"),
    Row::flag(&["--default-symver"], "Version symbols by the soname", |d| {
        d.options.default_symver = true;
    }),
    Row::flag(&["--default-imported-symver"], "Version imported symbols by the soname", |d| {
        d.options.default_imported_symver = true;
    })
    .peers("GNU ld only"),
    Row::text(&["--version-exports-section"], "VERSION", "Version of .exports symbols", |d, v| {
        d.options.version_exports_section = Some(v);
        d.options.arrangement.discard_sections.push(".exports".to_owned());
    })
    .peers("GNU ld only"),
    Row::switch(
        &["--undefined-version"],
        &["--no-undefined-version"],
        "Allow undefined names in a version script",
        |d, on| d.options.no_undefined_version = !on,
    )
    .peers("not said, such names are allowed, as for GNU ld and mold; lld refuses them"),
    Row::flag(&["--no-undefined"], "Undefined symbols are errors in shared libraries too", |d| {
        d.undefined.report_in_objects = Some(true);
    }),
    Row::choice(
        &["--unresolved-symbols"],
        "ignore-all|report-all|ignore-in-object-files|ignore-in-shared-libs",
        "Which undefined symbols are errors",
        |d, word| {
            let (objects, shared) = match word {
                "ignore-all" => (false, false),
                "ignore-in-object-files" => (false, true),
                "ignore-in-shared-libs" => (true, false),
                _ => (true, true),
            };
            d.undefined.report_in_objects = Some(objects);
            d.undefined.report_in_shared = Some(shared);
        },
    ),
    Row::flag(&["--warn-unresolved-symbols"], "Undefined symbols are warnings", |d| {
        d.undefined.warn = true;
    }),
    Row::flag(&["--error-unresolved-symbols"], "Undefined symbols are errors (default)", |d| {
        d.undefined.warn = false;
    }),
    Row::text(&["--ignore-unresolved-symbol"], "SYMBOL", "SYMBOL may be undefined", |d, name| {
        d.options.ignore_unresolved.push(name);
    })
    .peers("GNU ld only"),
    Row::switch(
        &["--allow-shlib-undefined"],
        &["--no-allow-shlib-undefined"],
        "Allow undefined symbols in shared libraries that are linked to",
        |d, on| d.undefined.report_in_shared = Some(!on),
    ),
    Row::switch(
        &["--allow-multiple-definition"],
        &["--no-allow-multiple-definition"],
        "The first of several definitions holds",
        |d, on| d.options.allow_multiple_definition = on,
    ),
    Row::switch(
        &["--gnu-unique"],
        &["--no-gnu-unique"],
        "Keep STB_GNU_UNIQUE binding (default)",
        |d, on| d.options.no_gnu_unique = !on,
    )
    .peers("lld only"),
    Row::flag(&["-d", "-dc", "-dp"], "Allocate commons even with -r", |d| {
        d.options.define_common = true;
    }),
    Row::flag(&["--no-define-common"], "Leave commons undefined in a shared library", |d| {
        d.options.no_define_common = true;
    })
    .peers("GNU ld only, which refuses it without -shared"),
    Row::switch(
        &["--fortran-common"],
        &["--no-fortran-common"],
        "A definition in an archive replaces a common symbol (default)",
        |d, on| d.options.no_fortran_common = !on,
    )
    .peers("lld only"),
    Row::flag(&["--start-stop"], "Define __start_ and __stop_ for every section", |d| {
        d.options.start_stop = true;
    })
    .peers("mold only"),
    Row::flag(&["-x", "--discard-all"], "Leave out local symbols", |d| {
        d.options.discard = Discard::All;
    }),
    Row::flag(&["-X", "--discard-locals"], "Leave out local symbols that begin with .L", |d| {
        d.options.discard = Discard::Locals;
    }),
    Row::flag(&["--discard-none"], "Keep all local symbols", |d| {
        d.options.discard = Discard::None;
    }),
    Row::path(
        &["--retain-symbols-file"],
        "FILE",
        "Keep only the symbols listed in FILE",
        |d, f| {
            d.options.retain_symbols_file = Some(f);
        },
    ),
    Row::switch(
        &["--strip-discarded"],
        &["--no-strip-discarded"],
        "Leave out symbols of sections that --discard-section names (default)",
        |d, on| d.options.no_strip_discarded = !on,
    )
    .peers("GNU ld only, for what a script discards"),
];
