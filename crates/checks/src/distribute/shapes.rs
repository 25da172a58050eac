//! Lists of jobs of all shapes, with a compiler that copies.

use super::succeed;
use crate::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Jobs of the list with many.
const MANY: usize = 200;

/// All of them.
pub fn check(below: &Path, distributor: &Path, address: &str) -> Result<()> {
    let directory = below.join("shapes/here");
    let written = |path: &str, bytes: &[u8]| {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| e.to_string())?;
        fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))
    };
    let large: Vec<u8> = (0..5 << 20).map(|at: u32| (at ^ at >> 8) as u8).collect();
    let elsewhere = below.join("shapes/else/where").display().to_string();
    let inputs = ["a b/\u{e9}\"\\.in", "deep/er/and/deeper", "large", &*elsewhere, "empty"];
    for (input, bytes) in inputs.iter().zip([&b"text"[..], b"\0", &large, b"else", b""]) {
        written(input, bytes)?;
    }
    let job = |input: &str, output: &str| {
        let [input, output] = [input, output].map(quoted);
        format!("{{\"args\": [{input}, {output}], \"inputs\": [{input}], \"outputs\": [{output}]}}")
    };
    let jobs = inputs.iter().enumerate().map(|(at, input)| job(input, &format!("out/{at}/x")));
    let mut jobs: Vec<String> = jobs.take(inputs.len() - 1).collect();
    // An empty file is not an object, but may be a further output.
    jobs.push(
        "{\"args\": [\"large\", \"empty\", \"out/4\"], \"inputs\": [\"large\", \"empty\"], \
         \"outputs\": [\"out/4/large\", \"out/4/empty\"]}"
            .to_owned(),
    );
    run(&directory, distributor, address, &jobs)?;
    fs::rename(directory.join("out/4/empty"), directory.join("out/4/x"))
        .map_err(|e| format!("an empty output: {e}"))?;
    for (at, input) in inputs.iter().enumerate() {
        let bytes = |path: &str| fs::read(directory.join(path)).map_err(|e| format!("{path}: {e}"));
        if bytes(input)? != bytes(&format!("out/{at}/x"))? {
            return Err(format!("{input} comes back changed"));
        }
    }
    let many: Vec<String> = (0..MANY).map(|at| job("large", &format!("many/{at}"))).collect();
    run(&directory, distributor, address, &many)?;
    let is_whole = |at: &usize| {
        fs::metadata(directory.join(format!("many/{at}")))
            .is_ok_and(|file| file.len() == large.len() as u64)
    };
    match (0..MANY).find(|at| !is_whole(at)) {
        Some(at) => Err(format!("output {at} is not whole")),
        None => Ok(()),
    }
}

fn run(directory: &Path, distributor: &Path, address: &str, jobs: &[String]) -> Result<()> {
    let text = format!(
        "{{\"common\": {{\"linker_output\": \"x\", \"args\": [\"/bin/cp\"]}}, \"jobs\": [{}]}}",
        jobs.join(",\n")
    );
    let list = directory.join("list.json");
    fs::write(&list, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(distributor);
    command.current_dir(directory).arg(format!("--remote={address}")).arg(&list);
    succeed(command.args(["--jobs=32", "--no-fallback"])).map(drop)
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
