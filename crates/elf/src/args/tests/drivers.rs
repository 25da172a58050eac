//! Command lines as compiler drivers write them, recorded with `-###` and the like; paths are
//! shortened.

use std::path::Path;

use super::super::options::*;
use super::{inputs, options};

/// `gcc hello.c`, GCC 12 on Debian.
const GCC: &str = "-plugin /usr/lib/gcc/x86_64-linux-gnu/12/liblto_plugin.so \
    -plugin-opt=/usr/lib/gcc/x86_64-linux-gnu/12/lto-wrapper \
    -plugin-opt=-fresolution=/tmp/ccys2a1X.res -plugin-opt=-pass-through=-lgcc \
    -plugin-opt=-pass-through=-lgcc_s -plugin-opt=-pass-through=-lc \
    --build-id --eh-frame-hdr -m elf_x86_64 --hash-style=gnu --as-needed \
    -dynamic-linker /lib64/ld-linux-x86-64.so.2 -pie /usr/lib/Scrt1.o /usr/lib/crti.o \
    crtbeginS.o -L/usr/lib/gcc/x86_64-linux-gnu/12 -L/usr/lib/x86_64-linux-gnu hello.o -lgcc \
    --push-state --as-needed -lgcc_s --pop-state -lc -lgcc --push-state --as-needed -lgcc_s \
    --pop-state crtendS.o crtn.o";

#[test]
fn gcc() {
    let o = options(GCC);
    assert_eq!(o.kind, OutputKind::PieExecutable);
    assert_eq!(o.build_id, BuildId::Sha1);
    assert!(o.eh_frame_hdr && !o.is_static);
    assert_eq!(o.hash_style, HashStyle { sysv: false, gnu: true });
    assert_eq!(o.emulation.as_deref(), Some("elf_x86_64"));
    assert_eq!(o.dynamic_linker.as_deref(), Some("/lib64/ld-linux-x86-64.so.2"));
    assert_eq!(o.lto.plugin_options.len(), 5);
    assert_eq!(o.library_paths[1], Path::new("/usr/lib/x86_64-linux-gnu"));
    let names = [
        "/usr/lib/Scrt1.o",
        "/usr/lib/crti.o",
        "crtbeginS.o",
        "hello.o",
        "-lgcc",
        "-lgcc_s",
        "-lc",
        "-lgcc",
        "-lgcc_s",
        "crtendS.o",
        "crtn.o",
    ];
    assert_eq!(inputs(&o), names);
    assert!(o.inputs.iter().all(|input| input.as_needed && !input.search_static));
}

#[test]
fn gcc_static() {
    let o = options(
        "--build-id -m elf_x86_64 --hash-style=gnu --as-needed -static crt1.o crti.o crtbeginT.o \
         -L/usr/lib hello.o --start-group -lgcc -lgcc_eh -lc --end-group crtend.o crtn.o",
    );
    assert_eq!(o.kind, OutputKind::Executable);
    assert!(o.is_static && !o.eh_frame_hdr && o.dynamic_linker.is_none());
    assert_eq!(o.inputs.len(), 9);
    assert!(o.inputs.iter().all(|input| input.search_static));
}

#[test]
fn gcc_static_pie() {
    let o = options(
        "--build-id --eh-frame-hdr -m elf_x86_64 --hash-style=gnu --as-needed -static -pie \
         --no-dynamic-linker -z text -pie rcrt1.o hello.o -lc",
    );
    assert_eq!(o.kind, OutputKind::PieExecutable);
    assert!(o.is_static && o.no_dynamic_linker && o.dynamic_linker.is_none());
    assert_eq!(o.z.text, Some(true));
}

#[test]
fn gcc_relocatable() {
    let o = options(
        "--eh-frame-hdr -m elf_x86_64 --hash-style=gnu --as-needed -dynamic-linker \
         /lib64/ld-linux-x86-64.so.2 -r -L/usr/lib a.o b.o -o c.o",
    );
    assert_eq!((o.kind, o.eh_frame_hdr), (OutputKind::Relocatable, false));
    assert_eq!(o.output, Path::new("c.o"));
}

