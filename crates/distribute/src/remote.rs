//! The client of the service: capabilities, content, result cache and execution.

use crate::blob::{self, Blob, Source};
use crate::list::Job;
use crate::local;
use crate::options::{Address, Options, Tls};
use crate::progress::Executor;
use crate::tree::Task;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use bazel_remote_apis::google::longrunning::{Operation, operation};
use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Status, Streaming};

use api::action_cache_client::ActionCacheClient;
use api::capabilities_client::CapabilitiesClient;
use api::content_addressable_storage_client::ContentAddressableStorageClient as ContentClient;
use api::execution_client::ExecutionClient;

/// Bytes in a message if the service states no limit: the default of gRPC is 4 MiB.
const BATCH: usize = 3 << 20;
/// Number of digests in one request for missing blobs.
const ASKED: usize = 10_000;
/// Size in bytes of a piece of a large blob.
const PIECE: usize = 512 << 10;
/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(5);
/// How often a broken stream of an execution's updates is resumed.
const RESUMED: usize = 10;

/// The reason why a job failed.
#[derive(Debug)]
pub enum Failure {
    /// The service failed: the job may succeed at another time, or on this machine.
    Service(String),
    /// The compiler failed, as it would anywhere.
    Compiler(String),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Service(described(&status))
    }
}

/// A connection to the service.
#[derive(Clone)]
pub struct Remote {
    channel: Channel,
    instance: String,
    headers: Vec<(AsciiMetadataKey, AsciiMetadataValue)>,
    uses_cache: bool,
    batch: usize,
}

impl Remote {
    /// Connects to a service, and requests its capabilities.
    ///
    /// # Errors
    /// A message.
    pub async fn connect(address: &Address, options: &Options) -> Result<Remote, String> {
        let header = |(key, value): &(String, String)| {
            let wrong = || format!("--header: {key}={value} is no metadata");
            let key = key.to_ascii_lowercase().parse().map_err(|_| wrong())?;
            Ok((key, value.parse().map_err(|_| wrong())?))
        };
        let headers = options.headers.iter().map(header).collect::<Result<_, String>>()?;
        let endpoint = endpoint(address, &options.tls)?;
        // The service may close a connection without an error.
        let hint = if address.is_encrypted && options.tls.cert.is_none() {
            "; it may ask for a client's certificate (--tls-cert)"
        } else {
            ""
        };
        let address = &address.place;
        let channel = endpoint
            .connect()
            .await
            .map_err(|error| format!("{address} cannot be reached: {}", with_causes(&error)))?;
        let mut remote = Remote {
            channel,
            instance: options.instance.clone(),
            headers,
            uses_cache: options.cache,
            batch: BATCH,
        };
        let asked = api::GetCapabilitiesRequest { instance_name: remote.instance.clone() };
        let client = &mut CapabilitiesClient::new(remote.channel.clone());
        let answer = tokio::time::timeout(CONNECTING, client.get_capabilities(remote.with(asked)))
            .await
            .map_err(|_| format!("{address} does not answer"))?
            .map_err(|status| format!("{address}: {}{hint}", described(&status)))?
            .into_inner();
        if !answer.execution_capabilities.is_some_and(|execution| execution.exec_enabled) {
            return Err(format!("{address} does not execute anything"));
        }
        let cache = answer.cache_capabilities.unwrap_or_default();
        let sha256 = api::digest_function::Value::Sha256 as i32;
        if !cache.digest_functions.is_empty() && !cache.digest_functions.contains(&sha256) {
            return Err(format!("{address} does not know SHA-256"));
        }
        if let Ok(limit) = usize::try_from(cache.max_batch_total_size_bytes)
            && limit > 0
        {
            // The rest is for names and digests.
            remote.batch = BATCH.min(limit / 8 * 7);
        }
        Ok(remote)
    }

