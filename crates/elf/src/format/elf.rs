//! Records of ELF files (gABI chapters 4 and 5), readable at any alignment.
//!
//! In memory a record is the 64-bit little-endian one; [`super::encoding`] says how other files
//! store it. Archive members start on even addresses only, so every field is a byte array;
//! accessors give and take native values.
//! Constants (`SHT_*`, `STB_*`, ...) come from the `object` crate.

use super::encoding::{Encoding, Record};
use super::fields::{FieldReader, FieldWriter};
use crate::machine::Machine;
use crate::machine::class::{Class, data_ident};
use crate::machine::info_layout::InfoLayout;
use object::elf::{ELFMAG, EV_CURRENT};
use skald_core::id;
use skald_linking::byte_order::ByteOrder;
use zerocopy::little_endian::{I64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Defines a record: its fields as 64-bit files have them, and its 32-bit size. If the fields of
/// 32-bit files have another order, it follows.
macro_rules! on_disk {
    (
        $(#[$doc:meta])* $name:ident, $size:literal, elf32 $small:literal {
            $($field:ident / $set:ident: $t:ident as $native:ty,)*
        }
    ) => {
        on_disk! {
            $(#[$doc])* $name, $size, elf32 $small {
                $($field / $set: $t as $native,)*
            }
            elf32 { $($field,)* }
        }
    };
    (
        $(#[$doc:meta])* $name:ident, $size:literal, elf32 $small:literal {
            $($field:ident / $set:ident: $t:ident as $native:ty,)*
        }
        elf32 { $($narrow:ident,)* }
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

        impl Record for $name {
            const SIZE_32: usize = $small;

            #[inline(always)]
            fn decode(fields: &mut FieldReader<'_>) -> $name {
                // The fields of a struct expression are evaluated in the order written here.
                match fields.class() {
                    Class::Elf32 => $name { $($narrow: Field::read(fields),)* },
                    Class::Elf64 => $name { $($field: Field::read(fields),)* },
                }
            }

            // Entries of a known size need no tests of their length.
            #[inline(always)]
            fn decode_all(encoding: Encoding, bytes: &[u8]) -> Option<Vec<$name>> {
                match encoding.class {
                    Class::Elf32 => decode_entries::<$name, $small>(encoding, bytes),
                    Class::Elf64 => decode_entries::<$name, $size>(encoding, bytes),
                }
            }

            #[inline(always)]
            fn encode(self, fields: &mut FieldWriter<'_>) {
                match fields.class() {
                    Class::Elf32 => { $(self.$narrow.write(fields);)* }
                    Class::Elf64 => { $(self.$field.write(fields);)* }
                }
            }
        }
    };
}

#[inline(always)]
fn decode_entries<R: Record, const SIZE: usize>(
    encoding: Encoding,
    bytes: &[u8],
) -> Option<Vec<R>> {
    let (entries, rest) = bytes.as_chunks::<SIZE>();
    // In a closure the encoding would be no constant.
    let mut records = Vec::with_capacity(entries.len());
    for entry in entries {
        records.push(R::decode(&mut FieldReader::new(encoding, entry)));
    }
    rest.is_empty().then_some(records)
}

/// A field of a record, as files of any encoding store it.
trait Field {
    fn read(fields: &mut FieldReader<'_>) -> Self;

    fn write(self, fields: &mut FieldWriter<'_>);
}

macro_rules! field {
    ($($field:ident: $get:ident, $put:ident;)*) => {
        $(impl Field for $field {
            #[inline(always)]
            fn read(fields: &mut FieldReader<'_>) -> $field {
                fields.$get().into()
            }

            #[inline(always)]
            fn write(self, fields: &mut FieldWriter<'_>) {
                fields.$put(self.into());
            }
        })*
    };
}

// A field that has 64 bits in a 64-bit file is a word.
field! {
    Ident: array, array;
    U8: u8, u8;
    U16: u16, u16;
    U32: u32, u32;
    U64: word, word;
}

impl Field for I64 {
    #[inline(always)]
    fn read(fields: &mut FieldReader<'_>) -> I64 {
        fields.signed_word().into()
    }

    #[inline(always)]
    fn write(self, fields: &mut FieldWriter<'_>) {
        fields.word(self.get() as u64);
    }
}

/// `r_info`: the type of a relocation and its symbol.
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Info {
    r_type: U32,
    r_sym: U32,
}

impl Field for Info {
    #[inline(always)]
    fn read(fields: &mut FieldReader<'_>) -> Info {
        let info = fields.word();
        let Encoding { class, order, info: layout } = fields.encoding();
        let (r_type, r_sym) = match class {
            Class::Elf32 => (info as u32 & 0xff, info >> 8),
            Class::Elf64 if is_turned(order, layout) => {
                (((info >> 32) as u32).swap_bytes(), info & 0xffff_ffff)
            }
            Class::Elf64 => (info as u32, info >> 32),
        };
        Info { r_type: r_type.into(), r_sym: (r_sym as u32).into() }
    }

    #[inline(always)]
    fn write(self, fields: &mut FieldWriter<'_>) {
        fields.word(self.number(fields.encoding()));
    }
}

/// Whether the type is the upper half of `r_info`, with its bytes in the other order.
#[inline(always)]
fn is_turned(order: ByteOrder, layout: InfoLayout) -> bool {
    order == ByteOrder::Little && layout == InfoLayout::Bytes
}

/// `e_ident`: magic, class, byte order, version, ABI.
type Ident = [u8; 16];
/// A byte, which has no byte order.
type U8 = u8;

on_disk! {
    /// File header, Elf64_Ehdr or Elf32_Ehdr.
    Ehdr, 64, elf32 52 {
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
    /// Section header, Elf64_Shdr or Elf32_Shdr.
    Shdr, 64, elf32 40 {
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
    /// Program header, Elf64_Phdr or Elf32_Phdr.
    Phdr, 56, elf32 32 {
        p_type / set_p_type: U32 as u32,
        p_flags / set_p_flags: U32 as u32,
        p_offset / set_p_offset: U64 as u64,
        p_vaddr / set_p_vaddr: U64 as u64,
        p_paddr / set_p_paddr: U64 as u64,
        p_filesz / set_p_filesz: U64 as u64,
        p_memsz / set_p_memsz: U64 as u64,
        p_align / set_p_align: U64 as u64,
    }
    elf32 { p_type, p_offset, p_vaddr, p_paddr, p_filesz, p_memsz, p_flags, p_align, }
}

on_disk! {
    /// Symbol table entry, Elf64_Sym or Elf32_Sym.
    Sym, 24, elf32 16 {
        st_name / set_st_name: U32 as u32,
        st_info / set_st_info: U8 as u8,
        st_other / set_st_other: U8 as u8,
        st_shndx / set_st_shndx: U16 as u16,
        st_value / set_st_value: U64 as u64,
        st_size / set_st_size: U64 as u64,
    }
    elf32 { st_name, st_value, st_size, st_info, st_other, st_shndx, }
}

on_disk! {
    /// Relocation with addend, Elf64_Rela or Elf32_Rela.
    Rela, 24, elf32 12 {
        r_offset / set_r_offset: U64 as u64,
        r_info / set_r_info: Info as Info,
        r_addend / set_r_addend: I64 as i64,
    }
}

on_disk! {
    /// Relocation without addend, Elf64_Rel or Elf32_Rel.
    Rel, 16, elf32 8 {
        r_offset / set_r_offset: U64 as u64,
        r_info / set_r_info: Info as Info,
    }
}

on_disk! {
    /// Entry of `.dynamic`, Elf64_Dyn or Elf32_Dyn.
    Dyn, 16, elf32 8 {
        d_tag / set_d_tag: U64 as u64,
        d_val / set_d_val: U64 as u64,
    }
}

id! {
    /// A symbol of a file, by its index in the symbol table; 0 is the null symbol.
    SymbolId
}

macro_rules! info_parts {
    ($($name:ident),*) => {
        $(impl $name {
            /// The type: the lower part of `r_info`.
            #[inline(always)]
            pub fn r_type(&self) -> u32 {
                self.r_info.r_type.get()
            }

            /// The index of the symbol: the upper part of `r_info`.
            #[inline(always)]
            pub fn r_sym(&self) -> u32 {
                self.r_info.r_sym.get()
            }

            /// Sets the type.
            #[inline(always)]
            pub fn set_r_type(&mut self, r_type: u32) {
                self.r_info.r_type = r_type.into();
            }

            /// Sets the index of the symbol.
            #[inline(always)]
            pub fn set_r_sym(&mut self, r_sym: u32) {
                self.r_info.r_sym = r_sym.into();
            }
        })*
    };
}

info_parts!(Rela, Rel);

/// An entry of SHT_REL as a little-endian 32-bit file has it, Elf32_Rel.
#[derive(Debug, Clone, Copy, FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Rel32 {
    r_offset: U32,
    r_info: U32,
}

impl Rel32 {
    /// The place: an offset in the section.
    #[inline(always)]
    pub fn r_offset(&self) -> u64 {
        self.r_offset.get().into()
    }

    /// The type: the low byte of `r_info`.
    #[inline(always)]
    pub fn r_type(&self) -> u32 {
        self.r_info.get() & 0xff
    }

    /// The index of the symbol: the rest of `r_info`.
    #[inline(always)]
    pub fn r_sym(&self) -> u32 {
        self.r_info.get() >> 8
    }
}

impl Info {
    /// The number for both in a file of this encoding.
    #[inline(always)]
    pub fn number(self, encoding: Encoding) -> u64 {
        let (r_sym, r_type) = (u64::from(self.r_sym.get()), self.r_type.get());
        match encoding.class {
            Class::Elf32 => r_sym << 8 | u64::from(r_type),
            Class::Elf64 if is_turned(encoding.order, encoding.info) => {
                u64::from(r_type.swap_bytes()) << 32 | r_sym
            }
            Class::Elf64 => r_sym << 32 | u64::from(r_type),
        }
    }
}

impl Rela {
    /// The relocation without its addend, which is then in the relocated field.
    pub fn without_addend(&self) -> Rel {
        Rel { r_offset: self.r_offset, r_info: self.r_info }
    }

    /// A relocation with these fields.
    #[inline]
    pub fn new(r_offset: u64, r_type: u32, r_sym: u32, r_addend: i64) -> Rela {
        Rela {
            r_offset: r_offset.into(),
            r_info: Info { r_type: r_type.into(), r_sym: r_sym.into() },
            r_addend: r_addend.into(),
        }
    }

    /// The symbol that the relocation refers to.
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
    /// The fields that all file headers for a machine share, for a system with number `os_abi`.
    pub fn of_machine(machine: &Machine, e_type: u16, os_abi: u8) -> Ehdr {
        let mut header = Ehdr::default();
        let mut ident = [0; 16];
        ident[..4].copy_from_slice(&ELFMAG);
        let (class, data) = (machine.class.ident(), data_ident(machine.byte_order));
        ident[4..8].copy_from_slice(&[class, data, EV_CURRENT, os_abi]);
        header.set_e_ident(ident);
        header.set_e_type(e_type);
        header.set_e_machine(machine.e_machine);
        header.set_e_version(EV_CURRENT.into());
        header.set_e_flags(machine.own_flags.map_or(0, |(_, value)| value));
        header.set_e_ehsize(Encoding::of(machine).size::<Ehdr>() as u16);
        header
    }
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
