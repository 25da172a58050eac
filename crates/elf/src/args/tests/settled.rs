//! Values: positional flags, defaults, and options that depend on several words.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::draft::Draft;
use super::super::options::*;
use super::super::parse::parse_in;
use super::super::rows::{MACHINE_KEYWORDS, THEMES};
use super::super::settle::settle;
use super::{error, inputs, options, parse};
use crate::args::Report;
use crate::machine::{MACHINES, Machine};

#[test]
fn defaults() {
    let o = options("a.o");
    assert_eq!(o.output, Path::new("a.out"));
    assert_eq!(o.kind, OutputKind::Executable);
    assert_eq!((o.init.as_str(), o.fini.as_str()), ("_init", "_fini"));
    assert!(o.new_dtags && o.demangle && o.z.relro && !o.z.now && !o.eh_frame_hdr);
    assert!(!o.gc_sections && !o.start_stop_gc && !o.is_static);
    assert_eq!(o.hash_style, HashStyle { sysv: true, gnu: true });
    assert_eq!(o.separate_code(), SeparateCode::Code);
    assert!(o.has_rosegment());
    let of_arm = options("-maarch64linux a.o");
    assert_eq!(of_arm.separate_code(), SeparateCode::None);
    assert!(!of_arm.has_rosegment());
    assert!(options("-maarch64linux -z separate-code a.o").has_rosegment());
    assert_eq!((o.error_limit, o.build_id), (20, BuildId::None));
    assert_eq!((o.unresolved, o.threads, o.color), (Unresolved::Default, 0, None));
}

#[test]
fn flags_hold_for_the_inputs_that_follow() {
    let o = options(
        "a.o --as-needed -lb --push-state --whole-archive -Bstatic c.a --no-as-needed -ld \
         --pop-state e.so --start-lib f.o --end-lib g.o -b binary h.txt -b default i.o \
         --just-symbols j.o",
    );
    let names = ["a.o", "-lb", "c.a", "-ld", "e.so", "f.o", "g.o", "h.txt", "i.o", "j.o"];
    assert_eq!(inputs(&o), names);
    let column = |get: fn(&Input) -> bool| -> String {
        o.inputs.iter().map(|input| if get(input) { 'x' } else { '.' }).collect()
    };
    assert_eq!(column(|i| i.as_needed), ".xx.xxxxxx");
    assert_eq!(column(|i| i.whole_archive), "..xx......");
    assert_eq!(column(|i| i.search_static), "..xx......");
    assert_eq!(column(|i| i.lazy), ".....x....");
    assert_eq!(column(|i| i.binary), ".......x..");
    assert_eq!(column(|i| i.just_symbols), ".........x");
    assert_eq!(error("a.o --pop-state"), "--pop-state without --push-state");
    assert_eq!(error("a.o --end-group"), "--end-group without --start-group");
    assert!(error("-( a.o -) -)").contains("without --start-group"));
    assert_eq!(inputs(&options("-( -( a.o -) --end-group --start-group")), ["a.o"]);
    assert_eq!(error("--start-lib a.o --end-lib --end-lib"), "--end-lib without --start-lib");
}

#[test]
fn static_is_for_the_link_and_for_the_search() {
    let o = options("-static -la");
    assert!(o.is_static && o.inputs[0].search_static);
    let o = options("-Bstatic -la -Bdynamic -lb");
    assert!(!o.is_static && o.inputs[0].search_static && !o.inputs[1].search_static);
    let o = options("-static -la -Bdynamic -lb");
    assert!(!o.is_static && o.inputs[0].search_static && !o.inputs[1].search_static);
}

#[test]
fn dashes() {
    assert_eq!(options("-omagic a.o").output, Path::new("magic"));
    assert!(options("--omagic a.o").omagic);
    assert_eq!(options("-o x a.o").output, Path::new("x"));
    assert_eq!(options("--output=x a.o").output, Path::new("x"));
    assert_eq!(options("-oformat=x a.o").output, Path::new("format=x"));
    assert_eq!(options("-soname x a.o").soname.as_deref(), Some("x"));
    assert_eq!(options("-hx a.o").soname.as_deref(), Some("x"));
    assert_eq!(inputs(&options("-- -shared --")), ["-shared", "--"]);
    assert_eq!(inputs(&options("- a.o")), ["-", "a.o"]);
    let scripts = options("b.o -Tscript.ld a.o").scripts;
    assert_eq!((&*scripts[0].path, scripts[0].position), (Path::new("script.ld"), 1));
    let flags = |text: &str| {
        let input = &options(text).scripts[0].input;
        (input.as_needed, input.whole_archive, input.search_static, input.binary)
    };
    assert_eq!(flags("-T s.ld --as-needed -Bstatic a.o"), (false, false, false, false));
    let all = "--as-needed --whole-archive -Bstatic -b binary -T s.ld a.o";
    assert_eq!(flags(all), (true, true, true, true));
    assert_eq!(options("-Ttext 1000 a.o").section_start, [(".text".to_owned(), 0x1000)]);
    assert!(error("--o x").starts_with("unknown command line option: --o"));
    assert!(error("--v").starts_with("unknown command line option: --v"));
}

