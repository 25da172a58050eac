//! Which copy of a COMDAT group stays.

pub(super) mod kept_copies;
pub(super) mod linkonce;
