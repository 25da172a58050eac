//! An extension of CPython, compiled from its source package: a library whose undefined symbols the
//! interpreter defines.

use super::{Done, Place, is_installed, output, prints, skip_if_offline};
use crate::Result;
use std::process::Command;

const PACKAGE: &str = "markupsafe==2.1.5";

const CHECK: &str = "import markupsafe, markupsafe._speedups as s; \
    assert s.__file__.endswith('.so'); print(s.escape('<a & b>'))";

pub(super) fn extension(place: &Place) -> Result<Done> {
    if !is_installed("python3", "--version") {
        return Ok(Done::Skipped("there is no python3".to_owned()));
    }
    let environment = place.directory.join("python");
    let mut create = Command::new("python3");
    if let Err(message) = output(create.args(["-m", "venv"]).arg(&environment)) {
        return Ok(Done::Skipped(message.lines().next().unwrap_or_default().to_owned()));
    }
    let mut install = Command::new(environment.join("bin/pip"));
    install.args(["install", "--quiet", "--no-cache-dir", "--force-reinstall"]);
    install.args(["--no-binary", ":all:", PACKAGE]).env("LDFLAGS", place.driver_option());
    if let Err(message) = output(&mut install) {
        return skip_if_offline(message);
    }
    let mut python = Command::new(environment.join("bin/python"));
    prints(python.args(["-c", CHECK]), "&lt;a &amp; b&gt;\n")?;
    Ok(Done::Right)
}
