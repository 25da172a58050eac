//! The listener of the filter: receives held calls, and lets them go on.

use super::errno;
use super::tracee::Call;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;
use std::mem::size_of;

/// A seccomp notification, with spare room, because that of a newer kernel may be longer.
#[repr(C)]
struct Held {
    record: libc::seccomp_notif,
    longer: [u64; 64],
}

const _: () = assert!(size_of::<libc::seccomp_notif>() == 80);

/// Receives and answers the calls of all processes that have the filter.
pub(super) struct Listener {
    pub(super) descriptor: OwnedFd,
}

impl Listener {
    pub(super) fn new(descriptor: OwnedFd) -> Listener {
        Listener { descriptor }
    }

    /// Receives the next call. Fails if the process that made it is gone.
    pub(super) fn receive(&self) -> Result<Call, Errno> {
        // SAFETY: both are plain data for which zero is valid; the kernel wants zeroes.
        let mut held = unsafe { std::mem::zeroed::<Held>() };
        // SAFETY: the kernel writes one record, for which there is more than enough room.
        let result = unsafe {
            libc::ioctl(self.descriptor.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut held)
        };
        if result != 0 {
            return Err(errno());
        }
        let libc::seccomp_notif { id, pid, data, .. } = held.record;
        Ok(Call::new(id, pid as libc::pid_t, data))
    }

    /// Whether `call` is still held. If so, its thread id still belongs to the thread that made it.
    pub(super) fn is_waiting(&self, call: &Call) -> bool {
        // SAFETY: the kernel reads the id.
        unsafe {
            libc::ioctl(
                self.descriptor.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
                &raw const call.id,
            ) == 0
        }
    }

    /// Lets `call` go on unchanged. Its process may be gone.
    pub(super) fn go_on(&self, call: &Call) {
        let mut answer = libc::seccomp_notif_resp {
            id: call.id,
            val: 0,
            error: 0,
            flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        };
        // SAFETY: the kernel reads the record.
        unsafe {
            libc::ioctl(
                self.descriptor.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_SEND,
                &raw mut answer,
            );
        }
    }

    /// Waits for a call, or for the end of all processes with the filter.
    pub(super) fn wait(&self) {
        // Whatever the outcome, the caller checks again.
        let _ = poll(&mut [PollFd::new(&self.descriptor, PollFlags::IN)], None);
    }

    /// Whether a call is waiting to be received.
    pub(super) fn has_call(&self) -> bool {
        self.state().contains(PollFlags::IN)
    }

    /// Whether no process has the filter any more.
    pub(super) fn is_abandoned(&self) -> bool {
        self.state().contains(PollFlags::HUP)
    }

    fn state(&self) -> PollFlags {
        let mut fds = [PollFd::new(&self.descriptor, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut fds, Some(&now)) {
            Ok(_) => fds[0].revents(),
            Err(_) => PollFlags::empty(),
        }
    }
}
