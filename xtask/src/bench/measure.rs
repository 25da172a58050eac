//! Measures one run of a linker.
//!
//! The linker is started by a small process of its own (`xtask bench measured`), which reads
//! `getrusage(RUSAGE_CHILDREN)` when it is done: the figures of `wait4` for the linker and for all
//! processes that it waited for. The process also adopts children that the linker leaves behind
//! (`PR_SET_CHILD_SUBREAPER`) and waits for them, so that work after the linker "returned" is
//! counted and no linker looks faster by forking. It is small so that its own resident set, which
//! `execve` hands on as a lower bound of the peak, is below that of any linker.

use crate::corpus::tools;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::wait;
use nix::unistd::Pid;
use perf_event::events::Software;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A link that takes longer has failed.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What one run took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Elapsed time, milliseconds.
    pub wall_ms: f64,
    /// CPU time in user mode, milliseconds, all threads.
    pub user_ms: f64,
    /// CPU time in the kernel, milliseconds, all threads.
    pub sys_ms: f64,
    /// Peak resident set, MiB; mapped input and output pages count.
    pub peak_mib: f64,
    /// Page faults without reading from disk, including pages that a system call populated in
    /// advance.
    pub minor_faults: f64,
    /// Page faults that read from disk.
    pub major_faults: f64,
    /// Page faults that interrupt the program (perf's `page-faults`), without pages that `madvise`
    /// populated in advance. Zero if the kernel does not permit counting.
    pub taken_faults: f64,
    /// The size of the output, bytes.
    pub output_bytes: f64,
    /// Elapsed time in a compiler's plugin, milliseconds.
    pub plugin_ms: f64,
    /// Peak resident set of all processes together, MiB, of a separate run that is not measured
    /// otherwise; zero if it was not measured.
    pub together_mib: f64,
}

impl Sample {
    /// User and system time together.
    pub fn cpu_ms(&self) -> f64 {
        self.user_ms + self.sys_ms
    }
}

/// Runs `command` once in `directory` and measures it and the size of its `output`; its messages go
/// to the file `log`.
///
/// # Errors
/// When it cannot be started, fails, is killed, or takes too long; with the end of its messages.
pub fn measure(
    command: &[String],
    directory: &Path,
    output: Option<&Path>,
    log: &Path,
) -> Result<Sample, String> {
    let (mut sample, code) = measure_any(command, directory, log, TIME_LIMIT)?;
    if code != 0 {
        let messages = std::fs::read(log).unwrap_or_default();
        let messages = String::from_utf8_lossy(&messages);
        return Err(format!("failed with status {code}\n{}", tools::end_of(&messages)));
    }
    if let Some(output) = output {
        let size = std::fs::metadata(output).map_err(|e| format!("no output: {e}"))?.len();
        sample.output_bytes = size as f64;
    }
    Ok(sample)
}

/// Runs `command` once, whether it succeeds or fails; returns its status as well.
///
/// # Errors
/// When it cannot be started, is killed, or takes longer than `limit`.
pub fn measure_any(
    command: &[String],
    directory: &Path,
    log: &Path,
    limit: Duration,
) -> Result<(Sample, i32), String> {
    let own = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
    let mut probe = Command::new(own);
    probe.args(["bench", "measured"]).arg(log).args(command).current_dir(directory);
    // A plugin's temporary files go to the directory of the output.
    if let Some(directory) = log.parent() {
        probe.env("TMPDIR", directory);
    }
    probe.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
    let child = probe.spawn().map_err(|e| format!("probe: {e}"))?;
    let group = Pid::from_raw(child.id().cast_signed());
    let (sender, receiver) = mpsc::channel();
    let waiter = std::thread::spawn(move || sender.send(child.wait_with_output()));
    let finished = receiver.recv_timeout(limit);
    if finished.is_err() {
        let _ = killpg(group, Signal::SIGKILL);
    }
    let _ = waiter.join();
    let Ok(result) = finished else {
        return Err(format!("killed after {:.0} seconds", limit.as_secs_f64()));
    };
    let result = result.map_err(|e| format!("probe: {e}"))?;
    let text = String::from_utf8_lossy(&result.stdout);
    if !result.status.success() {
        let messages = std::fs::read(log).unwrap_or_default();
        let messages = String::from_utf8_lossy(&messages);
        return Err(format!("{}\n{}", text.trim(), tools::end_of(&messages)));
    }
    parse(&text).ok_or_else(|| format!("probe printed '{}'", text.trim()))
}

/// The entry point of the probe process: `xtask bench measured LOG PROGRAM ARGUMENTS...`. Prints
/// the figures, or what went wrong.
///
/// # Errors
/// When the linker cannot be started, or is killed.
pub fn measured(arguments: &[String]) -> Result<(), String> {
    let [log, program, arguments @ ..] = arguments else {
        return Err("measured: expects a log file and a program".into());
    };
    let log = File::create(log).map_err(|e| format!("{log}: {e}"))?;
    let messages = log.try_clone().map_err(|e| format!("log: {e}"))?;
    nix::sys::prctl::set_child_subreaper(true).map_err(|e| format!("subreaper: {e}"))?;
    let limit = TIME_LIMIT.as_secs() * 4;
    setrlimit(Resource::RLIMIT_CPU, limit, limit).map_err(|e| format!("CPU limit: {e}"))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(messages).stderr(log);
    let mut faults = perf_event::Builder::new().kind(Software::PAGE_FAULTS);
    faults.inherit(true);
    let mut faults = faults.build().ok();
    if let Some(counter) = &mut faults {
        counter.enable().map_err(|e| format!("counter of page faults: {e}"))?;
    }
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("{program}: {e}"))?;
    while wait().is_ok() {}
    let wall = start.elapsed();
    let code = status.code().ok_or_else(|| format!("failed: {status}"))?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("getrusage: {e}"))?;
    let milliseconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3;
    let taken_faults = faults.and_then(|mut counter| counter.read().ok()).unwrap_or(0);
    println!(
        "{} {} {} {} {} {} {taken_faults} {code}",
        wall.as_secs_f64() * 1e3,
        milliseconds(usage.user_time()),
        milliseconds(usage.system_time()),
        usage.max_rss() as f64 / 1024.0,
        usage.minor_page_faults(),
        usage.major_page_faults(),
    );
    Ok(())
}

/// The figures, and the status.
fn parse(line: &str) -> Option<(Sample, i32)> {
    let numbers: Vec<f64> =
        line.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let [wall_ms, user_ms, sys_ms, peak_mib, minor_faults, major_faults, taken_faults, code] =
        numbers[..]
    else {
        return None;
    };
    let sample = Sample {
        wall_ms,
        user_ms,
        sys_ms,
        peak_mib,
        minor_faults,
        major_faults,
        taken_faults,
        ..Sample::default()
    };
    Some((sample, code as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_probe_is_read_back() {
        let (sample, code) = parse("1.5 2 3 4 5 6 7 1\n").unwrap();
        assert_eq!((sample.wall_ms, sample.cpu_ms(), sample.major_faults), (1.5, 5.0, 6.0));
        assert_eq!(code, 1);
        assert_eq!(parse("1 2 3"), None);
        assert_eq!(parse("failed"), None);
    }
}
