//! ELF64 little-endian structures (gABI chapters 4 and 5), readable at any alignment.
//!
//! Archive members start on even addresses only, so every field is a byte array; accessors give and
//! take native values.
//! Constants (`SHT_*`, `STB_*`, ...) come from the `object` crate.

use crate::machine::Machine;
use object::elf::{ELFMAG, EV_CURRENT};
use skald_core::id;
use zerocopy::little_endian::{I64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Defines a record of the file. Outside of this file its fields have native values: these bytes
/// are mapped from files, and other classes and byte orders are decoded into them.
macro_rules! on_disk {
    (
        $(#[$doc:meta])* $name:ident, $size:literal {
            $($field:ident / $set:ident: $t:ident as $native:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        #[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
        #[repr(C)]
        pub struct $name { $($field: $t,)* }
        const _: () = assert!(size_of::<$name>() == $size);

        #[allow(missing_docs)]
        impl $name {
            $(
                #[inline(always)]
                pub fn $field(&self) -> $native {
                    self.$field.into()
                }

                #[inline(always)]
                pub fn $set(&mut self, value: $native) {
                    self.$field = value.into();
                }
            )*
        }
    };
}

/// `e_ident`: magic, class, byte order, version, ABI.
type Ident = [u8; 16];
/// A byte, which has no byte order.
type U8 = u8;

on_disk! {
    /// File header, Elf64_Ehdr.
    Ehdr, 64 {
        e_ident / set_e_ident: Ident as Ident,
        e_type / set_e_type: U16 as u16,
        e_machine / set_e_machine: U16 as u16,
        e_version / set_e_version: U32 as u32,
        e_entry / set_e_entry: U64 as u64,
        e_phoff / set_e_phoff: U64 as u64,
        e_shoff / set_e_shoff: U64 as u64,
        e_flags / set_e_flags: U32 as u32,
        e_ehsize / set_e_ehsize: U16 as u16,
        e_phentsize / set_e_phentsize: U16 as u16,
        e_phnum / set_e_phnum: U16 as u16,
        e_shentsize / set_e_shentsize: U16 as u16,
        e_shnum / set_e_shnum: U16 as u16,
        e_shstrndx / set_e_shstrndx: U16 as u16,
    }
}

on_disk! {
    /// Section header, Elf64_Shdr.
    Shdr, 64 {
        sh_name / set_sh_name: U32 as u32,
        sh_type / set_sh_type: U32 as u32,
        sh_flags / set_sh_flags: U64 as u64,
        sh_addr / set_sh_addr: U64 as u64,
        sh_offset / set_sh_offset: U64 as u64,
        sh_size / set_sh_size: U64 as u64,
        sh_link / set_sh_link: U32 as u32,
        sh_info / set_sh_info: U32 as u32,
        sh_addralign / set_sh_addralign: U64 as u64,
        sh_entsize / set_sh_entsize: U64 as u64,
    }
}

on_disk! {
    /// Program header, Elf64_Phdr.
    Phdr, 56 {
        p_type / set_p_type: U32 as u32,
        p_flags / set_p_flags: U32 as u32,
        p_offset / set_p_offset: U64 as u64,
        p_vaddr / set_p_vaddr: U64 as u64,
        p_paddr / set_p_paddr: U64 as u64,
        p_filesz / set_p_filesz: U64 as u64,
        p_memsz / set_p_memsz: U64 as u64,
        p_align / set_p_align: U64 as u64,
    }
}

on_disk! {
    /// Symbol table entry, Elf64_Sym.
    Sym, 24 {
        st_name / set_st_name: U32 as u32,
        st_info / set_st_info: U8 as u8,
        st_other / set_st_other: U8 as u8,
        st_shndx / set_st_shndx: U16 as u16,
        st_value / set_st_value: U64 as u64,
        st_size / set_st_size: U64 as u64,
    }
}

on_disk! {
    /// Relocation with addend, Elf64_Rela.
    Rela, 24 {
        r_offset / set_r_offset: U64 as u64,
        r_type / set_r_type: U32 as u32,
        r_sym / set_r_sym: U32 as u32,
        r_addend / set_r_addend: I64 as i64,
    }
}

on_disk! {
    /// Relocation without addend, Elf64_Rel.
    Rel, 16 {
        r_offset / set_r_offset: U64 as u64,
        r_type / set_r_type: U32 as u32,
        r_sym / set_r_sym: U32 as u32,
    }
}

on_disk! {
    /// Entry of `.dynamic`, Elf64_Dyn.
    Dyn, 16 {
        d_tag / set_d_tag: U64 as u64,
        d_val / set_d_val: U64 as u64,
    }
}

id! {
    /// A symbol of a file, by its index in the symbol table; 0 is the null symbol.
    SymbolId
}

impl Rela {
    /// A relocation with these fields.
    #[inline]
    pub fn new(r_offset: u64, r_type: u32, r_sym: u32, r_addend: i64) -> Rela {
        Rela {
            r_offset: r_offset.into(),
            r_type: r_type.into(),
            r_sym: r_sym.into(),
            r_addend: r_addend.into(),
        }
    }

    /// The symbol that it refers to: the upper half of `r_info`.
    #[inline(always)]
    pub fn symbol(&self) -> SymbolId {
        SymbolId::new(self.r_sym())
    }
}

impl Sym {
    /// A symbol of this binding (STB_*) and type (STT_*); all else is zero.
    pub fn with_info(bind: u8, kind: u8) -> Sym {
        Sym { st_info: bind << 4 | kind, ..Sym::default() }
    }

    /// The binding: STB_*, the upper half of `st_info`.
    #[inline(always)]
    pub fn bind(&self) -> u8 {
        self.st_info >> 4
    }

    /// The type: STT_*, the lower half of `st_info`.
    #[inline(always)]
    pub fn kind(&self) -> u8 {
        self.st_info & 15
    }

    /// The visibility: STV_*, the lowest bits of `st_other`.
    #[inline(always)]
    pub fn visibility(&self) -> u8 {
        self.st_other & 3
    }
}

impl Ehdr {
    /// What all file headers for a machine have in common, for a system with number `os_abi`.
    pub fn of_machine(machine: &Machine, e_type: u16, os_abi: u8) -> Ehdr {
        let mut header = Ehdr::default();
        let mut ident = [0; 16];
        ident[..4].copy_from_slice(&ELFMAG);
        ident[4..8].copy_from_slice(&[machine.class, machine.byte_order, EV_CURRENT, os_abi]);
        header.set_e_ident(ident);
        header.set_e_type(e_type);
        header.set_e_machine(machine.e_machine);
        header.set_e_version(EV_CURRENT.into());
        header.set_e_flags(machine.header_flags);
        header.set_e_ehsize(size_of::<Ehdr>() as u16);
        header
    }
}

/// The `count` records at `file_offset`; `None` if they do not lie inside `data`.
pub fn table<T>(data: &[u8], file_offset: u64, count: u64) -> Option<&[T]>
where
    T: FromBytes + KnownLayout + Immutable + Unaligned,
{
    let bytes = range(data, file_offset, count.checked_mul(size_of::<T>() as u64)?)?;
    <[T]>::ref_from_bytes(bytes).ok()
}

/// `len` bytes at `file_offset`; `None` if they do not lie inside `data`.
#[inline]
pub fn range(data: &[u8], file_offset: u64, len: u64) -> Option<&[u8]> {
    let end = file_offset.checked_add(len)?;
    if end > data.len() as u64 {
        return None;
    }
    Some(&data[file_offset as usize..end as usize])
}

/// The string of a string table at offset `at`, without its NUL; `None` if it does not end inside
/// the table.
#[inline]
pub fn string(strtab: &[u8], at: u32) -> Option<&[u8]> {
    let rest = strtab.get(at as usize..)?;
    memchr::memchr(0, rest).map(|len| &rest[..len])
}
