//! Converts jobs to actions of the API. An action is a command and the root of a tree of
//! directories, which are identified by the digests of their contents.

use crate::blob::{Blob, Files};
use crate::input_root::Place;
use crate::list::{Job, List};
use crate::options::Options;
use bazel_remote_apis::build::bazel::remote::execution::v2::command::EnvironmentVariable;
use bazel_remote_apis::build::bazel::remote::execution::v2::platform::Property;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, Command, Digest, Directory, DirectoryNode, FileNode, Platform,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A job, ready for the service.
pub struct Task {
    /// The digest of the action.
    pub action: Digest,
    /// All blobs that the service needs: the action, its command, directories and files.
    pub blobs: Vec<Blob>,
    /// For each output, the path at the service and the path on this machine.
    pub outputs: Vec<(String, String)>,
}

#[derive(Default)]
struct Tree {
    files: BTreeMap<String, Digest>,
    directories: BTreeMap<String, Tree>,
}

impl Tree {
    fn add(&mut self, path: &str, digest: Digest) {
        match path.split_once('/') {
            Some((first, rest)) => {
                self.directories.entry(first.to_owned()).or_default().add(rest, digest);
            }
            None => _ = self.files.insert(path.to_owned(), digest),
        }
    }

    /// Adds a directory, which may stay empty.
    fn add_directory(&mut self, path: &str) {
        if let Some((first, rest)) = path.split_once('/') {
            self.directories.entry(first.to_owned()).or_default().add_directory(rest);
        } else if !path.is_empty() {
            self.directories.entry(path.to_owned()).or_default();
        }
    }

    /// The digest of the directory. Names are sorted, as the API requires.
    fn encode(&self, blobs: &mut Vec<Blob>) -> Digest {
        let file = |(name, digest): (&String, &Digest)| FileNode {
            name: name.clone(),
            digest: Some(digest.clone()),
            ..FileNode::default()
        };
        let files = self.files.iter().map(file).collect();
        let directories = self.directories.iter().map(|(name, tree)| DirectoryNode {
            name: name.clone(),
            digest: Some(tree.encode(blobs)),
        });
        let directories = directories.collect();
        let blob = Blob::of_message(&Directory { files, directories, ..Directory::default() });
        let digest = blob.digest.clone();
        blobs.push(blob);
        digest
    }
}

/// Makes the task of a job.
///
/// # Errors
/// A message with the file that cannot be read.
pub fn task(
    list: &List,
    job: &Job,
    place: &Place,
    options: &Options,
    files: &mut Files,
) -> Result<Task, String> {
    let (mut tree, mut blobs) = (Tree::default(), Vec::new());
    tree.add_directory(&place.working_directory());
    let inputs: BTreeSet<&String> = list.inputs.iter().chain(&job.inputs).collect();
    for input in inputs {
        let blob = files.blob(Path::new(input))?;
        tree.add(&place.in_root(input), blob.digest.clone());
        blobs.push(blob);
    }
    let root = tree.encode(&mut blobs);
    let mut outputs: Vec<(String, String)> =
        job.outputs.iter().map(|path| (place.relative(path), path.clone())).collect();
    outputs.sort();
    let platform = platform(options);
    let path = EnvironmentVariable {
        name: "PATH".to_owned(),
        value: "/usr/local/bin:/usr/bin:/bin".to_owned(),
    };
    let told: Vec<String> = outputs.iter().map(|(there, _)| there.clone()).collect();
    // `output_files` is for services of version 2.0; later ones use `output_paths`.
    #[allow(deprecated)]
    let command = Blob::of_message(&Command {
        arguments: place.command(list, job),
        environment_variables: vec![path],
        output_files: told.clone(),
        output_paths: told,
        platform: platform.clone(),
        working_directory: place.working_directory(),
        ..Command::default()
    });
    let action = Blob::of_message(&Action {
        command_digest: Some(command.digest.clone()),
        input_root_digest: Some(root),
        do_not_cache: !options.cache,
        platform,
        ..Action::default()
    });
    let digest = action.digest.clone();
    blobs.extend([command, action]);
    Ok(Task { action: digest, blobs, outputs })
}

/// The properties that workers must have, sorted.
fn platform(options: &Options) -> Option<Platform> {
    let mut properties: Vec<Property> = options
        .platform
        .iter()
        .map(|(name, value)| Property { name: name.clone(), value: value.clone() })
        .collect();
    properties.sort_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
    (!properties.is_empty()).then_some(Platform { properties })
}