    fn with<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        for (key, value) in &self.headers {
            request.metadata_mut().insert(key.clone(), value.clone());
        }
        request
    }

    fn content(&self) -> ContentClient<Channel> {
        ContentClient::new(self.channel.clone()).max_decoding_message_size(64 << 20)
    }

    /// Fetches the objects of a job if the service has cached its result.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn known(&self, job: &Job, task: &Task) -> Result<Option<String>, Failure> {
        if !self.uses_cache {
            return Ok(None);
        }
        let asked = api::GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(task.action.clone()),
            inline_stderr: true,
            ..api::GetActionResultRequest::default()
        };
        let client = &mut ActionCacheClient::new(self.channel.clone());
        let result = match client.get_action_result(self.with(asked)).await {
            Ok(result) => result.into_inner(),
            Err(status) if matches!(status.code(), Code::NotFound | Code::Unimplemented) => {
                return Ok(None);
            }
            Err(status) => return Err(status.into()),
        };
        if result.exit_code != 0 {
            return Ok(None);
        }
        // A cached result may outlive its files.
        Ok(self.fetch(job, task, &result).await.ok())
    }

    /// Uploads those of `blobs` that the service lacks.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn upload(&self, blobs: &[&Blob]) -> Result<(), Failure> {
        let by_hash: BTreeMap<&str, &Blob> =
            blobs.iter().map(|blob| (&*blob.digest.hash, *blob)).collect();
        let mut digests: Vec<api::Digest> =
            by_hash.values().map(|blob| blob.digest.clone()).collect();
        digests.sort_by(|a, b| a.hash.cmp(&b.hash));
        let mut missing = Vec::new();
        for part in digests.chunks(ASKED) {
            let asked = api::FindMissingBlobsRequest {
                instance_name: self.instance.clone(),
                blob_digests: part.to_vec(),
                ..api::FindMissingBlobsRequest::default()
            };
            let answer = self.content().find_missing_blobs(self.with(asked)).await?;
            missing.extend(answer.into_inner().missing_blob_digests);
        }
        let mut batch = Vec::new();
        let mut size = 0;
        for digest in missing {
            let Some(blob) = by_hash.get(&*digest.hash) else { continue };
            let own = digest.size_bytes as usize;
            if own > self.batch {
                self.write(blob).await?;
                continue;
            }
            if size + own > self.batch {
                self.write_batch(std::mem::take(&mut batch)).await?;
                size = 0;
            }
            batch.push(*blob);
            size += own + 200;
        }
        if batch.is_empty() { Ok(()) } else { self.write_batch(batch).await }
    }

    async fn write_batch(&self, blobs: Vec<&Blob>) -> Result<(), Failure> {
        let one = |blob: &Blob| {
            Ok(api::batch_update_blobs_request::Request {
                digest: Some(blob.digest.clone()),
                data: read(blob)?,
                ..api::batch_update_blobs_request::Request::default()
            })
        };
        let asked = api::BatchUpdateBlobsRequest {
            instance_name: self.instance.clone(),
            requests: blobs.into_iter().map(one).collect::<Result<_, Failure>>()?,
            ..api::BatchUpdateBlobsRequest::default()
        };
        let answer = self.content().batch_update_blobs(self.with(asked)).await?;
        let statuses = answer.into_inner().responses.into_iter().filter_map(|one| one.status);
        match statuses.into_iter().find(|status| status.code != 0) {
            Some(status) => {
                Err(Failure::Service(format!("it does not take a file: {}", status.message)))
            }
            None => Ok(()),
        }
    }

    /// Writes a large blob piece by piece.
    async fn write(&self, blob: &Blob) -> Result<(), Failure> {
        let api::Digest { hash, size_bytes } = &blob.digest;
        let name = self.resource(&format!("uploads/{}/blobs/{hash}/{size_bytes}", upload_id()));
        let bytes = read(blob)?;
        let all = bytes.len();
        let pieces: Vec<WriteRequest> = bytes
            .chunks(PIECE)
            .enumerate()
            .map(|(at, piece)| WriteRequest {
                resource_name: name.clone(),
                write_offset: (at * PIECE) as i64,
                finish_write: at * PIECE + piece.len() == all,
                data: piece.to_vec(),
            })
            .collect();
        let client = &mut ByteStreamClient::new(self.channel.clone());
        let answer = client.write(self.with(tokio_stream::iter(pieces))).await?.into_inner();
        // -1 means that another client has written the blob meanwhile.
        match answer.committed_size {
            size if size == *size_bytes || size == -1 => Ok(()),
            size => {
                Err(Failure::Service(format!("it took {size} of {size_bytes} bytes of a file")))
            }
        }
    }

    /// Executes a job at the service, and fetches its objects.
    ///
    /// # Errors
    /// The error of the service or the compiler.
    pub async fn execute(&self, job: &Job, task: &Task) -> Result<(Executor, String), Failure> {
        let asked = api::ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: !self.uses_cache,
            action_digest: Some(task.action.clone()),
            inline_stderr: true,
            ..api::ExecuteRequest::default()
        };
        let client = &mut ExecutionClient::new(self.channel.clone());
        let mut news = client.execute(self.with(asked)).await?.into_inner();
        let mut name = String::new();
        let mut resumed = 0;
        let operation = loop {
            match next(&mut news).await {
                Ok(Some(operation)) if operation.done => break operation,
                Ok(Some(operation)) => name = operation.name,
                // The stream has ended, but the execution may continue.
                Ok(None) | Err(_) if !name.is_empty() && resumed < RESUMED => {
                    resumed += 1;
                    let asked = api::WaitExecutionRequest { name: name.clone() };
                    news = client.wait_execution(self.with(asked)).await?.into_inner();
                }
                Ok(None) => return Err(Failure::Service("it says nothing any more".to_owned())),
                Err(status) => return Err(status.into()),
            }
        };
        let response = response(operation)?;
        let result = response.result.unwrap_or_default();
        let words = self.fetch(job, task, &result).await?;
        Ok((if response.cached_result { Executor::Cache } else { Executor::Service }, words))
    }

    /// Fetches the objects of a result; returns the output of the compiler.
    async fn fetch(
        &self,
        job: &Job,
        task: &Task,
        result: &api::ActionResult,
    ) -> Result<String, Failure> {
        let words = match &result.stderr_digest {
            Some(digest) if result.stderr_raw.is_empty() && digest.size_bytes > 0 => {
                let found = self.read(std::slice::from_ref(digest)).await;
                found.map(|mut all| all.remove(&digest.hash)).ok().flatten().unwrap_or_default()
            }
            _ => result.stderr_raw.clone(),
        };
        let words = String::from_utf8_lossy(&words).into_owned();
        if result.exit_code != 0 {
            let how = format!("status {}", result.exit_code);
            return Err(Failure::Compiler(local::failed(job, &how, &words)));
        }
        let mut wanted = Vec::new();
        for (there, here) in &task.outputs {
            let file = result.output_files.iter().find(|file| file.path == *there);
            let Some(file) = file else {
                let how = format!("it did not make {here}");
                return Err(Failure::Compiler(local::failed(job, &how, &words)));
            };
            let is_empty = file.digest.as_ref().is_none_or(|digest| digest.size_bytes == 0);
            if is_empty && job.outputs.first() == Some(here) {
                return Err(Failure::Compiler(local::failed(job, local::EMPTY, &words)));
            }
            wanted.push((file, here));
        }
        let not_here: Vec<api::Digest> = wanted
            .iter()
            .filter(|(file, _)| file.contents.is_empty())
            .filter_map(|(file, _)| file.digest.clone())
            .collect();
        let found = self.read(&not_here).await?;
        for (file, here) in wanted {
            let digest = file.digest.clone().unwrap_or_default();
            let bytes = found.get(&digest.hash).unwrap_or(&file.contents);
            if !blob::is_of(bytes, &digest) {
                return Err(Failure::Service(format!("{here} did not arrive whole")));
            }
            put(Path::new(here), bytes)
                .map_err(|error| Failure::Compiler(format!("cannot write {here}: {error}")))?;
        }
        Ok(words)
    }

    /// Fetches content; the result is keyed by hash.
    async fn read(&self, digests: &[api::Digest]) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let (mut batches, mut size) = (vec![Vec::new()], 0);
        for digest in digests.iter().filter(|digest| seen.insert(&digest.hash)) {
            let own = digest.size_bytes as usize;
            if own > self.batch {
                let bytes = self.read_pieces(digest).await?;
                found.insert(digest.hash.clone(), bytes);
                continue;
            }
            if size + own > self.batch {
                batches.push(Vec::new());
                size = 0;
            }
            size += own;
            batches.last_mut().into_iter().for_each(|batch| batch.push(digest.clone()));
        }
        for digests in batches.into_iter().filter(|batch| !batch.is_empty()) {
            let asked = api::BatchReadBlobsRequest {
                instance_name: self.instance.clone(),
                digests,
                ..api::BatchReadBlobsRequest::default()
            };
            let answer = self.content().batch_read_blobs(self.with(asked)).await?;
            for one in answer.into_inner().responses {
                let status = one.status.unwrap_or_default();
                if status.code != 0 {
                    return Err(Failure::Service(format!("it lacks a file: {}", status.message)));
                }
                found.insert(one.digest.unwrap_or_default().hash, one.data);
            }
        }
        Ok(found)
    }

    async fn read_pieces(&self, digest: &api::Digest) -> Result<Vec<u8>, Failure> {
        let name = self.resource(&format!("blobs/{}/{}", digest.hash, digest.size_bytes));
        let asked = ReadRequest { resource_name: name, ..ReadRequest::default() };
        let client = &mut ByteStreamClient::new(self.channel.clone());
        let mut pieces = client.read(self.with(asked)).await?.into_inner();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.message().await? {
            bytes.extend_from_slice(&piece.data);
        }
        Ok(bytes)
    }

    fn resource(&self, name: &str) -> String {
        match &*self.instance {
            "" => name.to_owned(),
            instance => format!("{instance}/{name}"),
        }
    }
}

