//! Writes whole buffers into files, and handles short writes, interruptions and late errors.

use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};

use rustix::io::Errno;

/// Writes all of `bytes` at `file_offset`.
pub(super) fn write_all_at(
    file: BorrowedFd<'_>,
    mut bytes: &[u8],
    mut file_offset: u64,
) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::pwrite(file, bytes, file_offset) {
            Ok(0) => return Err(Errno::IO),
            Ok(count) => {
                bytes = &bytes[count..];
                file_offset += count as u64;
            }
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Writes all of `bytes` at the descriptor's own offset: for pipes, devices and inherited
/// descriptors.
pub(super) fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(Errno::IO),
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            // The caller has made its standard output non-blocking.
            Err(Errno::AGAIN) => wait_until_writable(file),
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

fn wait_until_writable(file: BorrowedFd<'_>) {
    let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one valid pollfd. Errors come back from the write that follows.
    unsafe { libc::poll(&mut poll, 1, -1) };
}

/// Closes `file` and returns the error: network file systems and quotas report a full disk here.
pub(super) fn close(file: OwnedFd) -> Result<(), Errno> {
    // SAFETY: the descriptor is owned and given up here; it is not used again, whatever happens.
    match unsafe { libc::close(file.into_raw_fd()) } {
        0 => Ok(()),
        _ => match std::io::Error::last_os_error().raw_os_error().map(Errno::from_raw_os_error) {
            // On Linux the descriptor is closed, and the data is with the kernel.
            Some(Errno::INTR) | None => Ok(()),
            Some(errno) => Err(errno),
        },
    }
}
