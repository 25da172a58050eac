//! The layout of programs, as GNU ld's scripts have it. Code is at the start of flash memory, and
//! behind it is what variables are copied from. These have an address space of their own, which
//! begins at 0x800000 in files, and further memory has spaces beside these two.
//!
//! It depends on the emulation alone. The start file of a device, or an option, defines symbols for
//! the bounds that its family leaves open.

use std::fmt::Write as _;

/// The memory of a family of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Memory {
    /// The name of the emulation.
    emulation: &'static str,
    /// The number in `OUTPUT_ARCH`, and in `e_flags`.
    architecture: u32,
    /// Bytes of flash memory, as scripts write them.
    text: &'static str,
    /// Where variables begin, and how many bytes there are for them.
    data: [u64; 2],
    /// Constants are read from flash memory, which is seen this far up among variables. `None` if
    /// they are variables.
    rodata: Option<u64>,
    /// EEPROM and fuses are apart.
    has_eeprom: bool,
}

const fn classic(emulation: &'static str, architecture: u32, text: &'static str) -> Memory {
    let data = [0x80_0060, 0xffa0];
    Memory { emulation, architecture, text, data, rodata: None, has_eeprom: true }
}

const fn xmega(emulation: &'static str, architecture: u32) -> Memory {
    Memory { data: [0x80_2000, 0xffa0], ..classic(emulation, architecture, "1024K") }
}

/// All families. The first is that of the machine's own name.
const FAMILIES: [Memory; 18] = [
    classic("avr2", 2, "8K"),
    Memory { data: [0x80_0060, 0], ..classic("avr1", 1, "8K") },
    classic("avr25", 25, "8K"),
    classic("avr3", 3, "128K"),
    classic("avr31", 31, "128K"),
    classic("avr35", 35, "64K"),
    classic("avr4", 4, "8K"),
    classic("avr5", 5, "128K"),
    Memory { data: [0x80_0100, 0xff00], ..classic("avr51", 51, "128K") },
    Memory { data: [0x80_0200, 0xfe00], ..classic("avr6", 6, "1024K") },
    xmega("avrxmega1", 101),
    xmega("avrxmega2", 102),
    Memory { rodata: Some(0x8000), ..xmega("avrxmega3", 103) },
    xmega("avrxmega4", 104),
    xmega("avrxmega5", 105),
    xmega("avrxmega6", 106),
    xmega("avrxmega7", 107),
    Memory {
        data: [0x80_0040, 0x100],
        rodata: Some(0x4000),
        has_eeprom: false,
        ..classic("avrtiny", 100, "4K")
    },
];

fn family(emulation: &str) -> &'static Memory {
    FAMILIES.iter().find(|memory| memory.emulation == emulation).unwrap_or(&FAMILIES[0])
}

/// The script for an emulation.
pub fn script(emulation: &str) -> String {
    let memory = family(emulation);
    let mut text = String::new();
    memory.write_bounds(&mut text);
    memory.write_regions(&mut text);
    text += "SECTIONS\n{\n";
    text += TEXT;
    if memory.rodata.is_some() {
        text += "  .rodata ADDR(.text) + SIZEOF(.text) + __RODATA_PM_OFFSET__ :\n  {\n";
        text += CONSTANTS;
        text += "  } AT> text\n";
    }
    text += "  .data :\n  {\n    PROVIDE(__data_start = .);\n";
    text += VARIABLES;
    if memory.rodata.is_none() {
        text += CONSTANTS;
    }
    text += DATA;
    memory.write_other_memory(&mut text);
    text += UNLOADED;
    text += "}\n";
    text
}

