//! Options about the dynamic section and the behaviour of the dynamic linker.

use super::FoundRow;
use crate::args::draft::{Draft, append_path, unknown_keyword};
use crate::args::options::{Bsymbolic, HashStyle};
use crate::args::processors::TagChecks;
use crate::args::rows::Row;
use skald_core::diag::{Error, Result};
use skald_linking::option_row::{Form, Typed, Value};

pub(super) static ROWS: &[Row] = &[
    Row::choice(
        &["--android-memtag-mode"],
        "sync|async|none",
        "Tag memory, and check tags at once or later",
        |d, word| {
            d.options.memory_tagging.checks = tag_checks(word);
            d.options.memory_tagging.has_note = word != "none";
            d.android_mode_given = true;
        },
    )
    .peers("lld only"),
    Row::flag(&["--android-memtag-heap"], "Tag memory of the heap", |d| {
        d.options.memory_tagging.heap = true;
        d.android_memory.push("--android-memtag-heap");
    })
    .peers("lld only"),
    Row::flag(&["--android-memtag-stack"], "Tag memory of the stack", |d| {
        d.options.memory_tagging.stack = true;
        d.android_memory.push("--android-memtag-stack");
    })
    .peers("lld only"),
    Row::text(&["-soname", "-h"], "FILENAME", "Name of the shared library", |d, name| {
        d.options.soname = Some(name).filter(|name| !name.is_empty());
    }),
    Row::value(&["-rpath"], "PATH", "Where the dynamic linker looks for libraries", |d, v| {
        d.rpath(v.text()?);
        Ok(())
    })
    .peers("not given, LD_RUN_PATH is taken, as by GNU ld"),
    Row::switch(
        &["--enable-new-dtags"],
        &["--disable-new-dtags"],
        "-rpath makes DT_RUNPATH (default) and not DT_RPATH",
        |d, on| d.options.new_dtags = on,
    ),
    Row::text(&["-I", "--dynamic-linker"], "PROGRAM", "Name of the dynamic linker", |d, name| {
        d.options.dynamic_linker = Some(name).filter(|name| !name.is_empty());
        d.options.no_dynamic_linker = false;
    })
    .peers("-I is not in lld"),
    Row::flag(&["--no-dynamic-linker"], "No PT_INTERP", |d| {
        d.options.dynamic_linker = None;
        d.options.no_dynamic_linker = true;
    }),
    Row::value(&["-f", "--auxiliary"], "SHLIB", "DT_AUXILIARY: SHLIB's symbols come first", {
        |d, v| {
            d.options.auxiliary.push(v.text()?.to_owned());
            Ok(())
        }
    })
    .peers("with -shared only"),
    Row::value(&["-F", "--filter"], "SHLIB", "DT_FILTER: only SHLIB's symbols", |d, v| {
        d.options.filter.push(v.text()?.to_owned());
        Ok(())
    })
    .peers("with -shared only"),
    Row::text(&["--audit"], "LIBS", "DT_AUDIT", |d, libs| {
        append_path(&mut d.options.audit, &libs);
    })
    .peers("not in lld"),
    Row::text(&["-P", "--depaudit"], "LIBS", "DT_DEPAUDIT", |d, libs| {
        append_path(&mut d.options.depaudit, &libs);
    })
    .peers("not in lld"),
    Row::choice(
        &["--hash-style"],
        "sysv|gnu|both|none",
        "Hash tables (default both)",
        |d, word| {
            let (sysv, gnu) = (matches!(word, "sysv" | "both"), matches!(word, "gnu" | "both"));
            d.options.hash_style = HashStyle { sysv, gnu };
        },
    )
    .peers("none is mold's"),
    Row::choice(
        &["--pack-dyn-relocs"],
        "none|relr|android|android+relr",
        "Pack dynamic relocations",
        |d, word| {
            d.options.pack_dyn_relocs_relr = word.ends_with("relr");
            d.options.pack_android_relocs = word.starts_with("android");
        },
    )
    .peers("android and android+relr: lld, mold"),
    Row::switch(
        &["--use-android-relr-tags"],
        &["--no-use-android-relr-tags"],
        "DT_ANDROID_RELR instead of DT_RELR",
        |d, on| d.options.android_relr_tags = on,
    ),
    Row::switch(
        &["--apply-dynamic-relocs"],
        &["--no-apply-dynamic-relocs"],
        "Write the addends of dynamic relocations in place as well",
        |d, on| d.options.apply_dynamic_relocs = Some(on),
    )
    .peers("not said, only those of relative relocations; none for lld, all for mold"),
    Row::value(&["--spare-dynamic-tags"], "COUNT", "DT_NULL entries to add", |d, v| {
        d.options.spare_dynamic_tags = v.count()?;
        Ok(())
    }),
    Row::flag(&["-Bsymbolic"], "Bind a shared library's references to itself", |d| {
        d.options.bsymbolic = Bsymbolic::All;
    }),
    Row::flag(&["-Bsymbolic-functions"], "The same for functions", |d| {
        d.options.bsymbolic = Bsymbolic::Functions;
    }),
    Row::flag(&["-Bsymbolic-non-weak"], "The same for symbols that are not weak", |d| {
        d.options.bsymbolic = Bsymbolic::NonWeak;
    })
    .peers("not in GNU ld"),
    Row::flag(&["-Bsymbolic-non-weak-functions"], "The same for functions not weak", |d| {
        d.options.bsymbolic = Bsymbolic::NonWeakFunctions;
    })
    .peers("not in GNU ld"),
    Row::flag(&["-Bno-symbolic"], "Undo the above (default)", |d| {
        d.options.bsymbolic = Bsymbolic::None;
    }),
    Row::flag(&["-Bgroup"], "DF_1_GROUP: look symbols up in the group only", |d| {
        d.options.group_lookup = true;
        // `-Bgroup`: all symbols must resolve among the libraries of the group.
        d.undefined.report_in_objects = Some(true);
        d.undefined.report_in_shared = Some(true);
    })
    .peers("GNU ld only; undefined symbols are errors then"),
    Row::switch(
        &["--eh-frame-hdr"],
        &["--no-eh-frame-hdr"],
        "Make .eh_frame_hdr and PT_GNU_EH_FRAME",
        |d, on| d.options.eh_frame_hdr = on,
    ),
    Row::switch(
        &["--ld-generated-unwind-info"],
        &["--no-ld-generated-unwind-info"],
        "Describe the PLT in .eh_frame (default)",
        |d, on| d.options.no_plt_unwind_info = !on,
    )
    .peers("GNU ld only"),
    Row::value(&["-z"], "WORD", "One of the words listed below", keyword),
];