#[test]
fn unknown_options_are_errors_with_a_suggestion() {
    assert_eq!(error("--abcdefg"), "unknown command line option: --abcdefg");
    assert_eq!(error("-abcdefg"), "unknown command line option: -abcdefg");
    assert!(error("--exclud-libs=ALL").ends_with("did you mean --exclude-libs?"));
    assert!(error("-sx").starts_with("unknown command line option: -sx"));
}

#[test]
fn unknown_keywords_are_warnings() {
    let warning = |line: &[&str]| parse(line).unwrap().warnings;
    assert_eq!(warning(&["-zfoo"]), ["unknown command line option: -zfoo"]);
    assert_eq!(warning(&["-z", "foo=1", "a.o"]), ["unknown command line option: -z foo=1"]);
    assert!(error("-z max-page-size=3").contains("expected a power of 2"));
}

#[test]
fn levels_are_numbers_or_a_compiler_s_words() {
    let o = options("-O a.o");
    assert_eq!((o.optimize, inputs(&o)), (1, vec!["a.o".to_owned()]));
    assert_eq!(options("-O 2 a.o").optimize, 2);
    assert_eq!(options("-O3 a.o").optimize, 3);
    assert_eq!(options("-Os -O fast a.o").optimize, 2);
    assert_eq!(options("-Og a.o").optimize, 1);
    assert!(error("-Ofaster").contains("expected a number"));
    assert_eq!(inputs(&options("-O 2.o")), ["2.o"]);
    assert_eq!(options("-G a.o").kind, OutputKind::Shared);
    assert_eq!(options("-G 8 a.o").kind, OutputKind::Executable);
}

#[test]
fn kinds() {
    let kind = |line: &str| options(&format!("{line} a.o")).kind;
    assert_eq!(kind("-pie"), OutputKind::PieExecutable);
    assert_eq!(kind("-pie -no-pie"), OutputKind::Executable);
    assert_eq!(kind("-static -pie"), OutputKind::PieExecutable);
    assert_eq!(kind("-pie -shared"), OutputKind::Shared);
    assert_eq!(kind("-shared -pie"), OutputKind::PieExecutable);
    assert_eq!(kind("-shared -no-pie"), OutputKind::Executable);
    for word in ["-r", "-i", "-Ur", "--relocatable"] {
        assert_eq!(kind(word), OutputKind::Relocatable);
    }
    assert_eq!(error("-r -shared a.o"), "-r and -shared may not be used together");
    assert_eq!(
        error("-maarch64linux --oformat elf64-x86-64 a.o"),
        "--oformat=elf64-x86-64: is not a format of aarch64linux"
    );
    assert_eq!(error("-pie -r a.o"), "-r and -pie may not be used together");
    assert!(!options("-r --eh-frame-hdr a.o").eh_frame_hdr);
    assert!(error("-f x a.o").contains("may not be used without -shared"));
}

#[test]
fn undefined_symbols() {
    let rule = |line: &str| options(&format!("{line} a.o")).unresolved;
    assert_eq!(rule("-z defs"), Unresolved::ReportAll);
    assert_eq!(rule("-shared --no-undefined"), Unresolved::ReportAll);
    assert_eq!(rule("-z defs -z undefs"), Unresolved::IgnoreInObjectFiles);
    assert_eq!(rule("--unresolved-symbols=ignore-all"), Unresolved::IgnoreAll);
    assert_eq!(rule("--unresolved-symbols=ignore-in-shared-libs"), Unresolved::IgnoreInSharedLibs);
    assert_eq!(
        rule("--unresolved-symbols=ignore-in-object-files"),
        Unresolved::IgnoreInObjectFiles
    );
    assert_eq!(rule("--warn-unresolved-symbols"), Unresolved::Warn);
    assert_eq!(rule("--warn-unresolved-symbols --error-unresolved-symbols"), Unresolved::Default);
    assert_eq!(rule("-shared --warn-unresolved-symbols"), Unresolved::Default);
    assert_eq!(rule("-shared -z defs --warn-unresolved-symbols"), Unresolved::Warn);
    let o = options("--unresolved-symbols=ignore-in-shared-libs a.o");
    assert_eq!(o.allow_shlib_undefined, Some(true));
}

