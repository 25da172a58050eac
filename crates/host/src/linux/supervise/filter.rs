//! The seccomp filter: `execve` and `execveat` are held for the listener, all other calls go on.
//! The filter is a BPF program that the kernel runs at every system call, so it is short.

use super::errno;
use rustix::fd::{FromRawFd, OwnedFd};
use rustix::io::Errno;

/// Offset in `seccomp_data` of the system call's number.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

const X86_64: u32 = 0xc000_003e;
const I386: u32 = 0x4000_0003;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The BPF program. Jumps are relative to the next instruction.
const PROGRAM: [libc::sock_filter; 11] = [
    load(ARCHITECTURE),
    jump(X86_64, 1, 0),
    jump(I386, 3, 6),
    load(NUMBER),
    jump(59, 5, 0),
    jump(322, 4, 3),
    load(NUMBER),
    jump(11, 2, 0),
    jump(358, 1, 0),
    end(libc::SECCOMP_RET_ALLOW),
    end(libc::SECCOMP_RET_USER_NOTIF),
];

const fn load(k: u32) -> libc::sock_filter {
    libc::sock_filter { code: LOAD, jt: 0, jf: 0, k }
}

const fn jump(k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code: JUMP_IF_EQUAL, jt, jf, k }
}

const fn end(k: u32) -> libc::sock_filter {
    libc::sock_filter { code: RETURN, jt: 0, jf: 0, k }
}

/// Installs the filter for this thread and all that it starts; returns the descriptor on which
/// calls arrive. Without privileges this needs `PR_SET_NO_NEW_PRIVS`: `sudo` has no effect in such
/// a command.
pub(super) fn install() -> Result<OwnedFd, Errno> {
    if cfg!(not(target_arch = "x86_64")) || !kernel_lets_calls_go_on() {
        return Err(Errno::NOSYS);
    }
    match set_filter() {
        Err(Errno::ACCESS) => {
            rustix::thread::set_no_new_privs(true)?;
            set_filter()
        }
        other => other,
    }
}

fn set_filter() -> Result<OwnedFd, Errno> {
    let mut program = PROGRAM;
    let descriptor = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the kernel reads the program while the call lasts. The filter forbids nothing.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &descriptor,
        )
    };
    if result < 0 {
        return Err(errno());
    }
    // SAFETY: the call returned a descriptor that nobody else has.
    Ok(unsafe { OwnedFd::from_raw_fd(result as i32) })
}

/// Listeners can let calls continue since Linux 5.5 (SECCOMP_USER_NOTIF_FLAG_CONTINUE); before,
/// every call would fail.
fn kernel_lets_calls_go_on() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (5, 5)
}
