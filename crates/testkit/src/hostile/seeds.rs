//! Small valid links, as files and command lines, which the hostile tests damage.

use crate::Result;
use crate::machine::Machine;
use std::fs;
use std::path::Path;

/// A link one file of which is damaged.
#[derive(Debug, Clone)]
pub struct Seed {
    /// Name of the link in reports.
    pub name: &'static str,
    /// The file that is damaged.
    pub file: &'static str,
    /// Arguments of the linker; `-o` is added.
    pub arguments: &'static str,
}

/// Every seed. The files are those of [`make`].
pub const SEEDS: &[Seed] = &[
    seed("object in a PIE", "rich.o", "-pie --eh-frame-hdr --build-id rich.o lib.so"),
    seed("object, collected", "rich.o", "-static --gc-sections --eh-frame-hdr rich.o defs.o"),
    seed("object, folded", "rich.o", "-pie --icf=safe -z muldefs rich.o rich.o defs.o"),
    seed("object, all folded", "rich.o", "-static --icf=all -z muldefs rich.o rich.o defs.o"),
    seed("object in a library", "rich.o", "-shared -O2 --hash-style=both rich.o -z notext"),
    seed("compressed debug sections", "zlib.o", "-static zlib.o defs.o"),
    seed("SHT_REL", "rel.o", "-static rel.o defs.o"),
    seed("SHT_CREL", "crel.o", "-static crel.o defs.o"),
    seed("extended numbers", "extended.o", "-static extended.o defs.o"),
    seed("archive", "lib.a", "-static rich.o lib.a"),
    seed("archive without index", "plain.a", "-static rich.o plain.a"),
    seed("whole archive", "plain.a", "-static rich.o --whole-archive plain.a"),
    seed("thin archive", "thin.a", "-static rich.o thin.a"),
    seed("member of a thin archive", "defs.o", "-static rich.o thin.a"),
    seed("lazy object", "defs.o", "-static rich.o --start-lib defs.o --end-lib"),
    seed("shared object", "lib.so", "-pie rich.o lib.so"),
    seed("version script", "versions", "-shared rich.o --version-script versions -z notext"),
    seed("dynamic list", "list", "-pie rich.o lib.so --dynamic-list list"),
    seed("text script", "script", "-static rich.o script"),
    seed("response file", "response", "-static @response"),
    seed("joined object", "rich.o", "-r rich.o defs.o"),
    seed("copies and PLT entries", "user.o", "user.o lib.so"),
];

const fn seed(name: &'static str, file: &'static str, arguments: &'static str) -> Seed {
    Seed { name, file, arguments }
}

const DEFS: &str = "
        .globl external, __tls_get_addr, needed
        .text
external:
        .cfi_startproc
        ret
        .cfi_endproc
__tls_get_addr:
        ret
        .data
needed: .quad external
        .section .text.grouped,\"axG\",@progbits,grouped,comdat
        .weak grouped
grouped: ret
        .section .rodata.str1.1,\"aMS\",@progbits,1
        .string \"string\"
";

const LIBRARY: &str = "
        .globl external, external_data, __tls_get_addr, old
        .type external, @function
        .type external_data, @object
        .type __tls_get_addr, @function
        .text
external: call missing@PLT
__tls_get_addr: ret
        .weak missing
        .symver old, again@ONE
old:    ret
        .data
        .balign 16
external_data: .quad external, 0
        .size external_data, 16
";

const USER_X86_64: &str = "
        .globl _start
        .text
_start: call external
        mov external_data(%rip), %rax
        movabs $external_data, %rcx
        mov $external, %edx
        .data
        .quad external, external_data
        .section .note.GNU-stack,\"\",@progbits
";

const USER_I386: &str = "
        .globl _start
        .text
_start: call external
        mov external_data, %eax
        mov $external_data, %ecx
        mov $external, %edx
        .data
        .long external, external_data
        .section .note.GNU-stack,\"\",@progbits
";

const USER_AARCH64: &str = "
        .globl _start
        .text
_start: bl external
        adrp x0, external_data
        ldr x0, [x0, :lo12:external_data]
        adrp x1, external
        add x1, x1, :lo12:external
        .data
        .quad external, external_data
        .section .note.GNU-stack,\"\",@progbits
";

