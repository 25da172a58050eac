//! What the linker adds: one file per synthetic section.

pub mod address_index;
pub mod build_id;
pub mod dynamic_relocs;
pub mod dynamic_section;
pub mod dynamic_symbols;
pub mod eh_frame;
pub mod eh_frame_hdr;
pub mod emitted_relocs;
pub mod gnu_hash;
pub mod got_plt;
pub mod image;
pub mod linker_symbols;
pub mod local_numbering;
pub mod package_note;
pub mod plt_frames;
pub mod property_note;
pub mod reloc_form;
pub mod relr;
pub mod sections;
pub mod sframe;
pub mod slots;
pub mod string_table;
pub mod symtab;
pub mod sysv_hash;
pub mod values;
pub mod versions;
