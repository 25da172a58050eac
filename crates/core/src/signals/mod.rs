//! What a link does when a signal ends it: no half-written output, and a message where the
//! signal was an input's fault.
//!
//! - SIGBUS in a mapped input: the file was cut short (or its disk failed) after it was mapped.
//!   That is an error like any other: it is named and the process exits with status 1. In a mapped
//!   output it means that the disk is full.
//! - SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGABRT: the unfinished outputs are removed, jobs
//!   are given back to make, and the signal takes its usual course, so that the caller sees a
//!   process killed by it. SIGABRT is among them because a panic ends in it when panics abort.
//! - SIGXFSZ: caught and dropped, so that a file above `ulimit -f` is EFBIG and an ordinary error.
//!
//! - SIGSEGV, SIGILL, SIGFPE: an internal error ([`crate::internal_error`]), as a panic is.
//!
//! Memory that the system does not give ends the process as such a fault does, and so does a panic
//! if an input was written meanwhile.
//!
//! The handlers call async-signal-safe functions only; what they read is lock-free.

pub(crate) mod mappings;
mod outlive;
pub(crate) mod unfinished;

pub(crate) use outlive::outlive;

use crate::{input, internal_error, jobs, memory_limit};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};

const FATAL: [libc::c_int; 6] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGXCPU, libc::SIGABRT];

/// Signals of faults, and what the message says of each.
const FAULTS: [(libc::c_int, &[u8]); 3] = [
    (libc::SIGSEGV, b": memory that is not there was used, or the stack was too small\n"),
    (libc::SIGILL, b": an instruction that is not there was met\n"),
    (libc::SIGFPE, b": an arithmetic operation has no result\n"),
];

static PROGRAM: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static PROGRAM_LEN: AtomicUsize = AtomicUsize::new(0);
static PREVIOUS_BUS: OnceLock<libc::sigaction> = OnceLock::new();
/// Id of the thread that prints why the process ends, or 0.
static REPORTER: AtomicI32 = AtomicI32::new(0);

/// Installs the handlers, once per process; messages begin with `program`.
///
/// A signal that the caller ignores (`nohup`) stays ignored.
pub fn install(program: &str) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let name: &'static str = program.to_owned().leak();
        PROGRAM_LEN.store(name.len(), Ordering::Relaxed);
        PROGRAM.store(name.as_ptr().cast_mut(), Ordering::Release);
        let previous = set_handler(
            libc::SIGBUS,
            on_bus as *const () as libc::sighandler_t,
            libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER,
        );
        let _ = PREVIOUS_BUS.set(previous);
        end_at_panics();
        for (signal, _) in FAULTS {
            let handler = on_fault as *const () as libc::sighandler_t;
            set_handler(signal, handler, libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER);
        }
        for signal in FATAL {
            let handler = on_fatal as *const () as libc::sighandler_t;
            let previous = set_handler(signal, handler, libc::SA_RESTART | libc::SA_ONSTACK);
            if previous.sa_sigaction == libc::SIG_IGN {
                set_handler(signal, libc::SIG_IGN, 0);
            }
        }
    });
    report_file_size_limit();
}

/// Makes writing beyond `ulimit -f` fail with EFBIG instead of killing the process.
pub(crate) fn report_file_size_limit() {
    static INSTALLED: Once = Once::new();
    // A handler, not SIG_IGN: programs that this process starts get the default action back.
    INSTALLED.call_once(|| {
        let handler = on_file_size_limit as *const () as libc::sighandler_t;
        set_handler(libc::SIGXFSZ, handler, libc::SA_RESTART | libc::SA_ONSTACK);
    });
}

/// The program's name, as messages begin with it.
pub(crate) fn program_name() -> std::borrow::Cow<'static, str> {
    String::from_utf8_lossy(program())
}