/// The meaning of a mode of memory tagging.
pub(super) fn tag_checks(word: &str) -> Option<TagChecks> {
    match word {
        "sync" => Some(TagChecks::Synchronous),
        "async" => Some(TagChecks::Asynchronous),
        _ => None,
    }
}

/// Applies a `-z` word. An unknown word is a warning, as in every other linker, so that a new word
/// does not break a build with an older linker.
fn keyword(draft: &mut Draft, value: &Value<'_>) -> Result<()> {
    let word = value.text()?;
    let (name, argument) = match word.split_once('=') {
        Some((name, argument)) => (name, Some(argument)),
        None => (word, None),
    };
    let Some(FoundRow { row, off }) = super::find_keyword(name.as_bytes()) else {
        draft.warnings.push(unknown_keyword(&value.as_typed()));
        return Ok(());
    };
    draft.options.machine_words.keywords.push((row.names[0], value.as_typed()));
    let option = format!("-z {name}");
    match (row.form, argument) {
        (Form::Required, None) => {
            Err(Error(format!("{option}: missing argument: {option}={}", row.meta)))
        }
        (Form::None, Some(_)) => Err(Error(format!("{option} takes no value"))),
        _ => {
            let argument = argument.map(AsRef::as_ref);
            row.apply(draft, &Typed { option: &option, off, argument, joined: true })
        }
    }
}