impl Memory {
    /// The bounds, each of which a symbol of the inputs may set.
    fn write_bounds(&self, text: &mut String) {
        let _ = writeln!(text, "OUTPUT_FORMAT(elf32-avr)\nOUTPUT_ARCH(avr:{})", self.architecture);
        let [origin, length] = self.data.map(|number| format!("{number:#x}"));
        let fuses = if self.has_eeprom { ["1K"; 3] } else { ["2", "2", "4"] };
        let mut bound = |name: &str, value: &str| {
            let symbol = format!("__{name}__");
            let _ = writeln!(text, "{symbol} = DEFINED({symbol}) ? {symbol} : {value};");
        };
        bound("TEXT_REGION_ORIGIN", "0");
        bound("DATA_REGION_ORIGIN", &origin);
        bound("TEXT_REGION_LENGTH", self.text);
        bound("DATA_REGION_LENGTH", &length);
        if self.has_eeprom {
            bound("EEPROM_REGION_LENGTH", "64K");
        }
        bound("FUSE_REGION_LENGTH", fuses[0]);
        bound("LOCK_REGION_LENGTH", fuses[1]);
        bound("SIGNATURE_REGION_LENGTH", fuses[2]);
        if self.has_eeprom {
            bound("USER_SIGNATURE_REGION_LENGTH", "1K");
        }
        if let Some(offset) = self.rodata {
            bound("RODATA_PM_OFFSET", &format!("{offset:#x}"));
        }
    }

    fn write_regions(&self, text: &mut String) {
        *text += "MEMORY\n{\n";
        let mut region = |name: &str, flags: &str, origin: &str, length: &str| {
            let length = format!("__{length}_REGION_LENGTH__");
            let _ = writeln!(text, "  {name} ({flags}) : ORIGIN = {origin}, LENGTH = {length}");
        };
        region("text", "rx", "__TEXT_REGION_ORIGIN__", "TEXT");
        region("data", "rw!x", "__DATA_REGION_ORIGIN__", "DATA");
        if self.has_eeprom {
            region("eeprom", "rw!x", "0x810000", "EEPROM");
        }
        region(self.fuses().0, "rw!x", "0x820000", "FUSE");
        region("lock", "rw!x", "0x830000", "LOCK");
        region("signature", "rw!x", "0x840000", "SIGNATURE");
        if self.has_eeprom {
            region("user_signatures", "rw!x", "0x850000", "USER_SIGNATURE");
        }
        *text += "}\n";
    }

    /// The region of fuses, and its input sections.
    fn fuses(&self) -> (&'static str, &'static str) {
        if self.has_eeprom {
            ("fuse", ".fuse .lfuse .hfuse .efuse")
        } else {
            ("config", ".config*")
        }
    }

    /// What programmers write to other memory than flash.
    fn write_other_memory(&self, text: &mut String) {
        let mut section = |region: &str, inputs: &str, end: &str| {
            let inputs = inputs.split(' ').map(|input| format!("KEEP(*({input})) "));
            let inputs = inputs.collect::<String>();
            let _ = writeln!(text, "  .{region} : {{ {inputs}{end}}} > {region}");
        };
        if self.has_eeprom {
            section("eeprom", ".eeprom*", "__eeprom_end = .; ");
        }
        let (fuses, inputs) = self.fuses();
        if self.has_eeprom {
            section(fuses, inputs, "");
        }
        section("lock", ".lock*", "");
        section("signature", ".signature*", "");
        if self.has_eeprom {
            section("user_signatures", ".user_signatures*", "");
        } else {
            section(fuses, inputs, "");
        }
    }
}

/// Code, and data that code reads from flash memory: what has to be at low addresses comes first,
/// then the start in its parts, functions, and the end in its parts.
const TEXT: &str = "  .text :
  {
    KEEP(*(.vectors))
    *(.progmem.gcc*)
    . = ALIGN(2);
    __trampolines_start = .;
    *(.trampolines)
    *(.trampolines*)
    __trampolines_end = .;
    *libprintf_flt.a:*(.progmem.data)
    *libc.a:*(.progmem.data)
    *(.progmem*)
    . = ALIGN(2);
    *(.jumptables)
    *(.jumptables*)
    *(.lowtext)
    *(.lowtext*)
    __ctors_start = .;
    KEEP(*(.ctors))
    __ctors_end = .;
    __dtors_start = .;
    KEEP(*(.dtors))
    __dtors_end = .;
    KEEP(SORT(*)(.ctors))
    KEEP(SORT(*)(.dtors))
    KEEP(*(.init0))
    KEEP(*(.init1))
    KEEP(*(.init2))
    KEEP(*(.init3))
    KEEP(*(.init4))
    KEEP(*(.init5))
    KEEP(*(.init6))
    KEEP(*(.init7))
    KEEP(*(.init8))
    KEEP(*(.init9))
    *(.text)
    . = ALIGN(2);
    *(.text.*)
    . = ALIGN(2);
    KEEP(*(.fini9))
    KEEP(*(.fini8))
    KEEP(*(.fini7))
    KEEP(*(.fini6))
    KEEP(*(.fini5))
    KEEP(*(.fini4))
    KEEP(*(.fini3))
    KEEP(*(.fini2))
    KEEP(*(.fini1))
    KEEP(*(.fini0))
    _etext = .;
  } > text
