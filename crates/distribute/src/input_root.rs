//! Directories of jobs at the service. The input root is the directory that contains all files of
//! the jobs. As a rule that is the working directory itself; if a file is elsewhere, it is the
//! nearest common ancestor. Absolute paths, and paths with `..`, become relative ones.

use crate::list::{Job, List};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The input root and working directory, and the paths of files relative to them.
#[derive(Debug)]
pub struct Place {
    /// The working directory on this machine, and its path below the input root.
    here: PathBuf,
    root: PathBuf,
    /// For each given path, the path that jobs use at the service.
    told: BTreeMap<String, String>,
}

impl Place {
    /// The place for the files of a list, if the working directory is `here`.
    ///
    /// # Errors
    /// A message if a path is not valid.
    pub fn of(list: &List, here: &Path) -> Result<Place, String> {
        let here = clean(here);
        let of_jobs = list.jobs.iter().flat_map(|job| job.inputs.iter().chain(&job.outputs));
        let all: Vec<&String> = list.inputs.iter().chain(of_jobs).collect();
        let mut root = here.clone();
        for path in &all {
            let path = clean(&here.join(path));
            while path == root || !path.starts_with(&root) {
                if !root.pop() {
                    return Err(format!("{} is no file", path.display()));
                }
            }
        }
        let mut place = Place { here, root, told: BTreeMap::new() };
        for path in all {
            let told = place.relative(path);
            if told != **path {
                place.told.insert(path.clone(), told);
            }
        }
        Ok(place)
    }

    /// The working directory, relative to the root.
    pub fn working_directory(&self) -> String {
        text(self.here.strip_prefix(&self.root).unwrap_or(Path::new("")))
    }

    /// The path of a file, relative to the root.
    pub fn in_root(&self, path: &str) -> String {
        let path = clean(&self.here.join(path));
        text(path.strip_prefix(&self.root).unwrap_or(&path))
    }

    /// The path of a file, relative to the working directory.
    pub fn relative(&self, path: &str) -> String {
        let path = clean(&self.here.join(path));
        let mut above = self.here.as_path();
        let mut up = PathBuf::new();
        while !path.starts_with(above) {
            up.push("..");
            above = above.parent().unwrap_or(Path::new("/"));
        }
        text(&up.join(path.strip_prefix(above).unwrap_or(&path)))
    }

    /// The command of a job, as it runs at the service.
    pub fn command(&self, list: &List, job: &Job) -> Vec<String> {
        let (compiler, common) =
            list.arguments.split_first().map_or(("", &[][..]), |(c, rest)| (c.as_str(), rest));
        let arguments = common.iter().chain(&job.arguments).map(|word| self.word(word));
        std::iter::once(compiler.to_owned()).chain(arguments).collect()
    }

    /// A word of the command line: a path, or an option with one.
    fn word(&self, word: &str) -> String {
        if let Some(told) = self.told.get(word) {
            return told.clone();
        }
        match word.split_once('=') {
            Some((option, path)) => match self.told.get(path) {
                Some(told) => format!("{option}={told}"),
                None => word.to_owned(),
            },
            None => word.to_owned(),
        }
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A path without `.` and `..`.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(inputs: &[&str], outputs: &[&str]) -> List {
        let owned = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let arguments = owned(&["-o", outputs[0], &format!("-index={}", inputs[0]), "/other"]);
        let job = Job { arguments, inputs: owned(inputs), outputs: owned(outputs) };
        List { arguments: owned(&["/bin/cc", "-c"]), inputs: Vec::new(), jobs: vec![job] }
    }

    #[test]
    fn files_below_the_working_directory_stay_what_they_are() {
        let list = list(&["a b/c.o", "d.o"], &["x.o"]);
        let place = Place::of(&list, Path::new("/w/build")).expect("a place");
        assert_eq!(place.working_directory(), "");
        assert_eq!(place.in_root("a b/c.o"), "a b/c.o");
        let command = place.command(&list, &list.jobs[0]);
        assert_eq!(command, ["/bin/cc", "-c", "-o", "x.o", "-index=a b/c.o", "/other"]);
    }

    #[test]
    fn files_elsewhere_are_reached_from_the_directory_above() {
        let list = list(&["/w/lib/c.o", "e/../d.o"], &["/w/build/out/x.o"]);
        let place = Place::of(&list, Path::new("/w/build")).expect("a place");
        assert_eq!(place.working_directory(), "build");
        assert_eq!(place.in_root("/w/lib/c.o"), "lib/c.o");
        assert_eq!(place.in_root("e/../d.o"), "build/d.o");
        let command = place.command(&list, &list.jobs[0]);
        assert_eq!(command[2..], ["-o", "out/x.o", "-index=../lib/c.o", "/other"]);
    }

    #[test]
    fn the_root_may_be_that_of_the_system() {
        let list = list(&["/tmp/a.o"], &["x.o"]);
        let place = Place::of(&list, Path::new("/w")).expect("a place");
        assert_eq!((&*place.working_directory(), &*place.in_root("x.o")), ("w", "w/x.o"));
        assert_eq!(place.relative("/tmp/a.o"), "../tmp/a.o");
    }
}
