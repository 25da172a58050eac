//! The helper's side: loads the plugin, and serves the linker's requests.

use crate::api::{self, Entry, InputFile, Status, tag};
use crate::waiting::linger;
use crate::wire::{Added, File, Reply, Request, Resolution, Start, Symbol};
use crate::{callbacks, section_view::Sections};
use skald_core::unordered::UnorderedMap;
use skald_host::code_pages::CodePages;
use skald_host::paths::OsStrBytes;
use skald_host::subprocess::{self, Counter, FileOffset, FileView, Talk};
use std::ffi::{CString, c_int, c_void};
use std::fs::{self, File as OpenFile};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard};

/// A file that the plugin has been offered.
pub(crate) struct Offered {
    pub(crate) file: File,
    pub(crate) name: CString,
    /// Open while the plugin may read it.
    pub(crate) open: Option<OpenFile>,
    /// The bytes of the whole file, which may be an archive.
    map: Option<Arc<FileView>>,
    /// The symbols that the plugin has added, until they are sent to the linker.
    pub(crate) symbols: Vec<Symbol>,
    /// Number of symbols that the plugin has added.
    pub(crate) count: usize,
    /// A [`Resolution`] for each symbol; `None` if the file is not linked.
    pub(crate) resolutions: Option<Vec<u8>>,
}

impl Offered {
    fn new(file: File, name: CString) -> Offered {
        let (symbols, count) = (Vec::new(), 0);
        Offered { file, name, open: None, map: None, symbols, count, resolutions: None }
    }
}

/// The functions that a plugin has registered.
#[derive(Default, Clone, Copy)]
pub(crate) struct Hooks {
    pub(crate) claim_file: Option<api::ClaimFile>,
    pub(crate) claim_file_v2: Option<api::ClaimFileV2>,
    pub(crate) all_symbols_read: Option<api::Hook>,
    pub(crate) cleanup: Option<api::Hook>,
    pub(crate) new_input: Option<api::NewInput>,
}

/// The state that callbacks share; each plugin has a process of its own.
#[derive(Default)]
pub(crate) struct Host {
    pub(crate) hooks: Hooks,
    pub(crate) offered: Vec<Offered>,
    /// Handle of the file that the plugin is asked to claim; 0 for none.
    pub(crate) offering: usize,
    /// Maps of files, by path: members of an archive share one.
    maps: UnorderedMap<PathBuf, Arc<FileView>>,
    pub(crate) added: Vec<Added>,
    pub(crate) wraps: Vec<CString>,
    pub(crate) wrap_pointers: Vec<usize>,
    /// Strings that were passed to the plugin, and must stay alive.
    pub(crate) kept: Vec<CString>,
    to_linker: Option<Talk>,
    /// Replies that have not been sent yet.
    replies: Vec<u8>,
    /// Number of files that the plugin has been offered. Replies are sent in batches, so if the
    /// plugin ends its process, this number tells the linker which file was being offered.
    progress: Option<Counter>,
}

/// Libraries with at least this much code take long to unmap at exit.
const LARGE: usize = 16 << 20;
/// Maximum number of bytes of unsent replies.
const REPLIES: usize = 32 << 10;

static HOST: Mutex<Option<Host>> = Mutex::new(None);

/// Calls `with` with the shared state, which is locked: no callback may run meanwhile.
pub(crate) fn host<R>(with: impl FnOnce(&mut Host) -> R) -> R {
    let mut guard: MutexGuard<'_, Option<Host>> = HOST.lock().unwrap_or_else(|e| e.into_inner());
    with(guard.get_or_insert_with(Host::default))
}

impl Host {
    /// The file of a handle, which is the file's number, counted from 1.
    pub(crate) fn file_of(&mut self, handle: *const c_void) -> Option<&mut Offered> {
        self.offered.get_mut((handle as usize).checked_sub(1)?)
    }

    /// The bytes of an offered file.
    pub(crate) fn view(&mut self, handle: *const c_void) -> Option<&[u8]> {
        let at = (handle as usize).checked_sub(1)?;
        let offered = self.offered.get(at)?;
        if offered.map.is_none() {
            let path = Path::new(std::ffi::OsStr::from_bytes(&offered.file.path)).to_owned();
            let map = match self.maps.get(&path) {
                Some(map) => map.clone(),
                None => {
                    let map = Arc::new(match &offered.open {
                        Some(open) => FileView::of(open)?,
                        None => FileView::of(&OpenFile::open(&path).ok()?)?,
                    });
                    self.maps.insert(path, map.clone());
                    map
                }
            };
            self.offered[at].map = Some(map);
        }
        let Offered { map, file: File { offset, size, .. }, .. } = &self.offered[at];
        let start = usize::try_from(*offset).ok()?;
        map.as_ref()?.get(start..start.checked_add(usize::try_from(*size).ok()?)?)
    }

