//! ELF64 little-endian structures (gABI chapters 4 and 5), readable at any alignment.
//!
//! Archive members start on even addresses only, so every field is a byte array with an accessor.
//! Constants (`SHT_*`, `STB_*`, ...) come from the `object` crate.

use skald_core::id;
use zerocopy::little_endian::{I64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

macro_rules! on_disk {
    ($(#[$doc:meta])* $name:ident, $size:literal { $($(#[$fdoc:meta])* $field:ident: $t:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
        #[repr(C)]
        #[allow(missing_docs)]
        pub struct $name { $($(#[$fdoc])* pub $field: $t,)* }
        const _: () = assert!(size_of::<$name>() == $size);
    };
}

on_disk! {
    /// File header.
    Ehdr, 64 {
        e_ident: [u8; 16],
        e_type: U16,
        e_machine: U16,
        e_version: U32,
        e_entry: U64,
        e_phoff: U64,
        e_shoff: U64,
        e_flags: U32,
        e_ehsize: U16,
        e_phentsize: U16,
        e_phnum: U16,
        e_shentsize: U16,
        e_shnum: U16,
        e_shstrndx: U16,
    }
}

on_disk! {
    /// Section header.
    Shdr, 64 {
        sh_name: U32,
        sh_type: U32,
        sh_flags: U64,
        sh_addr: U64,
        sh_offset: U64,
        sh_size: U64,
        sh_link: U32,
        sh_info: U32,
        sh_addralign: U64,
        sh_entsize: U64,
    }
}

on_disk! {
    /// Program header.
    Phdr, 56 {
        p_type: U32,
        p_flags: U32,
        p_offset: U64,
        p_vaddr: U64,
        p_paddr: U64,
        p_filesz: U64,
        p_memsz: U64,
        p_align: U64,
    }
}

on_disk! {
    /// Symbol.
    Sym, 24 {
        st_name: U32,
        st_info: u8,
        st_other: u8,
        st_shndx: U16,
        st_value: U64,
        st_size: U64,
    }
}

on_disk! {
    /// Relocation with addend.
    Rela, 24 {
        r_offset: U64,
        r_type: U32,
        r_sym: U32,
        r_addend: I64,
    }
}

on_disk! {
    /// Relocation without addend.
    Rel, 16 {
        r_offset: U64,
        r_type: U32,
        r_sym: U32,
    }
}

on_disk! {
    /// Entry of `.dynamic`.
    Dyn, 16 {
        d_tag: U64,
        d_val: U64,
    }
}

id! {
    /// A symbol by its place in its file's symbol table; the first one is empty.
    SymbolId
}

impl Rela {
    /// The symbol that it refers to.
    #[inline(always)]
    pub fn symbol(&self) -> SymbolId {
        SymbolId::new(self.r_sym.get())
    }
}

impl Sym {
    /// STB_*.
    #[inline(always)]
    pub fn bind(&self) -> u8 {
        self.st_info >> 4
    }

    /// STT_*.
    #[inline(always)]
    pub fn kind(&self) -> u8 {
        self.st_info & 15
    }

    /// STV_*.
    #[inline(always)]
    pub fn visibility(&self) -> u8 {
        self.st_other & 3
    }
}

/// SHN_X86_64_LCOMMON: a common symbol of the medium and large code models.
pub const LARGE_COMMON: u16 = 0xff02;

/// The structures at `file_offset`, `count` of them; `None` if they do not lie inside `data`.
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

/// The NUL-terminated string at `at`, without the NUL; `None` if it does not end inside the table.
#[inline]
pub fn string(strtab: &[u8], at: u32) -> Option<&[u8]> {
    let rest = strtab.get(at as usize..)?;
    memchr::memchr(0, rest).map(|len| &rest[..len])
}
