//! BuildGrid, its database and its workers.

use super::{certificates, succeed, unprivileged};
use crate::Result;
use crate::tools::is_root;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use xtask::root;

/// The package to install from PyPI.
const PACKAGE: &str = "buildgrid[database]==0.4.4";
const WORKER: &str = include_str!("worker.py");
/// Time limit for a process to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with everything in one process.
pub struct Service {
    /// `HOST:PORT`.
    pub address: String,
    /// The same for connections with TLS.
    pub encrypted: String,
    /// The same where clients need a certificate.
    pub mutual: String,
    directory: PathBuf,
    python: PathBuf,
    database: Child,
    server: Child,
}

/// A worker process, which executes actions.
pub struct Worker {
    process: Child,
    log: PathBuf,
}

impl Service {
    /// Installs what is missing, and starts it.
    pub fn start(below: &Path) -> Result<Service> {
        let directory = below.join("service");
        fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
        certificates::make(&directory)?;
        let python = installed()?;
        let postgres = postgres()?;
        let mut database = start_database(&postgres, &directory)?;
        let started = start_server(&python, &directory);
        let (addresses, server) = started.inspect_err(|_| end(&mut database))?;
        let [address, encrypted, mutual] = addresses;
        Ok(Service { address, encrypted, mutual, directory, python, database, server })
    }

    /// A file of [`certificates`].
    pub fn file(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Starts a worker.
    pub fn worker(&self, name: &str) -> Result<Worker> {
        let script = self.directory.join("worker.py");
        fs::write(&script, WORKER).map_err(|e| e.to_string())?;
        let log = self.directory.join(format!("{name}.log"));
        let mut command = Command::new(&self.python);
        command.arg(script).args([&self.address, name]).arg(self.directory.join(name));
        let worker = Worker { process: spawn(&mut command, &log)?, log };
        wait_for(|| worker.has("ready")).map_err(|_| worker.text())?;
        Ok(worker)
    }

    /// Ends it.
    pub fn stop(&mut self) {
        end(&mut self.server);
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        end(&mut self.server);
        // The database ends its own processes on SIGTERM, but not when it is killed.
        let id = nix::unistd::Pid::from_raw(self.database.id().cast_signed());
        let _ = nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM);
        let _ = wait_for(|| matches!(self.database.try_wait(), Ok(Some(_))));
        end(&mut self.database);
    }
}

impl Worker {
    fn text(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn has(&self, word: &str) -> bool {
        self.text().lines().any(|line| line == word)
    }

    /// Number of actions that the worker has begun.
    pub fn works(&self) -> usize {
        self.text().lines().filter(|line| *line == "works").count()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        end(&mut self.process);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The Python that has BuildGrid.
fn installed() -> Result<PathBuf> {
    let directory = root::target().join("distribute/python");
    let python = directory.join("bin/python");
    let has_all = || {
        let words = ["-c", "import buildgrid, psycopg2"];
        succeed(Command::new(&python).args(words)).is_ok()
    };
    if !has_all() {
        apt("python3-venv");
        println!("installing {PACKAGE}");
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&directory))?;
        succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))?;
    }
    Ok(python)
}

/// The directory with the programs of PostgreSQL, which Debian does not have in `PATH`.
fn postgres() -> Result<PathBuf> {
    let find = || {
        let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
        let all = versions.map(|version| version.path().join("bin"));
        all.filter(|bin| bin.join("initdb").exists()).max()
    };
    find()
        .or_else(|| {
            apt("postgresql");
            find()
        })
        .ok_or_else(|| "PostgreSQL is not installed".to_owned())
}

fn apt(package: &str) {
    if is_root() {
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "--no-install-recommends", package]);
        let _ = succeed(install.env("DEBIAN_FRONTEND", "noninteractive"));
    }
}

