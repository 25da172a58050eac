//! The functions of the helper that a plugin calls (`plugin-api.h`).

use crate::api::{
    self, BAD_HANDLE, ERR, Entry, InputFile, NO_SYMS, OK, Section, Status, Symbol, tag,
};
use crate::format;
use crate::host::{self, host};
use crate::wire::{self, Added, Reply, Resolution};
use skald_host::subprocess::string_of_c;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

/// The entries of the transfer vector: functions and versions.
pub(crate) fn entries() -> Vec<Entry> {
    let function = |tag: c_int, function: *const ()| Entry { tag, value: function as isize };
    vec![
        Entry { tag: tag::API_VERSION, value: api::API_VERSION },
        Entry { tag: tag::GNU_LD_VERSION, value: api::GNU_LD_VERSION },
        function(tag::MESSAGE, message as *const ()),
        function(tag::GET_API_VERSION, get_api_version as *const ()),
        function(tag::REGISTER_CLAIM_FILE_HOOK, register_claim_file as *const ()),
        function(tag::REGISTER_CLAIM_FILE_HOOK_V2, register_claim_file_v2 as *const ()),
        function(tag::REGISTER_ALL_SYMBOLS_READ_HOOK, register_all_symbols_read as *const ()),
        function(tag::REGISTER_CLEANUP_HOOK, register_cleanup as *const ()),
        function(tag::REGISTER_NEW_INPUT_HOOK, register_new_input as *const ()),
        function(tag::ADD_SYMBOLS, add_symbols as *const ()),
        function(tag::ADD_SYMBOLS_V2, add_symbols as *const ()),
        function(tag::GET_SYMBOLS, get_symbols as *const ()),
        function(tag::GET_SYMBOLS_V2, get_symbols_v2 as *const ()),
        function(tag::GET_SYMBOLS_V3, get_symbols_v3 as *const ()),
        function(tag::ADD_INPUT_FILE, add_input_file as *const ()),
        function(tag::ADD_INPUT_LIBRARY, add_input_library as *const ()),
        function(tag::SET_EXTRA_LIBRARY_PATH, set_extra_library_path as *const ()),
        function(tag::GET_INPUT_FILE, get_input_file as *const ()),
        function(tag::RELEASE_INPUT_FILE, release_input_file as *const ()),
        function(tag::GET_VIEW, get_view as *const ()),
        function(tag::GET_INPUT_SECTION_COUNT, get_input_section_count as *const ()),
        function(tag::GET_INPUT_SECTION_TYPE, get_input_section_type as *const ()),
        function(tag::GET_INPUT_SECTION_NAME, get_input_section_name as *const ()),
        function(tag::GET_INPUT_SECTION_CONTENTS, get_input_section_contents as *const ()),
        function(tag::GET_INPUT_SECTION_ALIGNMENT, get_input_section_alignment as *const ()),
        function(tag::GET_INPUT_SECTION_SIZE, get_input_section_size as *const ()),
        function(tag::ALLOW_SECTION_ORDERING, allow as *const ()),
        function(tag::UPDATE_SECTION_ORDER, update_section_order as *const ()),
        function(tag::ALLOW_UNIQUE_SEGMENT_FOR_SECTIONS, allow as *const ()),
        function(tag::UNIQUE_SEGMENT_FOR_SECTIONS, unique_segment_for_sections as *const ()),
        function(tag::GET_WRAP_SYMBOLS, get_wrap_symbols as *const ()),
    ]
}

extern "C" fn register_claim_file(hook: api::ClaimFile) -> Status {
    host(|host| host.hooks.claim_file = Some(hook));
    OK
}

extern "C" fn register_claim_file_v2(hook: api::ClaimFileV2) -> Status {
    host(|host| host.hooks.claim_file_v2 = Some(hook));
    OK
}

extern "C" fn register_all_symbols_read(hook: api::Hook) -> Status {
    host(|host| host.hooks.all_symbols_read = Some(hook));
    OK
}

extern "C" fn register_cleanup(hook: api::Hook) -> Status {
    host(|host| host.hooks.cleanup = Some(hook));
    OK
}

extern "C" fn register_new_input(hook: api::NewInput) -> Status {
    host(|host| host.hooks.new_input = Some(hook));
    OK
}

/// `ld_plugin_get_api_version`: the highest version of the interface that both know.
extern "C" fn get_api_version(
    _plugin: *const c_char,
    _version: *const c_char,
    least: c_int,
    greatest: c_int,
    linker: *mut *const c_char,
    linker_version: *mut *const c_char,
) -> c_int {
    // SAFETY: the plugin passes places for two strings, which live as long as the process.
    unsafe {
        linker.write(c"skald".as_ptr());
        linker_version.write(concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast());
    }
    // LAPI_V1 requires nothing that is missing here.
    if least > 1 { -1 } else { greatest.clamp(0, 1) }
}

/// The bytes of a string of the plugin; empty for a null pointer.
///
/// # Safety
/// `text` is null or points to a string that ends with a NUL.
unsafe fn bytes(text: *const c_char) -> Vec<u8> {
    if text.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()
}