#[test]
fn gcc_shared_with_lto() {
    let o = options(
        "-plugin liblto_plugin.so -plugin-opt=lto-wrapper -flto --build-id --eh-frame-hdr -m \
         elf_x86_64 --hash-style=gnu --as-needed -shared -o liba.so crti.o -soname liba.so.1 a.o \
         -lstdc++ -lm crtn.o",
    );
    assert_eq!((o.kind, o.soname.as_deref()), (OutputKind::Shared, Some("liba.so.1")));
    assert_eq!(inputs(&o), ["crti.o", "a.o", "-lstdc++", "-lm", "crtn.o"]);
}

#[test]
fn clang() {
    let o = options(
        "--hash-style=gnu --build-id --eh-frame-hdr -m elf_x86_64 -export-dynamic -pie \
         -dynamic-linker /lib64/ld-linux-x86-64.so.2 -o a.out Scrt1.o crti.o crtbeginS.o \
         -L/usr/lib/gcc/x86_64-linux-gnu/12 -L/lib -L/usr/lib a.o --gc-sections -O1 -lgcc \
         --as-needed -lgcc_s --no-as-needed -lc crtendS.o crtn.o",
    );
    assert_eq!(o.kind, OutputKind::PieExecutable);
    assert!(o.export_dynamic && o.gc_sections);
    assert_eq!(o.optimize, 1);
    let needed: Vec<_> = o.inputs.iter().filter(|input| input.as_needed).collect();
    assert_eq!(needed.len(), 1);
    assert_eq!(needed[0].what, InputName::Library("gcc_s".to_owned()));
}

#[test]
fn clang_thin_lto() {
    let o = options(
        "--hash-style=gnu --build-id --eh-frame-hdr -m elf_x86_64 -shared -o a.so -plugin \
         /usr/lib/llvm-19/lib/LLVMgold.so -plugin-opt=mcpu=x86-64 -plugin-opt=thinlto a.o -lc",
    );
    assert_eq!(o.lto.plugin_options, ["mcpu=x86-64", "thinlto"]);
    assert_eq!(inputs(&o), ["a.o", "-lc"]);
}

/// `rustc --crate-type cdylib -C opt-level=3` through `cc`.
#[test]
fn rustc() {
    let o = options(
        "--eh-frame-hdr -m elf_x86_64 --hash-style=gnu --as-needed -shared -o liba.so crti.o \
         -L/raw-dylibs -L/rustlib/lib --version-script=/tmp/list --no-undefined-version symbols.o \
         a.o --as-needed -Bstatic libstd.rlib libcore.rlib -Bdynamic -lgcc_s -lutil -lrt \
         -lpthread -lm -ldl -lc --eh-frame-hdr -z noexecstack --gc-sections -z relro -z now -O1 \
         crtn.o",
    );
    assert_eq!(o.kind, OutputKind::Shared);
    assert_eq!(o.version_scripts, [Path::new("/tmp/list")]);
    assert_eq!(o.undefined_version, Some(false));
    assert!(o.gc_sections && o.z.now && o.z.relro);
    assert_eq!(o.z.execstack, Some(false));
    let fixed: Vec<_> = o.inputs.iter().filter(|input| input.search_static).collect();
    assert_eq!(fixed.len(), 2);
}

/// `go build -ldflags='-linkmode external'` through `gcc`.
#[test]
fn go() {
    let o = options(
        "--eh-frame-hdr -m elf_x86_64 --hash-style=gnu --as-needed -dynamic-linker \
         /lib64/ld-linux-x86-64.so.2 -o a.out crt1.o crti.o \
         --build-id=0xc14cd217ccc9c3c09570e3197abce6502a9ee6b1 \
         --export-dynamic-symbol=_cgo_panic --export-dynamic-symbol=_cgo_topofstack \
         --export-dynamic-symbol=crosscall2 --compress-debug-sections=zlib go.o 000000.o \
         -lpthread -lc crtn.o",
    );
    assert_eq!(o.kind, OutputKind::Executable);
    assert!(matches!(&o.build_id, BuildId::Hex(bytes) if bytes.len() == 20 && bytes[0] == 0xc1));
    assert_eq!(o.export_dynamic_symbols, ["_cgo_panic", "_cgo_topofstack", "crosscall2"]);
    assert_eq!(o.compress_debug_sections, Compression::Zlib(None));
    assert_eq!(o.inputs.len(), 7);
}

/// GHC asks this of any linker that calls itself GNU ld.
#[test]
fn ghc() {
    let o = options("--hash-size=31 --reduce-memory-overheads --no-as-needed a.o");
    assert_eq!(inputs(&o), ["a.o"]);
}