#[test]
fn library_paths_are_below_the_sysroot() {
    let o = options("-nostdlib -L/a -L=/b -L $SYSROOT/c --library-path=d --sysroot=/s/ -lx");
    let paths = ["/a", "/s/b", "/s/c", "d"].map(PathBuf::from);
    assert_eq!(o.library_paths, paths);
    let o = options("-L=/b --sysroot=/s -lx");
    assert_eq!(o.library_paths[0], Path::new("/s/b"));
    assert!(o.library_paths.contains(&PathBuf::from("/s/usr/lib/x86_64-linux-gnu")));
    let o = options("-L=/b -YP,/y:/z -lx");
    assert_eq!(o.library_paths, ["/b", "/y", "/z"].map(PathBuf::from));
    assert_eq!(options("-rpath-link /a:/b -rpath-link=/c a.o").rpath_link.len(), 3);
}

#[test]
fn rpaths_are_joined_without_duplicates() {
    assert_eq!(options("-rpath /a -rpath=/b -rpath /a -R /no/such a.o").rpath, "/a:/b:/no/such");
    let o = options("-R /usr a.o");
    assert_eq!((o.rpath.as_str(), o.inputs.len()), ("/usr", 1));
    let file = tempfile::NamedTempFile::new().unwrap();
    let o = options(&format!("-R {} a.o", file.path().display()));
    assert!(o.rpath.is_empty() && o.inputs[0].just_symbols);
}

#[test]
fn the_environment_stands_in() {
    let environment = |name: &str| (name == "LD_RUN_PATH").then(|| OsString::from("/run:/path"));
    let rpath = |words: &[&str]| {
        let argv: Vec<OsString> = words.iter().map(OsString::from).collect();
        parse_in(&argv, &environment).unwrap().options.rpath
    };
    assert_eq!(rpath(&["ld", "a.o"]), "/run:/path");
    assert_eq!(rpath(&["ld", "-rpath=/x", "a.o"]), "/x");
}

#[test]
fn maps_are_named_after_the_output() {
    let map = |line: &str| options(&format!("{line} -o dir/out a.o")).map;
    assert_eq!(map(""), None);
    assert_eq!(map("-M"), Some("-".into()));
    assert_eq!(map("-Map x.map -M"), Some("x.map".into()));
    assert_eq!(map("-Map=%"), Some("dir/out.map".into()));
    assert_eq!(map("-Map=%.txt"), Some("dir/out.txt".into()));
    assert_eq!(map("-Map=/tmp"), Some("/tmp/out.map".into()));
    let o = options("--time-trace --repro --separate-debug-file -o x a.o");
    assert_eq!(o.reports.time_trace, Some("x.time-trace".into()));
    assert_eq!(o.reports.reproduce, Some("x.repro.tar".into()));
    assert_eq!(o.separate_debug_file, Some("x.dbg".into()));
}

#[test]
fn chroot_is_put_before_absolute_paths() {
    let o = options("--chroot=/jail -nostdlib -L/lib -Llib -T /s.ld -Map=m -plugin /p.so /a.o b.o");
    assert_eq!(inputs(&o), ["/jail/a.o", "b.o"]);
    assert_eq!(o.lto.plugins[0].path, Path::new("/p.so"));
    assert_eq!(o.library_paths, ["/jail/lib", "lib"].map(PathBuf::from));
    let scripts: Vec<&Path> = o.scripts.iter().map(|script| &*script.path).collect();
    assert_eq!((scripts, o.map), (vec![Path::new("/jail/s.ld")], Some("m".into())));
}