fn start_database(programs: &Path, directory: &Path) -> Result<Child> {
    let data = directory.join("data");
    for path in [&data, &directory.join("socket")] {
        fs::create_dir_all(path).map_err(|e| e.to_string())?;
        if is_root() {
            succeed(Command::new("chown").arg("postgres").arg(path))?;
        }
    }
    let mut make = unprivileged(&programs.join("initdb"));
    // Commands have names of files, which are not ASCII.
    make.args(["-E", "UTF8", "--locale=C"]);
    make.args(["-A", "trust", "-U", "postgres", "--no-sync", "-D"]).arg(&data);
    succeed(make.current_dir("/"))?;
    let mut server = unprivileged(&programs.join("postgres"));
    server.arg("-D").arg(&data).arg("-k").arg(directory.join("socket"));
    server.args(["-c", "listen_addresses=", "-c", "fsync=off"]).current_dir("/");
    let mut database = spawn(&mut server, &directory.join("database.log"))?;
    let is_up = || {
        let mut ask = Command::new(programs.join("pg_isready"));
        succeed(ask.arg("-q").arg("-h").arg(directory.join("socket"))).is_ok()
    };
    wait_for(is_up).inspect_err(|_| end(&mut database))?;
    Ok(database)
}

fn start_server(python: &Path, directory: &Path) -> Result<([String; 3], Child)> {
    let connection = format!(
        "postgresql+psycopg2://postgres@/postgres?host={}",
        directory.join("socket").display()
    );
    let program = python.with_file_name("bgd");
    succeed(Command::new(&program).args(["migrate", "apply", &connection]))?;
    let addresses = [free_address()?, free_address()?, free_address()?];
    let path = directory.join("server.yml");
    fs::write(&path, configuration(&addresses, directory, &connection))
        .map_err(|e| e.to_string())?;
    let log = directory.join("server.log");
    let mut server = spawn(Command::new(&program).args(["server", "start"]).arg(&path), &log)?;
    let is_up = || addresses.iter().all(|address| TcpStream::connect(address).is_ok());
    wait_for(is_up).map_err(|error| {
        end(&mut server);
        format!("{error}\n{}", fs::read_to_string(&log).unwrap_or_default())
    })?;
    Ok((addresses, server))
}

fn free_address() -> Result<String> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    Ok(format!("127.0.0.1:{}", port.map_err(|e| e.to_string())?.port()))
}

fn configuration(addresses: &[String; 3], directory: &Path, connection: &str) -> String {
    let [address, encrypted, mutual] = addresses;
    let directory = directory.display();
    format!(
        "server:
  - !channel
    address: {address}
    insecure-mode: true
  - !channel
    address: {encrypted}
    insecure-mode: false
    credentials:
      tls-server-key: {directory}/server.key
      tls-server-cert: {directory}/server.pem
  - !channel
    address: {mutual}
    insecure-mode: false
    credentials:
      tls-server-key: {directory}/server.key
      tls-server-cert: {directory}/server.pem
      tls-client-certs: {directory}/ca.pem
authorization:
  method: none
connections:
  - !sql-connection &sql
    connection-string: {connection}
storages:
  - !lru-storage &content
    size: 512M
caches:
  - !lru-action-cache &results
    storage: *content
    max-cached-refs: 10000
    allow-updates: true
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *content
    action-cache: *results
    poll-interval: 0.2
    bot-session-keepalive-timeout: 6
    session-expiry-timer-interval: 1
instances:
  - name: \"\"
    services:
      - !action-cache
        cache: *results
      - !execution
        scheduler: *scheduler
      - !bots
        scheduler: *scheduler
      - !cas
        storage: *content
      - !bytestream
        storage: *content
thread-pool-size: 100
"
    )
}

/// Starts a process whose messages go to a file.
fn spawn(command: &mut Command, log: &Path) -> Result<Child> {
    let file = File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let errors = file.try_clone().map_err(|e| e.to_string())?;
    command.stdin(Stdio::null()).stdout(file).stderr(errors);
    // Python takes names of files for ASCII if the environment does not say otherwise.
    command.env("PYTHONUTF8", "1");
    command.spawn().map_err(|e| format!("{command:?}: {e}"))
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

fn wait_for(mut what: impl FnMut() -> bool) -> Result<()> {
    let start = Instant::now();
    while !what() {
        if start.elapsed() > PATIENCE {
            return Err("it does not come up".to_owned());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
