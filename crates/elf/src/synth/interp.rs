//! `.interp`: the path of the dynamic linker (gABI chapter 5, "Program Interpreter").

use crate::args::Options;
use crate::resolve::dynamic::OutputShape;

/// Content of `.interp`: the path of the dynamic linker with its NUL; `None` if the output has no
/// dynamic linker.
pub fn path(options: &Options, shape: OutputShape, has_libraries: bool) -> Option<Vec<u8>> {
    let is_static_pie = options.is_static && !has_libraries;
    if !shape.is_dynamic || options.no_dynamic_linker || shape.is_shared || is_static_pie {
        return None;
    }
    let path = options.dynamic_linker.as_deref()?;
    Some([path.as_bytes(), b"\0"].concat())
}