const USER_RISCV64: &str = "
        .globl _start
        .text
_start: call external
        lla a0, external_data
        lui a1, %hi(external)
        .data
        .dword external, external_data
        .section .note.GNU-stack,\"\",@progbits
";

const TEXTS: &[(&str, &str)] = &[
    (
        "exports",
        "ONE { global: external*; __tls_get_addr; again; };\nTWO { global: again; } ONE;\n",
    ),
    (
        "versions",
        "ONE { global: other; ext*rn[a-m]l; extern \"C++\" { a::b*; \"f(int)\"; }; local: *; };\n\
         TWO { global: weak_one; } ONE; # and a comment\n",
    ),
    ("list", "{ other; weak*; extern \"C\" { _start; }; };\n"),
    (
        "script",
        "/* made by hand */ OUTPUT_FORMAT(elf64-x86-64)\nSEARCH_DIR(.)\nEXTERN(other)\n\
         INPUT ( defs.o AS_NEEDED ( lib.a ) )\nx = 4 * (3 + other) ? 1 : ~2;\n\
         PROVIDE ( y = ALIGN(x, 8) << 2 );\nGROUP ( \"lib.a\" )\n",
    ),
    ("response", "-e _start 'rich.o' \"defs.o\" --defsym=z=3 -u other\\\n --build-id=none\n"),
];

/// Sources of the objects for a machine, by their names.
fn sources(machine: &Machine) -> [(&'static str, String); 4] {
    let (rich, user) = match machine.word {
        "aarch64" | "aarch64_be" => (&include_bytes!("rich/aarch64.s")[..], USER_AARCH64),
        "i386" => (&include_bytes!("rich/i386.s")[..], USER_I386),
        "riscv64" => (&include_bytes!("rich/riscv64.s")[..], USER_RISCV64),
        _ => (&include_bytes!("rich/x86-64.s")[..], USER_X86_64),
    };
    let own = |text: &str| match machine.word {
        "aarch64" | "aarch64_be" => text.replace("call missing@PLT", "bl missing"),
        "i386" => text.replace(".quad", ".long").replace("__tls_get", "___tls_get"),
        "riscv64" => text.replace("call missing@PLT", "call missing"),
        _ => text.to_owned(),
    };
    [
        ("rich.s", String::from_utf8_lossy(rich).into_owned()),
        ("defs.s", own(DEFS)),
        ("lib.s", own(LIBRARY)),
        ("user.s", user.to_owned()),
    ]
}

/// The seeds whose files are in `directory`; some files are made only for x86-64.
pub fn made(directory: &Path) -> Vec<&'static Seed> {
    let is_file = |word: &&str| word.ends_with(".o") || word.ends_with(".a");
    let is_made = |seed: &&Seed| {
        let mut files = seed.arguments.split(' ').filter(is_file);
        files.all(|file| directory.join(file).is_file())
    };
    SEEDS.iter().filter(is_made).collect()
}

/// Makes the files of all seeds for `machine` in `directory`, with the assembler and GNU ar and ld.
pub fn make(directory: &Path, machine: &Machine) -> Result<()> {
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.join(name);
        fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))
    };
    for (name, text) in sources(machine) {
        write(name, text.as_bytes())?;
    }
    for (name, text) in TEXTS {
        write(name, text.replace("elf64-x86-64", machine.format).as_bytes())?;
    }
    for line in [
        "as -o rich.o rich.s",
        "as -o defs.o defs.s",
        "as -o libsource.o lib.s",
        "as -o user.o user.s",
        "as --compress-debug-sections=zlib -o zlib.o rich.s",
        "ar rcsD lib.a defs.o user.o",
        "ar rcSD plain.a defs.o",
        "ar rcsDT thin.a defs.o",
        "ld.bfd -shared -o lib.so libsource.o --version-script=exports -soname lib.so",
    ] {
        let finished = machine.command(line).run(directory)?;
        if !finished.status.success() {
            return Err(format!("{line}: {}", finished.stderr));
        }
    }
    let rich = fs::read(directory.join("rich.o")).map_err(|e| e.to_string())?;
    if !machine.is_native() {
        // Of the other machines only i386 has SHT_REL, and its assembler has made them already.
        return if machine.word == "i386" { write("rel.o", &rich) } else { Ok(()) };
    }
    write("rel.o", &without_addends(&rich))?;
    write("crel.o", &compact(&rich))?;
    write("extended.o", &extended(&rich))
}