    pub(crate) fn sections(&mut self, handle: *const c_void) -> Option<Sections<'_>> {
        self.view(handle).and_then(Sections::of)
    }

    /// Opens an offered file again, positioned at its offset; returns the description for the
    /// plugin.
    pub(crate) fn opened(&mut self, handle: *const c_void) -> Option<InputFile> {
        let offered = self.file_of(handle)?;
        if offered.open.is_none() {
            let path = Path::new(std::ffi::OsStr::from_bytes(&offered.file.path));
            offered.open = Some(OpenFile::open(path).ok()?);
        }
        Some(InputFile {
            name: offered.name.as_ptr(),
            fd: subprocess::descriptor(offered.open.as_ref()?),
            offset: offered.file.offset as FileOffset,
            size: offered.file.size as FileOffset,
            handle: handle.cast_mut(),
        })
    }

    /// Queues a reply, which is sent with later ones, or when the linker waits for it.
    fn reply(&mut self, reply: &Reply) {
        let _ = reply.send(&mut self.replies);
        if self.replies.len() > REPLIES {
            self.flush();
        }
    }

    /// Sends a reply, and all queued ones, at once.
    pub(crate) fn send(&mut self, reply: &Reply) {
        self.reply(reply);
        self.flush();
    }

    fn flush(&mut self) {
        if let Some(to) = &mut self.to_linker {
            // A linker that has ended is noticed when the next request is read.
            let _ = to.write_all(&self.replies);
        }
        self.replies.clear();
    }
}

/// Releases pages of code that were needed to load the plugin and are unlikely to be needed again,
/// until the linker sends a request.
fn rest(code: &mut CodePages, from: &BufReader<Talk>) {
    let is_idle = || from.buffer().is_empty() && !from.get_ref().is_ready();
    code.give_back(is_idle);
}

/// Releases pages of code on another thread while the plugin works: the linker waits for the
/// plugin, so a processor is free.
fn give_back_beside(mut code: CodePages) {
    if !code.is_empty() {
        let _ = std::thread::Builder::new().spawn(move || code.give_back(|| true));
    }
}

/// Serves the linker at the other end of standard input until it ends; returns the exit status.
pub fn serve() -> i32 {
    let Some((from, to, progress)) = subprocess::served() else { return 1 };
    host(|host| {
        host.to_linker = Some(to);
        host.progress = Some(progress);
    });
    let mut from = BufReader::new(from);
    let mut is_started = false;
    // The state since the helper last waited for a request.
    let (mut served, mut is_claimed) = (0, false);
    let (mut code, mut left) = (CodePages::default(), CodePages::default());
    // A malformed request is the end, too: there is no linker that would read an answer.
    loop {
        if from.buffer().is_empty() {
            host(Host::flush);
            // A linker that offered one file alone will offer the next one at once.
            if std::mem::take(&mut served) == 1 && is_claimed {
                linger(from.get_ref());
            }
        }
        let Ok(Some(request)) = Request::receive(&mut from) else { break };
        served += 1;
        is_claimed = matches!(request, Request::Claim(_));
        let reply = match request {
            Request::Start(start) => load(start).map(|()| {
                is_started = true;
                // This is cheap as long as there are few mappings.
                code = CodePages::find(LARGE);
                left = code.clone();
                Reply::Started
            }),
            _ if !is_started => Err("no plugin".to_owned()),
            Request::Claim(file) => claim(file).map(Reply::Claimed),
            Request::Rest => {
                rest(&mut left, &from);
                continue;
            }
            Request::AllRead(resolutions) => {
                give_back_beside(std::mem::take(&mut left));
                all_read(resolutions).map(Reply::Added)
            }
        };
        let reply = reply.unwrap_or_else(|text| Reply::Failed(text.into_bytes()));
        host(|host| host.reply(&reply));
        if matches!(reply, Reply::Added(_)) {
            host(Host::flush);
            // There is nothing to do until the linker has opened the added files.
            rest(&mut code.clone(), &from);
        }
    }
    end(0)
}

/// Lets the plugin clean up, and ends the process.
pub(crate) fn end(code: i32) -> ! {
    let hooks = host(|host| std::mem::take(&mut host.hooks));
    if let Some(cleanup) = hooks.cleanup {
        cleanup();
    }
    let _ = std::io::stdout().flush();
    if let Some(directory) = std::env::var_os("TMPDIR")
        && Path::new(&directory)
            .file_name()
            .is_some_and(|n| n.as_bytes().starts_with(b"skald-lto-"))
    {
        let _ = fs::remove_dir_all(directory);
    }
    // Not by returning: destructors of the plugin may hang.
    subprocess::exit(code)
}

