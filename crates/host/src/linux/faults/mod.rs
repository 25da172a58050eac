//! Signal handling: a signal leaves no half-written output, and gives a message if an input was the
//! cause.
//!
//! - SIGBUS in a mapped input: the file was cut short (or its disk failed) after it was mapped.
//!   That is an error like any other: it is named and the process exits with status 1. In a mapped
//!   output it means that the disk is full.
//! - SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGABRT: the unfinished outputs are removed, jobs
//!   are given back to make, and the signal takes its usual course, so that the caller sees a
//!   process killed by it. SIGABRT is among them because a panic ends in it when panics abort.
//! - SIGXFSZ: caught and dropped, so that a file above `ulimit -f` is EFBIG and an ordinary error.
//!
//! - SIGSEGV, SIGILL, SIGFPE: a bug of this program. The installer of the handlers provides the
//!   message.
//!
//! The handlers call only async-signal-safe functions, and the data that they read is lock-free.

pub mod mappings;
mod outlive;
pub(crate) mod unfinished;

pub use outlive::outlive;

use crate::faults::{INTERNAL_ERROR, OnFault};
use crate::jobs;
use std::mem::MaybeUninit;
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
static ON_FAULT: OnceLock<OnFault> = OnceLock::new();
/// Id of the thread that prints why the process ends, or 0.
static REPORTER: AtomicI32 = AtomicI32::new(0);

/// Installs the handlers, once per process; messages begin with `program`. A fault of the
/// processor ends in `of_fault`, which runs in a signal handler and may allocate nothing.
///
/// A signal that the caller ignores (`nohup`) stays ignored.
pub fn install(program: &str, of_fault: OnFault) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let _ = ON_FAULT.set(of_fault);
        let name: &'static str = program.to_owned().leak();
        PROGRAM_LEN.store(name.len(), Ordering::Relaxed);
        PROGRAM.store(name.as_ptr().cast_mut(), Ordering::Release);
        let previous = set_handler(
            libc::SIGBUS,
            on_bus as *const () as libc::sighandler_t,
            libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER,
        );
        let _ = PREVIOUS_BUS.set(previous);
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
pub fn report_file_size_limit() {
    static INSTALLED: Once = Once::new();
    // A handler, not SIG_IGN: programs that this process starts get the default action back.
    INSTALLED.call_once(|| {
        let handler = on_file_size_limit as *const () as libc::sighandler_t;
        set_handler(libc::SIGXFSZ, handler, libc::SA_RESTART | libc::SA_ONSTACK);
    });
}

/// The program's name, as messages begin with it.
pub fn program_name() -> std::borrow::Cow<'static, str> {
    String::from_utf8_lossy(program())
}

/// Prints an error and ends the process, from any thread, whatever other threads do.
pub fn end_with(error: &str) -> ! {
    fail(&[b": error: ", error.as_bytes(), b"\n"])
}

/// Maximum number of parts of a message.
const MOST_PARTS: usize = 12;

/// Prints the program's name and an error of several parts, at most eleven, and ends the process.
/// It allocates nothing.
pub fn fail(text: &[&[u8]]) -> ! {
    claim();
    let mut parts = [&b""[..]; MOST_PARTS];
    parts[0] = program();
    parts[1..=text.len()].copy_from_slice(text);
    print(&parts);
    end(1)
}

/// Lets only the first thread that calls this go on, to print why the process ends; all others stop
/// here. If the first thread calls this again, the process ends at once.
pub fn claim() {
    // SAFETY: gettid, pause and _exit are async-signal-safe.
    unsafe {
        let own = libc::gettid();
        match REPORTER.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {}
            Err(first) if first == own => end(INTERNAL_ERROR),
            Err(_) => loop {
                libc::pause();
            },
        }
    }
}

/// Prints the program's name and `text` to standard error.
pub fn say(text: &[u8]) {
    print(&[program(), text]);
}

/// Prints `text`, whole lines, to standard error.
pub fn say_more(text: &[u8]) {
    print(&[text]);
}

/// Ends the process, after removing unfinished outputs and giving jobs back.
pub fn end(status: libc::c_int) -> ! {
    clean_up();
    // SAFETY: async-signal-safe, ends all threads.
    unsafe { libc::_exit(status) }
}

/// Bytes of stack that handlers need, beyond those of the signal frame.
const STACK: usize = 16 << 10;

/// Gives this thread an alternate signal stack, so that a handler can report an overflow of the
/// thread's stack.
pub fn use_own_stack() {
    // SAFETY: it takes any number.
    let of_kernel = unsafe { libc::getauxval(libc::AT_MINSIGSTKSZ) } as usize;
    let size = of_kernel.max(libc::MINSIGSTKSZ) + STACK;
    let memory = Box::leak(Box::<[u8]>::new_uninit_slice(size));
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: size };
    // SAFETY: memory that is never freed, and that nobody else has. If it is refused handlers run
    // on the thread's stack.
    unsafe { libc::sigaltstack(&stack, std::ptr::null_mut()) };
}

/// Removes unfinished outputs: for code that ends the process without unwinding.
pub fn discard_outputs() {
    clean_up();
}

/// Removes unfinished outputs and gives jobs back to make.
fn clean_up() {
    unfinished::discard_all();
    jobs::give_back();
}

/// Calls `work` while the signals that would end the process are blocked.
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
    match ON_FAULT.get() {
        Some(of_fault) => of_fault(what),
        None => on_fatal(signal),
    }
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

/// Passes on a SIGBUS that is not about a mapped file. A fault happens again after the return, and
/// then runs the previous handler. A signal that was sent is sent again with the default action.
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

/// The name that messages begin with, as bytes: for signal handlers.
pub fn program() -> &'static [u8] {
    let start = PROGRAM.load(Ordering::Acquire);
    if start.is_null() {
        return b"skald";
    }
    // SAFETY: pointer and length come from one leaked string, the pointer stored last.
    unsafe { std::slice::from_raw_parts(start, PROGRAM_LEN.load(Ordering::Relaxed)) }
}

/// Writes the parts to standard error in one call, so that they do not mix with lines of other
/// processes.
pub fn print<const N: usize>(parts: &[&[u8]; N]) {
    let vectors = parts
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    // SAFETY: the vectors describe live slices, which writev only reads.
    unsafe { libc::writev(libc::STDERR_FILENO, vectors.as_ptr(), vectors.len() as libc::c_int) };
}