#[test]
fn build_ids() {
    let id = |word: &str| options(&format!("{word} a.o")).build_id;
    assert_eq!(id("--build-id"), BuildId::Sha1);
    assert_eq!(id("--build-id=tree"), BuildId::Sha1);
    assert_eq!(id("--build-id=fast"), BuildId::Fast);
    assert_eq!(id("--build-id --build-id=none"), BuildId::None);
    assert_eq!(id("--build-id=0xDEADbeef"), BuildId::Hex(vec![0xde, 0xad, 0xbe, 0xef]));
    assert_eq!(id("--build-id=0x12-34:56"), BuildId::Hex(vec![0x12, 0x34, 0x56]));
    for bad in ["0x", "0x1", "0xzz", "0x1-2", "sha512", ""] {
        let parsed = parse(&["--build-id=md5", &format!("--build-id={bad}"), "a.o"]).unwrap();
        assert_eq!(parsed.options.build_id, BuildId::None, "{bad}");
        assert!(parsed.warnings[0].contains("hexadecimal bytes"), "{bad}");
    }
}

#[test]
fn package_metadata_is_decoded() {
    let text = |word: &str| options(&format!("--package-metadata={word} a.o")).package_metadata;
    assert_eq!(text("{}").as_deref(), Some("{}"));
    assert_eq!(text("%7B%22a%22%3a1%7d").as_deref(), Some("{\"a\":1}"));
    assert_eq!(text("%[lbrace]%[quot]a%[comma]").as_deref(), Some("{\"a,"));
    assert_eq!(text(""), None);
    assert_eq!(options("--package-metadata a.o").package_metadata, None);
    for bad in ["foo%x", "%", "%1", "%é1", "%[dot]"] {
        let error = error(&format!("--package-metadata={bad} a.o"));
        assert!(error.contains(&format!("invalid string: {bad}")), "{error}");
    }
}

#[test]
fn values_with_several_parts() {
    let o = options("--defsym=a=b+1 --defsym c=0x10 --exclude-libs a:b,ALL a.o");
    let defsyms = o.defsym.iter().map(|defsym| (&*defsym.name, &*defsym.expression));
    assert!(defsyms.eq([("a", "b+1"), ("c", "0x10")]));
    let o = options("--defsym=a=1 -T s a.o -T t --defsym=b=2 --exclude-libs a:b,ALL");
    let places = o.defsym.iter().map(|defsym| (defsym.position, defsym.scripts));
    assert!(places.eq([(0, 0), (1, 2)]));
    assert_eq!(o.exclude_libs, ["a", "b", "ALL"]);
    assert!(error("--defsym=a").contains("expected SYMBOL=EXPRESSION"));
    assert!(error("--section-start=.a=zz").contains("hexadecimal"));
    let o = options("-z dead-reloc-in-nonalloc=.debug_*=0xff --compress-sections=.x=zstd:9 a.o");
    assert_eq!(o.z.dead_reloc_in_nonalloc, [(".debug_*".to_owned(), 0xff)]);
    assert_eq!(o.compress_sections, [(".x".to_owned(), Compression::Zstd(Some(9)))]);
    assert!(error("--compress-debug-sections=zlib:10").contains("must be between 0 and 9"));
    assert!(error("--compress-debug-sections=lzma").contains("zlib:0 to zlib:9"));
    let o = options("--shuffle-sections=.a=0 --shuffle-sections=*=-1 --shuffle-sections=5 a.o");
    let shuffle: Vec<_> = o.arrangement.shuffle.iter().map(|rule| rule.how).collect();
    assert_eq!(shuffle, [Shuffle::Random, Shuffle::Reverse, Shuffle::Seed(5)]);
    let o = options("-plugin p.so -plugin-opt=-x --lto-O2 --thinlto-jobs=4 -mllvm -y a.o");
    let plugin = GivenPlugin { path: "p.so".into(), options: vec!["-x".to_owned()] };
    assert_eq!(o.lto.plugins, [plugin]);
    assert_eq!(o.lto.plugin_options, ["O2", "jobs=4"]);
    assert_eq!(o.lto.llvm_options, ["-y"]);
    for name in ["whole-program-visibility", "unique-basic-block-section-names"] {
        assert_eq!(options(&format!("--lto-{name} a.o")).lto.plugin_options.len(), 1);
        let o = options(&format!("--lto-{name} --no-lto-{name} a.o"));
        assert!(o.lto.plugin_options.is_empty());
    }
}

#[test]
fn numbers_and_addresses() {
    assert_eq!(options("-Ttext-segment=400000 a.o").image_base, Some(0x400000));
    assert_eq!(options("--image-base=0x400000 a.o").image_base, Some(0x400000));
    assert_eq!(parse(&["--image-base=1234", "a.o"]).unwrap().warnings.len(), 1);
    assert_eq!(options("-z max-page-size=64K a.o").z.max_page_size, Some(0x10000));
    assert_eq!(options("-z stack-size=1M a.o").z.stack_size, 1 << 20);
    assert!(error("--threads=0").contains("positive"));
    assert!(error("--spare-dynamic-tags=4294967296").contains("below 4294967296"));
    assert!(error("--spare-program-headers=0x40000000").contains("below 65536"));
}

