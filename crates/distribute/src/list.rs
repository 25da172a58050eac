//! The list of jobs: JSON in the format that LLVM documents for distributed ThinLTO.

use serde_json::Value;
use std::path::Path;

/// The list of jobs, decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The compiler, and the arguments that all jobs share.
    pub arguments: Vec<String>,
    /// Files that all jobs read.
    pub inputs: Vec<String>,
    /// The jobs.
    pub jobs: Vec<Job>,
}

/// A compilation.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// Arguments behind those that all jobs share.
    pub arguments: Vec<String>,
    /// Files that it reads; the first is the module.
    pub inputs: Vec<String>,
    /// Files that it makes; the first is the object.
    pub outputs: Vec<String>,
}

impl Job {
    /// The name of the job in messages.
    pub fn name(&self) -> &str {
        self.inputs.first().or(self.outputs.first()).map_or("a job", |name| name)
    }
}

impl List {
    /// Reads a list.
    ///
    /// # Errors
    /// A message with the file and the error in it.
    pub fn read(path: &Path) -> Result<List, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot open {}: {error}", path.display()))?;
        List::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: &str) -> Result<List, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let common = &value["common"];
        let arguments = strings(&common["args"], "common.args")?;
        if arguments.is_empty() {
            return Err("common.args names no compiler".to_owned());
        }
        let jobs = value["jobs"].as_array().ok_or("jobs is no list")?;
        let job = |job: &Value| {
            let job = Job {
                arguments: strings(&job["args"], "args of a job")?,
                inputs: strings(&job["inputs"], "inputs of a job")?,
                outputs: strings(&job["outputs"], "outputs of a job")?,
            };
            if job.outputs.is_empty() {
                Err(format!("{} makes nothing", job.name()))
            } else {
                Ok(job)
            }
        };
        let inputs = strings(&common["inputs"], "common.inputs")?;
        let jobs = jobs.iter().map(job).collect::<Result<_, String>>()?;
        Ok(List { arguments, inputs, jobs })
    }
}

/// A list of strings; a missing one is empty.
fn strings(value: &Value, what: &str) -> Result<Vec<String>, String> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let all = value.as_array().ok_or_else(|| format!("{what} is no list"))?;
    let string = |one: &Value| one.as_str().map(str::to_owned);
    all.iter().map(string).collect::<Option<_>>().ok_or_else(|| format!("{what} is not of strings"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let text = r#"{"common": {"linker_output": "x", "args": ["cc", "-c"]},
            "jobs": [{"args": ["a"], "inputs": ["a"], "outputs": ["a.o"]}]}"#;
        let list = List::parse(text).expect("a list");
        assert_eq!((list.arguments.len(), list.inputs.len()), (2, 0));
        assert_eq!(list.jobs[0].name(), "a");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in [
            "",
            "{}",
            r#"{"common": {"args": []}, "jobs": []}"#,
            r#"{"common": {"args": ["cc"]}}"#,
            r#"{"common": {"args": ["cc", 1]}, "jobs": []}"#,
            r#"{"common": {"args": ["cc"]}, "jobs": [{"inputs": ["a"]}]}"#,
            r#"{"common": {"args": "cc"}, "jobs": []}"#,
        ] {
            assert!(List::parse(text).is_err(), "{text}");
        }
    }
}
