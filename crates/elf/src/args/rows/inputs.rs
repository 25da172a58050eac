//! Options that name inputs, give directories to search, or change how the following inputs are
//! used. GNU ld manual, "Command-line Options".

use skald_host::paths::OsStrBytes;

use skald_core::diag::Error;

use crate::args::draft::{Draft, split_paths};
use crate::args::nearest;
use crate::args::options::InputName;
use crate::args::rows::Row;
use skald_linking::option_row::Form;

pub(super) static ROWS: &[Row] = &[
    Row::text(
        &["-l", "--library"],
        "LIBNAME",
        "Search for libLIBNAME.so or libLIBNAME.a",
        |d, name| {
            d.input(InputName::Library(name));
        },
    )
    .peers("-l:FILE looks for FILE itself; lld does not take '--library c' as separate words"),
    Row::path(
        &["-L", "--library-path"],
        "DIRECTORY",
        "Add DIRECTORY to the library search path",
        |d, dir| {
            d.library_paths.push(dir);
        },
    )
    .peers("= or $SYSROOT at the front stands for the sysroot; -L holds for -l before it too"),
    Row::flag(&["-nostdlib"], "Search only the directories given by -L", |d| {
        d.options.only_given_directories = true;
    })
    .peers("those of SEARCH_DIR in scripts are left out too; lld has no others"),
    Row::value(&["-Y"], "PATH", "Search PATH instead of the standard directories", |d, v| {
        let bytes = v.text.as_bytes();
        let list = std::ffi::OsStr::from_bytes(bytes.strip_prefix(b"P,").unwrap_or(bytes));
        d.standard_paths = Some(list.into());
        Ok(())
    })
    .peers("Solaris spelling, GNU ld only"),
    Row::path(
        &["--sysroot"],
        "DIR",
        "Look for libraries and scripts' files below DIR",
        |d, dir| {
            d.options.sysroot = Some(dir).filter(|dir| !dir.as_os_str().is_empty());
        },
    ),
    Row::value(&["-rpath-link"], "PATH", "Where to find what shared libraries need", |d, v| {
        d.options.rpath_link.extend(split_paths(v.text));
        Ok(())
    }),
    Row::value(
        &["-R"],
        "FILE",
        "Take only the symbols of FILE; a directory is an -rpath",
        |d, v| {
            if v.path().is_file() {
                d.just_symbols(v.path());
            } else {
                d.rpath(v.text()?);
            }
            Ok(())
        },
    )
    .peers("a path that does not exist is an -rpath too, as for GNU ld; always one for lld, mold"),
    Row::path(&["--just-symbols"], "FILE", "Take only the symbols of FILE", |d, file| {
        d.just_symbols(file);
    }),
    Row::switch(
        &["--as-needed"],
        &["--no-as-needed"],
        "Need the shared libraries that follow only if they are used",
        |d, on| d.position.as_needed = on,
    ),
    Row::switch(
        &["--whole-archive"],
        &["--no-whole-archive"],
        "Take every member of the archives that follow",
        |d, on| d.position.whole_archive = on,
    ),
    Row::flag(
        &["-Bstatic", "-dn", "-non_shared"],
        "Look only for archives for -l that follow, and take no shared library",
        |d| d.position.search_static = true,
    ),
    Row::flag(
        &["-Bdynamic", "-dy", "-call_shared"],
        "Look for shared libraries too for -l that follow (default)",
        |d| {
            d.position.search_static = false;
            d.options.is_static = false;
        },
    ),
    Row::value(&["-a"], "archive|shared|default", "HP/UX for -Bstatic and -Bdynamic", |d, v| {
        // An unknown word is more likely a mistyped option that begins with `-a` than a word of
        // HP-UX.
        let known = v.choice().map_err(|_| nearest::unknown(v.as_typed().as_bytes()))?;
        d.position.search_static = known == "archive";
        Ok(())
    }),
    Row::flag(&["--start-group", "-("], "Start a group of archives", Draft::start_group)
        .peers("archives are searched as if every link were one group, as in lld and mold"),
    Row::value(&["--end-group", "-)"], "", "End a group of archives", |d, v| d.end_group(v.option))
        .form(Form::None)
        .peers("an error without --start-group, as for GNU ld and lld; mold lets it pass"),
    Row::flag(&["--start-lib"], "Take the objects that follow only if needed", |d| {
        d.start_lib();
    })
    .peers("not in GNU ld 2.40"),
    Row::value(&["--end-lib"], "", "End of --start-lib", |d, v| d.end_lib(v.option))
        .form(Form::None),
    Row::flag(
        &["--push-state"],
        "Save -Bstatic, --as-needed and --whole-archive as they stand",
        |d| d.saved_positions.push(d.position),
    ),
    Row::value(&["--pop-state"], "", "Go back to what --push-state saved", |d, v| {
        d.pop_state(v.option)
    })
    .form(Form::None),
    Row::choice(
        &["-b", "--format"],
        "default|binary|elf|elf64-little|elf64-big|elf32-little|elf32-big|elf64-x86-64|elf32-x86-64|\
         elf32-i386|elf64-littleaarch64|elf64-bigaarch64|elf64-littleriscv|elf64-bigriscv|\
         elf32-littleriscv|elf32-bigriscv|elf32-m68k|elf64-s390|elf64-powerpcle|elf64-powerpc|\
         elf32-powerpc|elf32-powerpcle|\
         elf64-sparc|elf32-littlearm|elf32-bigarm|elf64-loongarch|elf32-loongarch|\
         elf32-sh-linux|elf32-shbig-linux|elf64-tradlittlemips|elf64-tradbigmips|\
         elf32-ntradlittlemips|elf32-ntradbigmips|elf32-tradlittlemips|elf32-tradbigmips|elf32-avr|\
         elf32-msp430",
        "Format of the inputs that follow",
        |d, word| d.binary = word == "binary",
    )
    .peers("mold and wild refuse it; the other formats of GNU ld are not read"),
    Row::path(&["-T", "--script"], "FILE", "Lay the output out as FILE says", |d, file| {
        d.script(file);
    })
    .peers("several are joined, as by GNU ld and lld; mold reads it as one more input"),
    Row::path(
        &["--default-script", "-dT"],
        "FILE",
        "Lay the output out as FILE says if there is no -T, or one that only inserts",
        |d, file| d.options.default_script = Some(file),
    ),
    Row::path(
        &["-c", "--mri-script"],
        "FILE",
        "Link as FILE, in the language of MRI's linker, says",
        |d, file| {
            d.mri_script(file);
        },
    )
    .peers("GNU ld only, which also takes the commands that lay the output out"),
    Row::value(&["--remap-inputs"], "GLOB=FILE", "Open FILE for inputs that match GLOB", |d, v| {
        let (glob, file) = v.pair()?;
        d.options.remap_inputs.push((glob.to_owned(), file.to_owned()));
        Ok(())
    })
    .peers("lld, GNU ld from 2.41; GNU ld takes @FILE here for --remap-inputs-file, too"),
    Row::path(&["--remap-inputs-file"], "FILE", "Read GLOB=FILE lines from FILE", |d, file| {
        d.options.remap_inputs_files.push(file);
    }),
    Row::switch(
        &["--dependent-libraries"],
        &["--no-dependent-libraries"],
        "Link the libraries that .deplibs sections name (default)",
        |d, on| d.options.no_dependent_libraries = !on,
    )
    .peers("lld only"),
    Row::switch(
        &["--copy-dt-needed-entries", "--add-needed"],
        &["--no-copy-dt-needed-entries", "--no-add-needed"],
        "Resolve symbols from what the shared libraries that follow need as well",
        |d, on| d.position.copies_needed = on,
    )
    .peers("only GNU ld can; off by default everywhere"),
    Row::path(
        &["-C", "--directory"],
        "DIR",
        "Change to DIR before anything is opened",
        |d, dir| {
            d.options.directory = Some(dir);
        },
    )
    .peers("mold only"),
    Row::value(&["--chroot"], "DIR", "Take absolute paths to be below DIR", |d, v| {
        if v.text.is_empty() {
            return Err(Error(format!("{}: empty directory name", v.option)));
        }
        d.options.chroot = Some(v.path());
        Ok(())
    })
    .peers("mold only"),
];