/// Ends the process because there is no memory for `size` bytes. It allocates nothing.
#[cold]
pub(crate) fn out_of_memory(size: usize) -> ! {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: getrlimit fills one structure.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    let (mut wanted, mut allowed, mut needed) = ([0; 20], [0; 20], [0; 20]);
    let wanted = decimal(size as u64, &mut wanted);
    let allowed = decimal(limit.rlim_cur / 1024, &mut allowed);
    let is_limited = limit.rlim_cur != libc::RLIM_INFINITY;
    let reason: [&[u8]; 3] = match is_limited {
        false => [b"", b"", b""],
        true => [b"; the address space is limited to ", allowed, b" KiB (ulimit -v)"],
    };
    // The foreseen memory is not all: it is a hint only if it exceeds the limit.
    let foreseen = memory_limit::needed_addresses_mib()
        .filter(|mib| is_limited && mib.saturating_mul(1 << 20) > limit.rlim_cur);
    let need: [&[u8]; 3] = match foreseen {
        None => [b"", b"", b""],
        Some(mib) => [b", this link needs about ", decimal(mib * 1024, &mut needed), b" KiB"],
    };
    let text: [&[u8]; 3] = [b": error: out of memory: ", wanted, b" bytes more are wanted"];
    fail(&[
        text[0], text[1], text[2], reason[0], reason[1], reason[2], need[0], need[1], need[2],
        b"\n",
    ])
}

/// Prints an error and ends the process, from any thread, whatever others do.
pub(crate) fn end_with(error: &str) -> ! {
    fail(&[b": error: ", error.as_bytes(), b"\n"])
}

/// The decimal digits of `number`, in `buffer`.
fn decimal(mut number: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &buffer[at..];
        }
    }
}

/// The most parts that a message has.
const MOST_PARTS: usize = 12;

/// Prints an error of several parts and ends the process.
fn fail(text: &[&[u8]]) -> ! {
    claim();
    let mut parts = [&b""[..]; MOST_PARTS];
    parts[0] = program();
    parts[1..=text.len()].copy_from_slice(text);
    print(&parts);
    end(1)
}

/// Lets this thread alone go on, to say why the process ends. Of several threads the first one goes
/// on; if it comes here a second time, the process ends with what was printed.
pub(crate) fn claim() {
    // SAFETY: gettid, pause and _exit are async-signal-safe.
    unsafe {
        let own = libc::gettid();
        match REPORTER.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {}
            Err(first) if first == own => end(internal_error::STATUS),
            Err(_) => loop {
                libc::pause();
            },
        }
    }
}

/// Prints the program's name and `text` to standard error.
pub(crate) fn say(text: &[u8]) {
    print(&[program(), text]);
}

/// Prints `text`, whole lines, to standard error.
pub(crate) fn say_more(text: &[u8]) {
    print(&[text]);
}

/// Ends the process, after removing unfinished outputs and giving jobs back.
pub(crate) fn end(status: libc::c_int) -> ! {
    clean_up();
    // SAFETY: async-signal-safe, ends all threads.
    unsafe { libc::_exit(status) }
}

/// Makes panics end the process as internal errors. If an input was written meanwhile, what was
/// checked need not hold any more: then that is the error.
fn end_at_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match input::any_changed() {
        Some(path) => fail(&[b": error: ", path.as_os_str().as_bytes(), CHANGED, b"\n"]),
        None => internal_error::of_panic(panic, || before(panic)),
    }));
}

/// Bytes of stack that handlers need, beyond those of the signal frame.
const STACK: usize = 16 << 10;

/// Gives this thread an alternate signal stack, so that a handler can report an overflow of its
/// own.
pub(crate) fn use_own_stack() {
    // SAFETY: it takes any number.
    let of_kernel = unsafe { libc::getauxval(libc::AT_MINSIGSTKSZ) } as usize;
    let size = of_kernel.max(libc::MINSIGSTKSZ) + STACK;
    let memory = Box::leak(Box::<[u8]>::new_uninit_slice(size));
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: size };
    // SAFETY: memory that is never freed, and that nobody else has. If it is refused handlers run
    // on the thread's stack.
    unsafe { libc::sigaltstack(&stack, std::ptr::null_mut()) };
}