/// Loads the plugin and lets it register its hooks.
fn load(start: Start) -> Result<(), String> {
    let string = |bytes: Vec<u8>| CString::new(bytes).map_err(|_| "a NUL in a text".to_owned());
    let name = string(start.plugin)?;
    let mut entries = callbacks::entries();
    let mut kept = Vec::new();
    let mut text = |tag: c_int, bytes: Vec<u8>| -> Result<Entry, String> {
        kept.push(string(bytes)?);
        let value = kept.last().map_or(0, |text: &CString| text.as_ptr() as isize);
        Ok(Entry { tag, value })
    };
    entries.push(text(tag::OUTPUT_NAME, start.output)?);
    for option in start.options {
        entries.push(text(tag::OPTION, option)?);
    }
    entries.push(Entry { tag: tag::LINKER_OUTPUT, value: start.output_kind as isize });
    entries.push(Entry { tag: tag::NULL, value: 0 });
    let wraps = start.wraps.into_iter().map(string).collect::<Result<Vec<_>, _>>()?;
    host(|host| {
        host.kept = kept;
        host.wrap_pointers = wraps.iter().map(|name| name.as_ptr() as usize).collect();
        host.wraps = wraps;
    });
    let on_load = subprocess::load(&name, c"onload")?;
    if on_load.is_null() {
        return Err("it has no function onload: it is no linker plugin".to_owned());
    }
    // SAFETY: a plugin's `onload` has this type.
    let on_load: api::OnLoad = unsafe { std::mem::transmute::<*mut c_void, api::OnLoad>(on_load) };
    let entries = entries.leak();
    // A vector that ends with LDPT_NULL and lives as long as the process.
    match on_load(entries.as_mut_ptr()) {
        api::OK => Ok(()),
        status => Err(format!("it could not be initialized: it returned {status}")),
    }
}

/// Offers the plugin a file; returns the file's symbols if the plugin claims it.
fn claim(file: File) -> Result<Option<Vec<Symbol>>, String> {
    let name = if file.name.is_empty() { &file.path } else { &file.name };
    let name = CString::new(name.clone()).map_err(|_| "a NUL in a path".to_owned())?;
    let is_used = c_int::from(file.is_used);
    let offered = Offered::new(file, name);
    let (handle, hooks, input) = host(|host| {
        host.offered.push(offered);
        host.progress.iter().for_each(Counter::step);
        host.offering = host.offered.len();
        let handle = host.offering as *const c_void;
        (handle, host.hooks, host.opened(handle))
    });
    let input = input.ok_or_else(|| std::io::Error::last_os_error().to_string())?;
    let mut claimed = 0;
    let status: Status = match (hooks.claim_file_v2, hooks.claim_file) {
        (Some(claim), _) => claim(&input, &mut claimed, is_used),
        (None, Some(claim)) => claim(&input, &mut claimed),
        (None, None) => api::OK,
    };
    let symbols = host(|host| {
        host.offering = 0;
        let offered = host.file_of(handle)?;
        offered.open = None;
        Some(std::mem::take(&mut offered.symbols))
    });
    match status {
        api::OK => Ok(symbols.filter(|_| claimed != 0)),
        status => Err(format!("it could not read the file: it returned {status}")),
    }
}

/// Tells the plugin that all inputs have been read; returns the files and options that it adds to
/// the link.
fn all_read(resolutions: Vec<Option<Vec<u8>>>) -> Result<Vec<Added>, String> {
    let hooks = host(|host| {
        host.flush();
        for (offered, resolutions) in host.offered.iter_mut().zip(resolutions) {
            offered.resolutions = resolutions;
        }
        host.hooks
    });
    if let Some(all_symbols_read) = hooks.all_symbols_read {
        let status = all_symbols_read();
        if status != api::OK {
            return Err(format!("it could not compile: it returned {status}"));
        }
    }
    let added = host(|host| std::mem::take(&mut host.added));
    if let Some(new_input) = hooks.new_input {
        for added in &added {
            if let Added::File(path) = added {
                tell_of(new_input, path);
            }
        }
    }
    // The hook may have requested an order of sections.
    let more = host(|host| std::mem::take(&mut host.added));
    Ok(added.into_iter().chain(more).collect())
}

/// Tells the plugin of a file that is linked because the plugin added it.
fn tell_of(new_input: api::NewInput, path: &[u8]) {
    let Ok(name) = CString::new(path) else { return };
    let size = fs::metadata(std::ffi::OsStr::from_bytes(path)).map_or(0, |data| data.len());
    let path = path.to_vec();
    let file = File { path, size, is_used: true, ..File::default() };
    let offered = Offered::new(file, name);
    let input = host(|host| {
        host.offered.push(offered);
        let handle = host.offered.len() as *const c_void;
        host.opened(handle)
    });
    if let Some(input) = input {
        new_input(&input);
        host(|host| host.file_of(input.handle).map(|offered| offered.open = None));
    }
}

/// The resolutions of an offered file's symbols; `None` if it is not linked.
pub(crate) fn resolutions(host: &mut Host, handle: *const c_void) -> Option<Vec<u8>> {
    host.file_of(handle)?.resolutions.clone()
}

/// The resolution of a symbol for which the linker sent none.
pub(crate) const UNKNOWN: u8 = Resolution::PrevailingDef as u8;

/// A null pointer, for files without a view.
pub(crate) const NOTHING: *const c_void = ptr::null();
