//! Messages between parent and child before the command runs: the listener's descriptor, or the
//! error if there is none, and then "go".

use rustix::fd::{AsFd, OwnedFd};
use rustix::io::{Errno, IoSlice, IoSliceMut};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use std::mem::MaybeUninit;

/// A pair of connected sockets, one for each process.
pub(super) fn pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// Sends `listener` to the other process.
pub(super) fn send(socket: &OwnedFd, listener: OwnedFd) -> Result<(), Errno> {
    let descriptors = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    let bytes = [IoSlice::new(&[0; 4])];
    sendmsg(socket, &bytes, &mut ancillary, SendFlags::NOSIGNAL).map(|_| ())
}

/// Tells the other process why there is no listener.
pub(super) fn refuse(socket: &OwnedFd, error: Errno) {
    let number = error.raw_os_error().to_ne_bytes();
    // If the parent is gone, nobody needs the answer.
    let _ = rustix::io::write(socket, &number);
}

/// Receives the listener of the other process.
pub(super) fn receive(socket: &OwnedFd) -> Result<OwnedFd, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut number = [0; 4];
    let mut bytes = [IoSliceMut::new(&mut number)];
    recvmsg(socket, &mut bytes, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let descriptors = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    match (descriptors.flatten().next(), i32::from_ne_bytes(number)) {
        (Some(listener), _) => Ok(listener),
        (None, 0) => Err(Errno::PIPE),
        (None, number) => Err(Errno::from_raw_os_error(number)),
    }
}

/// Tells the other process to go on.
pub(super) fn go(socket: &OwnedFd) -> Result<(), Errno> {
    rustix::io::write(socket, &[1]).map(|_| ())
}

/// Waits for [`go`]; `false` if the other process has closed its socket.
pub(super) fn wait(socket: &OwnedFd) -> bool {
    let mut byte = [0];
    loop {
        match rustix::io::read(socket, &mut byte) {
            Err(Errno::INTR) => continue,
            result => return result == Ok(1),
        }
    }
}