fn number(bytes: &[u8], at: usize, width: usize) -> u64 {
    bytes[at..at + width].iter().rev().fold(0, |word, b| word << 8 | u64::from(*b))
}

/// `(header offset, file offset, size)` of the SHT_RELA sections.
fn relocation_sections(object: &[u8]) -> Vec<(usize, usize, usize)> {
    let table = number(object, 40, 8) as usize;
    (0..number(object, 60, 2) as usize)
        .map(|index| table + 64 * index)
        .filter(|&header| number(object, header + 4, 4) == 4)
        .map(|header| {
            (
                header,
                number(object, header + 24, 8) as usize,
                number(object, header + 32, 8) as usize,
            )
        })
        .collect()
}

/// The object with SHT_REL in place of SHT_RELA: the addends are in the relocated fields.
fn without_addends(object: &[u8]) -> Vec<u8> {
    let mut out = object.to_vec();
    let table = number(object, 40, 8) as usize;
    for (header, start, size) in relocation_sections(object) {
        let target = table + 64 * number(object, header + 44, 4) as usize;
        let contents = number(object, target + 24, 8) as usize;
        for (i, at) in (start..start + size).step_by(24).enumerate() {
            let rela = &object[at..at + 24];
            out[start + 16 * i..start + 16 * (i + 1)].copy_from_slice(&rela[..16]);
            let field = contents + number(rela, 0, 8) as usize;
            let width = if number(rela, 8, 4) == 1 { 8 } else { 4 };
            if number(rela, 8, 4) != 35 {
                out[field..field + width].copy_from_slice(&rela[16..16 + width]);
            }
        }
        out[header + 4] = 9;
        out[header + 32..header + 40].copy_from_slice(&(size as u64 / 24 * 16).to_le_bytes());
        out[header + 56] = 16;
    }
    out
}

/// The object with SHT_CREL in place of SHT_RELA.
fn compact(object: &[u8]) -> Vec<u8> {
    let mut out = object.to_vec();
    for (header, start, size) in relocation_sections(object) {
        let mut crel = Vec::new();
        uleb(&mut crel, (size as u64 / 24) << 3 | 4);
        let mut before = [0u64; 4];
        for at in (start..start + size).step_by(24) {
            let rela = &object[at..at + 24];
            let now = [(0, 8), (12, 4), (8, 4), (16, 8)].map(|(at, width)| number(rela, at, width));
            let changed = (1..4).filter(|&i| now[i] != before[i]).fold(0, |f, i| f | 1 << (i - 1));
            let distance = now[0].wrapping_sub(before[0]);
            if distance < 16 {
                crel.push((distance << 3) as u8 | changed);
            } else {
                crel.push((distance << 3) as u8 & 0x78 | changed | 0x80);
                uleb(&mut crel, distance >> 4);
            }
            for i in (1..4).filter(|&i| now[i] != before[i]) {
                let difference = now[i].wrapping_sub(before[i]) as i64;
                sleb(&mut crel, if i < 3 { i64::from(difference as i32) } else { difference });
            }
            before = now;
        }
        assert!(crel.len() <= size, "CREL is smaller");
        out[start..start + crel.len()].copy_from_slice(&crel);
        out[header + 4..header + 8].copy_from_slice(&0x4000_0014u32.to_le_bytes());
        out[header + 32..header + 40].copy_from_slice(&(crel.len() as u64).to_le_bytes());
        out[header + 56] = 1;
    }
    out
}

fn uleb(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn sleb(out: &mut Vec<u8>, mut value: i64) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

/// The object with its number of sections in the null section header, as if it did not fit
/// `e_shnum`.
fn extended(object: &[u8]) -> Vec<u8> {
    let mut out = object.to_vec();
    let table = number(object, 40, 8) as usize;
    let (count, names) = (number(object, 60, 2), number(object, 62, 2) as u32);
    out[table + 32..table + 40].copy_from_slice(&count.to_le_bytes());
    out[table + 40..table + 44].copy_from_slice(&names.to_le_bytes());
    out[60..64].copy_from_slice(&[0, 0, 0xff, 0xff]);
    out
}
