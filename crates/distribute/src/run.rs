//! Runs the jobs. First, cached results of the service are fetched. Then missing blobs are
//! uploaded, and the other jobs run at the service. Jobs that the service cannot do run on this
//! machine.

use crate::blob::{Blob, Files};
use crate::input_root::Place;
use crate::list::{Job, List};
use crate::local;
use crate::options::Options;
use crate::progress::{Executor, Progress};
use crate::remote::{Failure, Remote};
use crate::tree::{self, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The first pause before a job is sent to the service again; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);

/// State that all jobs share.
struct Shared {
    options: Options,
    list: List,
    tasks: Vec<Task>,
    progress: Progress,
    remote: Option<Remote>,
    at_service: Semaphore,
    here: Semaphore,
    /// The warning that jobs run on this machine despite the service was printed.
    has_warned: AtomicBool,
}

/// Runs the jobs of a list.
///
/// # Errors
/// A message; then some objects are missing.
pub fn run(options: &Options) -> Result<(), String> {
    let list = List::read(&options.list)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
        let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
        // Local compilations end when the future is dropped.
        tokio::select! {
            done = run_all(options, list) => done,
            _ = interrupt.recv() => Err("interrupted".to_owned()),
            _ = terminate.recv() => Err("terminated".to_owned()),
        }
    })
}

async fn run_all(options: &Options, list: List) -> Result<(), String> {
    let progress = Progress::new(list.jobs.len(), options);
    let remote = match &options.remote {
        Some(address) => match Remote::connect(address, options).await {
            Ok(remote) => Some(remote),
            Err(text) if options.fallback => {
                progress.say(&format!("skald-distribute: warning: {text}; all jobs run here"));
                None
            }
            Err(text) => return Err(text),
        },
        None => None,
    };
    let tasks = if remote.is_some() { tasks(options, &list)? } else { Vec::new() };
    let shared = Arc::new(Shared {
        at_service: Semaphore::new(options.jobs),
        here: Semaphore::new(options.local_jobs),
        has_warned: AtomicBool::new(false),
        options: options.clone(),
        list,
        tasks,
        progress,
        remote,
    });
    let done = shared.clone().run().await;
    shared.progress.end();
    done
}

fn tasks(options: &Options, list: &List) -> Result<Vec<Task>, String> {
    let here = std::env::current_dir().map_err(|error| format!("no working directory: {error}"))?;
    let place = Place::of(list, &here)?;
    let mut files = Files::default();
    list.jobs.iter().map(|job| tree::task(list, job, &place, options, &mut files)).collect()
}

impl Shared {
    fn job(&self, at: usize) -> &Job {
        &self.list.jobs[at]
    }

    async fn run(self: Arc<Self>) -> Result<(), String> {
        let all: Vec<usize> = (0..self.list.jobs.len()).collect();
        let Some(remote) = self.remote.clone() else {
            return for_each(all, |at| self.clone().run_here(at)).await.map(drop);
        };
        let known = for_each(all, |at| self.clone().take_known(at)).await?;
        let left: Vec<usize> = known.into_iter().flatten().collect();
        let blobs: Vec<&Blob> = left.iter().flat_map(|&at| &self.tasks[at].blobs).collect();
        match remote.upload(&blobs).await {
            Err(Failure::Compiler(text)) => return Err(text),
            // Each job tries the upload again.
            Err(Failure::Service(_)) | Ok(()) => {}
        }
        for_each(left, |at| self.clone().run_anywhere(at)).await.map(drop)
    }

    /// Fetches the cached result of a job; returns the job if there is none.
    async fn take_known(self: Arc<Self>, at: usize) -> Result<Option<usize>, String> {
        let Some(remote) = &self.remote else { return Ok(Some(at)) };
        let _place = self.at_service.acquire().await.map_err(|error| error.to_string())?;
        let asked = remote.known(self.job(at), &self.tasks[at]);
        match tokio::time::timeout(self.options.timeout, asked).await {
            Ok(Ok(Some(words))) => {
                self.done(at, Executor::Cache, &words);
                Ok(None)
            }
            Ok(Err(Failure::Compiler(text))) => Err(text),
            _ => Ok(Some(at)),
        }
    }

    /// Runs a job at the service, or else on this machine.
    async fn run_anywhere(self: Arc<Self>, at: usize) -> Result<(), String> {
        let why = match self.run_there(at).await {
            Ok(()) => return Ok(()),
            Err(Failure::Compiler(text)) => return Err(text),
            Err(Failure::Service(text)) => text,
        };
        if !self.options.fallback {
            return Err(format!("{}: the service did not compile it: {why}", self.job(at).name()));
        }
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            let name = self.job(at).name();
            self.progress.say(&format!(
                "skald-distribute: warning: {name}: the service did not compile it, which is done \
                 here: {why}"
            ));
        }
        self.run_here(at).await
    }

    async fn run_there(&self, at: usize) -> Result<(), Failure> {
        let service = |text: String| Failure::Service(text);
        let Some(remote) = &self.remote else { return Err(service(String::new())) };
        let _place = self.at_service.acquire().await.map_err(|e| service(e.to_string()))?;
        let (job, task) = (self.job(at), &self.tasks[at]);
        let mut why = String::new();
        for attempt in 0..=self.options.retries {
            if attempt > 0 {
                self.progress.retried();
                tokio::time::sleep(PAUSE * (1 << (attempt - 1).min(8))).await;
            }
            let work = async {
                if attempt > 0 {
                    // The service may have lost blobs, or another server may have answered before.
                    remote.upload(&task.blobs.iter().collect::<Vec<_>>()).await?;
                }
                remote.execute(job, task).await
            };
            match tokio::time::timeout(self.options.timeout, work).await {
                Ok(Ok((by, words))) => {
                    self.done(at, by, &words);
                    return Ok(());
                }
                Ok(Err(Failure::Service(text))) => why = text,
                Ok(Err(failure)) => return Err(failure),
                // After a timeout, another attempt would take as long again.
                Err(_) => {
                    let seconds = self.options.timeout.as_secs();
                    return Err(service(format!("it took more than {seconds} seconds")));
                }
            }
        }
        Err(service(why))
    }

    async fn run_here(self: Arc<Self>, at: usize) -> Result<(), String> {
        let _place = self.here.acquire().await.map_err(|error| error.to_string())?;
        let words = local::run(&self.list, self.job(at)).await?;
        self.done(at, Executor::Here, &words);
        Ok(())
    }

    fn done(&self, at: usize, by: Executor, words: &str) {
        if !words.trim().is_empty() {
            self.progress.say(words);
        }
        self.progress.done(self.job(at).name(), by);
    }
}

/// Calls `each` for all jobs concurrently; the first failure ends all. Results are in the order of
/// the jobs.
async fn for_each<T, F>(jobs: Vec<usize>, each: impl Fn(usize) -> F) -> Result<Vec<T>, String>
where
    T: Send + 'static,
    F: Future<Output = Result<T, String>> + Send + 'static,
{
    let mut set = JoinSet::new();
    for at in jobs {
        let work = each(at);
        set.spawn(async move { work.await.map(|done| (at, done)) });
    }
    let mut all = Vec::new();
    while let Some(done) = set.join_next().await {
        all.push(done.map_err(|error| format!("internal error: {error}"))??);
    }
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, done)| done).collect())
}