/// The endpoint for connections to the service.
fn endpoint(address: &Address, tls: &Tls) -> Result<Endpoint, String> {
    let place = &address.place;
    let wrong =
        |error: tonic::transport::Error| format!("--remote: {place}: {}", with_causes(&error));
    let scheme = if address.is_encrypted { "https" } else { "http" };
    let endpoint = Endpoint::from_shared(format!("{scheme}://{place}")).map_err(wrong)?;
    let endpoint = endpoint.connect_timeout(CONNECTING).tcp_nodelay(true);
    if !address.is_encrypted {
        return Ok(endpoint);
    }
    let file = |option: &str, path: &Path| {
        std::fs::read(path).map_err(|error| format!("{option}: {}: {error}", path.display()))
    };
    let mut config = ClientTlsConfig::new();
    config = match &tls.ca {
        Some(path) => config.ca_certificate(Certificate::from_pem(file("--tls-ca", path)?)),
        None => config.with_native_roots(),
    };
    if let (Some(cert), Some(key)) = (&tls.cert, &tls.key) {
        let (cert, key) = (file("--tls-cert", cert)?, file("--tls-key", key)?);
        config = config.identity(Identity::from_pem(cert, key));
    }
    if let Some(name) = &tls.name {
        config = config.domain_name(name);
    }
    endpoint.tls_config(config).map_err(wrong)
}