/// `ld_plugin_message`. It has a variable number of arguments: see [`format`].
#[allow(clippy::too_many_arguments)]
extern "C" fn message(
    level: c_int,
    text: *const c_char,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: usize,
    h: usize,
) -> Status {
    // SAFETY: a format and its arguments; the words behind the last one are not looked at.
    let text = unsafe { format::format(&bytes(text), &[a, b, c, d, e, f, g, h]) };
    host(|host| host.send(&Reply::Message(level.clamp(0, api::FATAL) as u8, text)));
    if level >= api::FATAL {
        // GNU ld ends here, and plugins rely on that.
        host::end(1);
    }
    OK
}

/// `count` items of a plugin; `None` if the count is impossible.
///
/// # Safety
/// `items` is null or points to so many that stay as they are.
unsafe fn items<'a, T>(items: *const T, count: impl TryInto<usize>) -> Option<&'a [T]> {
    match count.try_into().ok()? {
        0 => Some(&[]),
        _ if items.is_null() => None,
        // SAFETY: the caller's promise.
        count => Some(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// `ld_plugin_add_symbols`, and version 2, which fills fields that were unused before.
extern "C" fn add_symbols(handle: *mut c_void, count: c_int, all: *const Symbol) -> Status {
    // SAFETY: the plugin passes so many symbols.
    let Some(all) = (unsafe { items(all, count) }) else { return ERR };
    let is_known = |symbol: &Symbol| {
        !symbol.name.is_null()
            && (symbol.def as u8) <= wire::def::COMMON
            && (0..=3).contains(&symbol.visibility)
    };
    if !all.iter().all(is_known) {
        return ERR;
    }
    // SAFETY: strings of a symbol, which may be null.
    let symbols = all.iter().map(|symbol| unsafe {
        wire::Symbol {
            name: bytes(symbol.name),
            version: bytes(symbol.version),
            def: symbol.def as u8,
            symbol_type: symbol.symbol_type as u8,
            section_kind: symbol.section_kind as u8,
            visibility: symbol.visibility as u8,
            size: symbol.size,
            comdat_key: bytes(symbol.comdat_key),
        }
    });
    let symbols: Vec<wire::Symbol> = symbols.collect();
    host(|host| {
        let is_offered = host.offering == handle as usize;
        match host.file_of(handle) {
            Some(offered) if is_offered => {
                offered.count = symbols.len();
                offered.symbols = symbols;
                OK
            }
            // Symbols that were already sent to the linker cannot change.
            Some(_) => ERR,
            None => BAD_HANDLE,
        }
    })
}

/// Fills in resolutions. Old plugins (`is_old`) do not know LDPR_PREVAILING_DEF_IRONLY_EXP, and
/// only the newest interface tells that a file is not linked at all.
///
/// # Safety
/// There is room for `count` symbols.
unsafe fn resolve(
    handle: *const c_void,
    count: c_int,
    symbols: *mut Symbol,
    is_old: bool,
    knows_unlinked: bool,
) -> Status {
    let Some(count) = host(|host| Some(host.file_of(handle)?.count))
        .map(|own| usize::try_from(count).unwrap_or(0).min(own))
    else {
        return BAD_HANDLE;
    };
    let resolutions = host(|host| host::resolutions(host, handle));
    if resolutions.is_none() && knows_unlinked {
        return NO_SYMS;
    }
    let symbols = match count {
        0 => &mut [],
        _ if symbols.is_null() => return ERR,
        // SAFETY: the plugin passes room for so many symbols.
        _ => unsafe { std::slice::from_raw_parts_mut(symbols, count) },
    };
    for (at, symbol) in symbols.iter_mut().enumerate() {
        let found = match &resolutions {
            Some(all) => all.get(at).copied().unwrap_or(host::UNKNOWN),
            None => Resolution::PreemptedReg as u8,
        };
        let is_exported = found == Resolution::PrevailingDefIrOnlyExp as u8;
        let found = if is_old && is_exported { Resolution::PrevailingDef as u8 } else { found };
        symbol.resolution = found.into();
    }
    OK
}

extern "C" fn get_symbols(h: *const c_void, n: c_int, symbols: *mut Symbol) -> Status {
    // SAFETY: passed on.
    unsafe { resolve(h, n, symbols, true, false) }
}

extern "C" fn get_symbols_v2(h: *const c_void, n: c_int, symbols: *mut Symbol) -> Status {
    // SAFETY: passed on.
    unsafe { resolve(h, n, symbols, false, false) }
}

extern "C" fn get_symbols_v3(h: *const c_void, n: c_int, symbols: *mut Symbol) -> Status {
    // SAFETY: passed on.
    unsafe { resolve(h, n, symbols, false, true) }
}

extern "C" fn add_input_file(path: *const c_char) -> Status {
    // SAFETY: a string.
    let path = unsafe { bytes(path) };
    host(|host| host.added.push(Added::File(path)));
    OK
}

extern "C" fn add_input_library(name: *const c_char) -> Status {
    // SAFETY: a string.
    let name = unsafe { bytes(name) };
    host(|host| host.added.push(Added::Library(name)));
    OK
}

extern "C" fn set_extra_library_path(path: *const c_char) -> Status {
    // SAFETY: a string.
    let path = unsafe { bytes(path) };
    host(|host| host.added.push(Added::LibraryPath(path)));
    OK
}

extern "C" fn get_input_file(handle: *const c_void, file: *mut InputFile) -> Status {
    let Some(input) = host(|host| host.opened(handle)) else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { file.write(input) };
    OK
}

extern "C" fn release_input_file(handle: *const c_void) -> Status {
    host(|host| match host.file_of(handle) {
        Some(offered) => {
            offered.open = None;
            OK
        }
        None => BAD_HANDLE,
    })
}

extern "C" fn get_view(handle: *const c_void, view: *mut *const c_void) -> Status {
    let found = host(|host| host.view(handle).map(|bytes| bytes.as_ptr().cast::<c_void>()));
    // SAFETY: the plugin passes a place for it; the map stays until the process ends.
    unsafe { view.write(found.unwrap_or(host::NOTHING)) };
    if found.is_some() { OK } else { BAD_HANDLE }
}

extern "C" fn get_input_section_count(handle: *const c_void, count: *mut c_uint) -> Status {
    let Some(found) = host(|host| Some(host.sections(handle)?.count())) else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { count.write(found) };
    OK
}

extern "C" fn get_input_section_type(section: Section, kind: *mut c_uint) -> Status {
    let find =
        |host: &mut host::Host| Some(host.sections(section.handle)?.get(section.index)?.kind);
    let Some(found) = host(find) else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { kind.write(found) };
    OK
}

/// The plugin owns the name and frees it.
extern "C" fn get_input_section_name(section: Section, name: *mut *mut c_char) -> Status {
    let found = host(|host| {
        let sections = host.sections(section.handle)?;
        let found = sections.get(section.index)?;
        CString::new(sections.name(&found)?).ok()
    });
    let Some(found) = found else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { name.write(string_of_c(&found)) };
    OK
}

extern "C" fn get_input_section_contents(
    section: Section,
    contents: *mut *const u8,
    length: *mut usize,
) -> Status {
    let found = host(|host| {
        let sections = host.sections(section.handle)?;
        let contents = sections.contents(&sections.get(section.index)?)?;
        Some((contents.as_ptr(), contents.len()))
    });
    let Some((start, size)) = found else { return BAD_HANDLE };
    // SAFETY: the plugin passes places for both; the map stays until the process ends.
    unsafe {
        contents.write(start);
        length.write(size);
    }
    OK
}

extern "C" fn get_input_section_alignment(section: Section, align: *mut c_uint) -> Status {
    let find =
        |host: &mut host::Host| Some(host.sections(section.handle)?.get(section.index)?.align);
    let Some(found) = host(find) else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { align.write(found as c_uint) };
    OK
}

extern "C" fn get_input_section_size(section: Section, size: *mut u64) -> Status {
    let find =
        |host: &mut host::Host| Some(host.sections(section.handle)?.get(section.index)?.size);
    let Some(found) = host(find) else { return BAD_HANDLE };
    // SAFETY: the plugin passes a place for it.
    unsafe { size.write(found) };
    OK
}

/// `ld_plugin_allow_section_ordering` and `ld_plugin_allow_unique_segment_for_sections`: nothing
/// has to be prepared.
extern "C" fn allow() -> Status {
    OK
}

/// The sections in a list of the plugin.
///
/// # Safety
/// There are `count` of them.
unsafe fn listed(list: *const Section, count: c_uint) -> Option<Vec<Added>> {
    let listed = |section: &Section| {
        Added::Section((section.handle as usize).wrapping_sub(1) as u32, section.index)
    };
    // SAFETY: the caller's promise.
    Some(unsafe { items(list, count) }?.iter().map(listed).collect())
}

extern "C" fn update_section_order(list: *const Section, count: c_uint) -> Status {
    // SAFETY: the plugin passes so many sections.
    let Some(order) = (unsafe { listed(list, count) }) else { return ERR };
    host(|host| host.added.extend(order));
    OK
}

extern "C" fn unique_segment_for_sections(
    name: *const c_char,
    flags: u64,
    align: u64,
    list: *const Section,
    count: c_uint,
) -> Status {
    // SAFETY: the plugin passes so many sections.
    let Some(sections) = (unsafe { listed(list, count) }) else { return ERR };
    // SAFETY: a string.
    let name = unsafe { bytes(name) };
    host(|host| {
        host.added.push(Added::Segment(name, flags, align, sections.len() as u64));
        host.added.extend(sections);
    });
    OK
}

extern "C" fn get_wrap_symbols(count: *mut u64, list: *mut *const *const c_char) -> Status {
    let (length, start) = host(|host| (host.wrap_pointers.len(), host.wrap_pointers.as_ptr()));
    // SAFETY: the plugin passes places for both; the list stays as it is.
    unsafe {
        count.write(length as u64);
        list.write(start.cast());
    }
    OK
}
