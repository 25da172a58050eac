//! Compilations on this machine.

use crate::list::{Job, List};
use std::path::Path;
use std::process::Stdio;
use tokio::process::Command;

/// Runs a job; returns the output of the compiler.
///
/// # Errors
/// A message with the output of the compiler.
pub async fn run(list: &List, job: &Job) -> Result<String, String> {
    let (compiler, common) = list.arguments.split_first().ok_or("no compiler")?;
    let output = Command::new(compiler)
        .args(common)
        .args(&job.arguments)
        .stdin(Stdio::null())
        // The compiler does not outlive this process.
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| format!("{}: cannot run {compiler}: {error}", job.name()))?;
    let words = [output.stdout, output.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    if !output.status.success() {
        return Err(failed(job, &output.status.to_string(), &words));
    }
    if let Some(path) = job.outputs.iter().find(|path| !Path::new(path).exists()) {
        return Err(failed(job, &format!("it did not make {path}"), &words));
    }
    let object = job.outputs.first().and_then(|path| std::fs::metadata(path).ok());
    if object.is_some_and(|object| object.len() == 0) {
        Err(failed(job, EMPTY, &words))
    } else {
        Ok(words)
    }
}

/// The message for an empty object, which means a failure: clang may fail with status 0.
pub const EMPTY: &str = "it made an empty object";

/// The message of a failed compilation, on this machine or at the service.
pub fn failed(job: &Job, how: &str, words: &str) -> String {
    let words = words.lines().map(|line| format!("\n>>> {line}")).collect::<String>();
    format!("{}: the compiler failed: {how}{words}", job.name())
}