#[test]
fn keywords_set_fields() {
    let z = |line: &str| options(&format!("{line} a.o")).z;
    assert!(z("-z now").now && !z("-z now -z lazy").now);
    assert!(!z("-z norelro").relro && !z("-N").relro && z("-N -z relro").relro);
    assert_eq!(z("-z text -z notext").text, Some(false));
    assert_eq!(z("-z x86-64-v3 -z x86-64-v2").isa_level, 3);
    assert_eq!(
        z("-z cet-report=none -z cet-report=error").features.report("cet-report"),
        Report::Error
    );
    assert!(z("-z force-ibt").features.has("ibt"));
    assert_eq!(z("-z call-nop=suffix-nop").call_nop, CallNop::Suffix(0x90));
    assert_eq!(z("-z nodynamic-undefined-weak").dynamic_undefined_weak, Some(false));
    assert_eq!(options("-z start-stop-visibility=hidden a.o").start_stop_visibility, Some(2));
    assert!(options("-z pack-relative-relocs a.o").pack_relative_relocs);
    assert!(options("--pack-dyn-relocs=android+relr a.o").pack_android_relocs);
}

#[test]
fn formats_of_all_machines_are_known() {
    for machine in MACHINES {
        for option in ["-b", "--oformat"] {
            let parsed = parse(&[option, machine.format, "a.o"]);
            assert!(parsed.is_ok(), "{option} {}", machine.format);
        }
    }
}

#[test]
fn words_of_other_machines_are_warned_of() {
    for word in MACHINES.iter().flat_map(|machine| machine.keywords) {
        let is_keyword = MACHINE_KEYWORDS.iter().any(|row| row.names[0] == *word);
        let mut options = THEMES.iter().flat_map(|theme| theme.rows);
        let is_option = options.any(|row| row.names.contains(word) || row.off.contains(word));
        assert!(is_keyword || is_option, "{word}");
    }
    for machine in MACHINES {
        let features = machine.properties.features.iter();
        let words = features.flat_map(|f| [f.words, f.reports, f.demanding].concat());
        for (word, _) in words {
            let name = word.split('=').next().unwrap();
            assert!(machine.keywords.contains(&name), "{word}");
        }
    }
    let mut draft = Draft::new();
    draft.options.machine_words.keywords =
        vec![("ibt", "-zibt".to_owned()), ("now", "-z now".to_owned())];
    let without = Machine { keywords: &[], ..*MACHINES[0] };
    draft.options.machine = Box::leak(Box::new(without));
    draft.options.machine_from = MachineFrom::Option;
    let (_, warnings) = settle(draft, &|_| None).unwrap();
    assert_eq!(warnings, ["unknown command line option: -zibt"]);
    assert!(parse(&["-zibt", "-z", "call-nop=prefix-nop", "a.o"]).unwrap().warnings.is_empty());
}

#[test]
fn other_machines_are_refused() {
    assert_eq!(options("-melf_x86_64 a.o").machine.emulation, "elf_x86_64");
    let refused = error("-m elf_other a.o");
    assert!(refused.starts_with("-m: bad value 'elf_other': expected elf_x86_64, "), "{refused}");
    assert_eq!(options("-maarch64elf a.o").machine.emulation, "aarch64linux");
    assert_eq!(options("-maarch64elfb a.o").machine.emulation, "aarch64linuxb");
    assert_eq!(options("-maarch64elf a.o").os_abi, None);
    assert_eq!(options("-m aarch64fbsd a.o").os_abi, Some(9));
    assert_eq!(options("-EB -m aarch64linux a.o").machine.emulation, "aarch64linuxb");
    assert_eq!(options("-maarch64linuxb -EL a.o").machine.emulation, "aarch64linux");
    assert_eq!(options("-m elf_x86_64 -EB a.o").machine.emulation, "elf_x86_64");
    assert_eq!(options("-m elf_x86_64 a.o").os_abi, None);
    assert_eq!(options("-m elf_x86_64_fbsd a.o").os_abi, Some(9));
    assert_eq!(options("--oformat=elf64-x86-64-freebsd a.o").os_abi, Some(9));
}
