//! Directories that replace the root of the file system: the sysroot, for paths in files of the
//! sysroot, and the root for all absolute paths of a link (`--chroot`).

use skald_core::diag::{Error, Result};
use std::path::{Path, PathBuf};

/// The directories that replace `/` in a link's paths.
#[derive(Debug, Clone, Copy, Default)]
pub struct RootDirectories<'a> {
    /// `--sysroot`: where libraries and headers of the target system are.
    pub sysroot: Option<&'a Path>,
    /// `--chroot`: prepended to all absolute paths.
    pub chroot: Option<&'a Path>,
}

/// The path of a file that a script names.
#[derive(Debug)]
pub struct NamedFile {
    /// The file, or its name as written if no directory has it.
    pub path: PathBuf,
    /// The files for other machines that were passed over.
    pub foreign: Vec<PathBuf>,
}

impl NamedFile {
    fn at(path: PathBuf) -> NamedFile {
        NamedFile { path, foreign: Vec::new() }
    }
}

impl RootDirectories<'_> {
    /// Whether a file is in the sysroot, however both paths are spelled.
    fn is_in_sysroot(&self, path: &Path) -> bool {
        let Some(root) = self.sysroot else { return false };
        if path.starts_with(root) {
            return true;
        }
        match (path.canonicalize(), root.canonicalize()) {
            (Ok(path), Ok(root)) => path.starts_with(root),
            _ => false,
        }
    }

    /// The path in the sysroot, or the path as it is.
    pub fn in_sysroot(&self, path: &Path, in_sysroot: bool) -> PathBuf {
        match (self.sysroot, in_sysroot) {
            (Some(root), true) => root.join(path.strip_prefix("/").unwrap_or(path)),
            _ => self.in_root(path),
        }
    }

    /// Prepends `--chroot` to a path of a script; paths of the command line have it already.
    pub fn in_root(&self, path: &Path) -> PathBuf {
        match (self.chroot, path.strip_prefix("/")) {
            (Some(root), Ok(rest)) => root.join(rest),
            _ => path.to_owned(),
        }
    }

    /// The path without `--chroot`, for names in the output.
    pub fn as_given(&self, path: &Path) -> PathBuf {
        match self.chroot.map(|root| path.strip_prefix(root)) {
            Some(Ok(rest)) => Path::new("/").join(rest),
            _ => path.to_owned(),
        }
    }

    /// The path of a file that a script names. An absolute path is in the sysroot if the script
    /// is, and nowhere else. Other files are looked for in `first`, as written, in `directories`,
    /// and at last next to the script. Files of which `is_foreign` says that they are for another
    /// machine are passed over where there is one for this machine.
    ///
    /// # Errors
    /// If the sysroot does not have a file that it has to have: the one of the host would be for
    /// another system.
    pub fn named_by_script(
        &self,
        script: &Path,
        path: &Path,
        first: Option<&Path>,
        directories: &[PathBuf],
        is_foreign: &dyn Fn(&Path) -> bool,
    ) -> Result<NamedFile> {
        if path.is_absolute() {
            if !self.is_in_sysroot(script) {
                return Ok(NamedFile::at(self.in_root(path)));
            }
            let (rooted, root) = (self.in_sysroot(path, true), self.sysroot.unwrap_or(path));
            return if rooted.exists() {
                Ok(NamedFile::at(rooted))
            } else {
                let (path, root) = (path.display(), root.display());
                Err(Error(format!("cannot find {path} inside {root}")))
            };
        }
        let beside = first.map(|dir| dir.join(path));
        let of_directories = directories.iter().map(|dir| dir.join(path));
        let places = beside.into_iter().chain([path.to_owned()]).chain(of_directories);
        let places = places.chain(script.parent().map(|dir| dir.join(path)));
        let mut foreign = Vec::new();
        for place in places.filter(|place| place.exists()) {
            if !is_foreign(&place) {
                return Ok(NamedFile { path: place, foreign });
            }
            foreign.push(place);
        }
        // If there is none for this machine, the first one is opened, for a message about it.
        Ok(NamedFile::at(foreign.into_iter().next().unwrap_or_else(|| path.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_put_before_absolute_paths() {
        let roots =
            RootDirectories { sysroot: Some(Path::new("/sys")), chroot: Some(Path::new("/jail")) };
        let path = Path::new("/lib/libc.so");
        assert_eq!(roots.in_sysroot(path, true), Path::new("/sys/lib/libc.so"));
        assert_eq!(roots.in_sysroot(path, false), Path::new("/jail/lib/libc.so"));
        assert_eq!(roots.in_root(Path::new("a/b")), Path::new("a/b"));
        assert_eq!(roots.as_given(Path::new("/jail/a")), Path::new("/a"));
        assert_eq!(roots.as_given(Path::new("/jailer/a")), Path::new("/jailer/a"));
    }

    #[test]
    fn scripts_name_files_of_several_places() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (here, there) = (directory.path().join("here"), directory.path().join("there"));
        for (dir, name) in
            [(&here, "one.o"), (&there, "one.o"), (&here, "two.o"), (&there, "two.o")]
        {
            std::fs::create_dir_all(dir).expect("a directory");
            std::fs::write(dir.join(name), "").expect("a file");
        }
        let roots = RootDirectories { sysroot: Some(directory.path()), chroot: None };
        let script = here.join("x.ld");
        let named = |name: &str, first: Option<&Path>| {
            let dirs = std::slice::from_ref(&there);
            let is_foreign = |path: &Path| path == here.join("two.o");
            roots.named_by_script(&script, Path::new(name), first, dirs, &is_foreign)
        };
        let path = |name: &str, first| named(name, first).expect("a path").path;
        assert_eq!(path("one.o", None), there.join("one.o"));
        assert_eq!(path("one.o", Some(&here)), here.join("one.o"));
        assert_eq!(path("two.o", Some(&here)), there.join("two.o"));
        let foreign = named("two.o", Some(&here)).expect("a path").foreign;
        assert_eq!(foreign, [here.join("two.o")]);
        assert_eq!(path("three.o", None), Path::new("three.o"));
        assert_eq!(path("/there/two.o", None), there.join("two.o"));
        let missing = named("/nowhere/two.o", None).expect_err("not in the sysroot").0;
        let root = directory.path().display();
        assert_eq!(missing, format!("cannot find /nowhere/two.o inside {root}"));
        let (script, path) = (Path::new("/x.ld"), Path::new("/lib/a"));
        let outside = roots.named_by_script(script, path, None, &[], &|_| false);
        assert_eq!(outside.expect("a path").path, path);
    }
}