/// The error, after the path, for an input that was written while it was read.
pub const CHANGED: &[u8] = b": file was changed while it was linked";

/// Removes unfinished outputs: for code that ends the process without unwinding.
pub fn discard_outputs() {
    clean_up();
}

/// Removes unfinished outputs and gives jobs back to make.
fn clean_up() {
    unfinished::discard_all();
    jobs::give_back();
}

/// Calls `work` with the signals blocked that would end the process.
pub(crate) fn without<T>(work: impl FnOnce() -> T) -> T {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    let mut before = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: sigemptyset makes the set valid, and sigprocmask fills the one before.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in FATAL {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), before.as_mut_ptr());
    }
    let result = work();
    // SAFETY: the set was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut()) };
    result
}

fn set_handler(
    signal: libc::c_int,
    handler: libc::sighandler_t,
    flags: libc::c_int,
) -> libc::sigaction {
    let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: both structures are plain data for which zero is valid; the handlers given here
    // have the signatures their flags ask for and are async-signal-safe.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigemptyset(&mut action.sa_mask);
        libc::sigaction(signal, &action, previous.as_mut_ptr());
        previous.assume_init()
    }
}

extern "C" fn on_file_size_limit(_signal: libc::c_int) {}

extern "C" fn on_fatal(signal: libc::c_int) {
    clean_up();
    // SAFETY: both are async-signal-safe. The signal is blocked here and is delivered with its
    // default action when the handler returns.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    _context: *mut libc::c_void,
) {
    // SAFETY: with SA_SIGINFO the kernel passes a valid siginfo_t.
    if unsafe { (*info).si_code } <= 0 {
        return on_fatal(signal);
    }
    let what = FAULTS.iter().find(|fault| fault.0 == signal).map_or(&b"\n"[..], |fault| fault.1);
    internal_error::of_fault(what)
}

extern "C" fn on_bus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the kernel passes a valid siginfo_t.
    let (address, code) = unsafe { ((*info).si_addr() as usize, (*info).si_code) };
    // A SIGBUS that somebody sent (code <= 0) has no address.
    let found = if code > 0 { mappings::find(address) } else { None };
    let Some(found) = found else {
        clean_up();
        return restore_previous(signal, code > 0);
    };
    let (before, after): (&[u8], &[u8]) = if found.is_output {
        (b": error: cannot write ", b": No space left on device, or the file was truncated\n")
    } else {
        (b": error: ", b": file was truncated or could not be read while it was linked\n")
    };
    fail(&[before, found.path, after])
}

/// Lets a SIGBUS that is not about a mapped file take its course. A fault happens again after
/// return, and meets the handler before this one; a signal that was sent is sent again with the
/// default action.
fn restore_previous(signal: libc::c_int, is_fault: bool) {
    // SAFETY: sigaction, signal and raise are async-signal-safe; the structure was filled by
    // sigaction.
    unsafe {
        match PREVIOUS_BUS.get() {
            Some(previous) if is_fault => {
                libc::sigaction(signal, previous, ptr::null_mut());
            }
            _ => {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
        if !is_fault {
            libc::raise(signal);
        }
    }
}

pub(crate) fn program() -> &'static [u8] {
    let start = PROGRAM.load(Ordering::Acquire);
    if start.is_null() {
        return b"skald";
    }
    // SAFETY: pointer and length come from one leaked string, the pointer stored last.
    unsafe { std::slice::from_raw_parts(start, PROGRAM_LEN.load(Ordering::Relaxed)) }
}

/// Writes the parts to standard error, as one call so that lines of other processes do not mix.
pub(crate) fn print<const N: usize>(parts: &[&[u8]; N]) {
    let vectors = parts
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    // SAFETY: the vectors describe live slices, which writev only reads.
    unsafe { libc::writev(libc::STDERR_FILENO, vectors.as_ptr(), vectors.len() as libc::c_int) };
}