/// The text of an error and of its causes.
fn with_causes(error: &dyn Error) -> String {
    said_of_causes(error.to_string(), error)
}

/// `text`, followed by the causes of an error.
fn said_of_causes(mut text: String, error: &dyn Error) -> String {
    let mut cause = error.source();
    while let Some(error) = cause {
        let own = error.to_string();
        if !text.ends_with(&own) {
            text += ": ";
            text += &own;
        }
        cause = error.source();
    }
    text
}

async fn next(news: &mut Streaming<Operation>) -> Result<Option<Operation>, Status> {
    news.message().await
}

/// The result of an execution.
fn response(operation: Operation) -> Result<api::ExecuteResponse, Failure> {
    let status = match operation.result {
        Some(operation::Result::Response(any)) => {
            let response = api::ExecuteResponse::decode(&*any.value)
                .map_err(|error| Failure::Service(format!("its answer is none: {error}")))?;
            match response.status.clone().filter(|status| status.code != 0) {
                Some(status) => status,
                None => return Ok(response),
            }
        }
        Some(operation::Result::Error(status)) => status,
        None => return Err(Failure::Service("it has no result".to_owned())),
    };
    Err(Failure::Service(described(&Status::new(status.code.into(), status.message))))
}

fn described(status: &Status) -> String {
    let text = match status.message() {
        "" => status.code().to_string(),
        text => format!("{}: {text}", status.code()),
    };
    said_of_causes(text, status)
}

/// The bytes of a local blob; a missing file is not an error of the service.
fn read(blob: &Blob) -> Result<Vec<u8>, Failure> {
    let what = match &blob.source {
        Source::File(path) => path.display().to_string(),
        Source::Memory(_) => String::new(),
    };
    blob.read().map_err(|error| Failure::Compiler(format!("cannot read {what}: {error}")))
}

/// A unique name of an upload: the API requires a UUID.
fn upload_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut random = [0; 16];
    let filled = std::fs::File::open("/dev/urandom")
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut random));
    if filled.is_err() {
        let process = u64::from(std::process::id());
        random[..8].copy_from_slice(&process.to_ne_bytes());
    }
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let low = u64::from_ne_bytes(*random.last_chunk().unwrap_or(&[0; 8])) ^ count;
    let high = u64::from_ne_bytes(*random.first_chunk().unwrap_or(&[0; 8]));
    let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
    format!("{a:08x}-{b:04x}-4{c:03x}-8{:03x}-{:012x}", low >> 48 & 0xfff, low & ((1 << 48) - 1))
}

/// Writes a file atomically.
fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new(""));
    if !directory.as_os_str().is_empty() {
        std::fs::create_dir_all(directory)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished: PathBuf = directory.join(format!(".{name}.{}", std::process::id()));
    let put = std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path));
    if put.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    put
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_have_names_of_their_own() {
        let (a, b) = (upload_id(), upload_id());
        assert_ne!(a, b);
        let lengths: Vec<usize> = a.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
    }

    #[test]
    fn an_answer_without_a_result_is_the_services_fault() {
        let operation = Operation { done: true, ..Operation::default() };
        assert!(matches!(response(operation), Err(Failure::Service(_))));
    }
}