";

const CONSTANTS: &str = "    *(.rodata)
    *(.rodata*)
    *(.gnu.linkonce.r*)
";

const VARIABLES: &str = "    *(.data)
    *(.data*)
    *(.gnu.linkonce.d*)
";

/// The end of `.data`, zeros, and variables that the start code leaves alone.
const DATA: &str = "    . = ALIGN(2);
    _edata = .;
    PROVIDE(__data_end = .);
  } > data AT> text
  .bss ADDR(.data) + SIZEOF(.data) : AT(ADDR(.bss))
  {
    PROVIDE(__bss_start = .);
    *(.bss)
    *(.bss*)
    *(COMMON)
    PROVIDE(__bss_end = .);
  } > data
  __data_load_start = LOADADDR(.data);
  __data_load_end = __data_load_start + SIZEOF(.data);
  .noinit ADDR(.bss) + SIZEOF(.bss) : AT(ADDR(.noinit))
  {
    PROVIDE(__noinit_start = .);
    *(.noinit*)
    PROVIDE(__noinit_end = .);
    _end = .;
    PROVIDE(__heap_start = .);
  } > data
";

const UNLOADED: &str = "  .stab 0 : { *(.stab) }
  .stabstr 0 : { *(.stabstr) }
  .comment 0 : { *(.comment) }
  .note.gnu.build-id : { *(.note.gnu.build-id) }
  .debug_info 0 : { *(.debug_info .gnu.linkonce.wi.*) }
  .debug_abbrev 0 : { *(.debug_abbrev) }
  .debug_line 0 : { *(.debug_line .debug_line.* .debug_line_end) }
  .debug_frame 0 : { *(.debug_frame) }
  .debug_str 0 : { *(.debug_str) }
  .debug_loc 0 : { *(.debug_loc) }
  .debug_ranges 0 : { *(.debug_ranges) }
  .debug_aranges 0 : { *(.debug_aranges) }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_emulation_has_its_memory() {
        let bound = |emulation: &str, name: &str| {
            let text = script(emulation);
            let start = format!("__{name}__ = ");
            let line = text.lines().find(|line| line.starts_with(&start));
            line.map(|line| line.rsplit(": ").next().unwrap_or_default().to_owned())
        };
        let number = |text: &str| Some(format!("{text};"));
        assert_eq!(bound("avr2", "TEXT_REGION_LENGTH"), number("8K"));
        assert_eq!(bound("avr1", "DATA_REGION_LENGTH"), number("0x0"));
        assert_eq!(bound("avr5", "DATA_REGION_ORIGIN"), number("0x800060"));
        assert_eq!(bound("avr6", "DATA_REGION_ORIGIN"), number("0x800200"));
        assert_eq!(bound("avrxmega7", "DATA_REGION_ORIGIN"), number("0x802000"));
        assert_eq!(bound("avrxmega3", "RODATA_PM_OFFSET"), number("0x8000"));
        assert_eq!(bound("avrtiny", "EEPROM_REGION_LENGTH"), None);
        assert_eq!(bound("avrtiny", "RODATA_PM_OFFSET"), number("0x4000"));
        assert!(script("avr51").contains("OUTPUT_ARCH(avr:51)"));
    }

    #[test]
    fn families_are_the_emulations_of_the_machine() {
        let machine = &super::super::MACHINE;
        let others = machine.emulation_variants.iter().map(|(name, _)| *name);
        let names: Vec<&str> = std::iter::once(machine.emulation).chain(others).collect();
        assert!(names.into_iter().eq(FAMILIES.iter().map(|memory| memory.emulation)));
    }
}
