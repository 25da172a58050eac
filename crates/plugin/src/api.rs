//! The types and numbers of `plugin-api.h`.

use skald_host::subprocess::FileOffset;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// `ld_plugin_tag`: the kind of an entry of the transfer vector.
pub mod tag {
    use std::ffi::c_int;

    pub const NULL: c_int = 0;
    pub const API_VERSION: c_int = 1;
    pub const LINKER_OUTPUT: c_int = 3;
    pub const OPTION: c_int = 4;
    pub const REGISTER_CLAIM_FILE_HOOK: c_int = 5;
    pub const REGISTER_ALL_SYMBOLS_READ_HOOK: c_int = 6;
    pub const REGISTER_CLEANUP_HOOK: c_int = 7;
    pub const ADD_SYMBOLS: c_int = 8;
    pub const GET_SYMBOLS: c_int = 9;
    pub const ADD_INPUT_FILE: c_int = 10;
    pub const MESSAGE: c_int = 11;
    pub const GET_INPUT_FILE: c_int = 12;
    pub const RELEASE_INPUT_FILE: c_int = 13;
    pub const ADD_INPUT_LIBRARY: c_int = 14;
    pub const OUTPUT_NAME: c_int = 15;
    pub const SET_EXTRA_LIBRARY_PATH: c_int = 16;
    pub const GNU_LD_VERSION: c_int = 17;
    pub const GET_VIEW: c_int = 18;
    pub const GET_INPUT_SECTION_COUNT: c_int = 19;
    pub const GET_INPUT_SECTION_TYPE: c_int = 20;
    pub const GET_INPUT_SECTION_NAME: c_int = 21;
    pub const GET_INPUT_SECTION_CONTENTS: c_int = 22;
    pub const UPDATE_SECTION_ORDER: c_int = 23;
    pub const ALLOW_SECTION_ORDERING: c_int = 24;
    pub const GET_SYMBOLS_V2: c_int = 25;
    pub const ALLOW_UNIQUE_SEGMENT_FOR_SECTIONS: c_int = 26;
    pub const UNIQUE_SEGMENT_FOR_SECTIONS: c_int = 27;
    pub const GET_SYMBOLS_V3: c_int = 28;
    pub const GET_INPUT_SECTION_ALIGNMENT: c_int = 29;
    pub const GET_INPUT_SECTION_SIZE: c_int = 30;
    pub const REGISTER_NEW_INPUT_HOOK: c_int = 31;
    pub const GET_WRAP_SYMBOLS: c_int = 32;
    pub const ADD_SYMBOLS_V2: c_int = 33;
    pub const GET_API_VERSION: c_int = 34;
    pub const REGISTER_CLAIM_FILE_HOOK_V2: c_int = 35;
}

/// `ld_plugin_status`.
pub type Status = c_int;
pub const OK: Status = 0;
pub const NO_SYMS: Status = 1;
pub const BAD_HANDLE: Status = 2;
pub const ERR: Status = 3;

/// `ld_plugin_level` of a message that ends the link.
pub const FATAL: c_int = 3;

/// `LD_PLUGIN_API_VERSION`.
pub const API_VERSION: isize = 1;
/// The version of GNU ld whose features plugins may expect: major * 100 + minor.
pub const GNU_LD_VERSION: isize = 242;

/// `ld_plugin_tv`: an entry of the transfer vector.
#[repr(C)]
pub struct Entry {
    pub tag: c_int,
    /// A number, a string or a function.
    pub value: isize,
}

/// `ld_plugin_input_file`.
#[repr(C)]
pub struct InputFile {
    pub name: *const c_char,
    pub fd: c_int,
    pub offset: FileOffset,
    pub size: FileOffset,
    pub handle: *mut c_void,
}

/// `ld_plugin_symbol`.
#[repr(C)]
pub struct Symbol {
    pub name: *mut c_char,
    pub version: *mut c_char,
    pub def: c_char,
    pub symbol_type: c_char,
    pub section_kind: c_char,
    pub unused: c_char,
    pub visibility: c_int,
    pub size: u64,
    pub comdat_key: *mut c_char,
    pub resolution: c_int,
}

/// `ld_plugin_section`.
#[repr(C)]
pub struct Section {
    pub handle: *const c_void,
    pub index: c_uint,
}

pub type OnLoad = extern "C" fn(*mut Entry) -> Status;
pub type ClaimFile = extern "C" fn(*const InputFile, *mut c_int) -> Status;
pub type ClaimFileV2 = extern "C" fn(*const InputFile, *mut c_int, c_int) -> Status;
pub type Hook = extern "C" fn() -> Status;
pub type NewInput = extern "C" fn(*const InputFile) -> Status;
