//! Simulates N workers on a recording: a discrete-event simulation of the pool's scheduling.
//!
//! Modelled as rayon does it. A loop is cut in halves as long as its budget of cuts lasts; the
//! worker keeps the left one and leaves the right one to thieves. A stolen part gets a new budget,
//! and a worker that waits for a loop steals meanwhile. A worker that finds nothing for a while
//! sleeps; workers are woken one by one as work appears. A sort cuts at each level, after a
//! partition by one worker. Each worker takes visits of a worklist from its own stack, and gives
//! the older half to a worker without visits. A lock of the kernel is shared by all workers; the
//! holder of the output's lock also writes the buffers that others leave.

use super::recording::{Kind, Lock, Recording, Step};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// Parameters of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Workers.
    pub threads: usize,
    /// Nanoseconds from the appearance of work until a searching worker runs it.
    pub steal: u64,
    /// The same for one that sleeps.
    pub wake: u64,
    /// Nanoseconds of searching after which a worker sleeps.
    pub patience: u64,
    /// Factor by which work takes longer than with one thread.
    pub stretch: f64,
}

/// The result of a simulation.
#[derive(Debug, Default)]
pub struct Outcome {
    /// From the first step to the last, nanoseconds.
    pub wall: u64,
    /// Nanoseconds in which a single worker ran and the others had no work, by stretch.
    pub alone: HashMap<Stretch, u64>,
    /// Nanoseconds by phase.
    pub phases: Vec<u64>,
    /// Nanoseconds that workers waited for locks.
    pub locked: u64,
}

/// A stretch of time in which workers ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stretch {
    /// The phase that had begun last.
    pub phase: usize,
    /// The loop at this place, or the serial part behind it.
    pub place: Option<usize>,
    /// Whether it was within the loop.
    pub within: bool,
}

/// A loop that runs.
struct Instance {
    number: usize,
    /// Items, or visits, that have not ended.
    left: usize,
    /// The worker that continues when the loop has ended.
    owner: usize,
}

/// Work that can be stolen.
#[derive(Clone, Debug)]
enum Job {
    /// Items of an instance, and the number of cuts that are left.
    Range { instance: usize, from: usize, to: usize, cuts: usize },
    /// Elements to sort, and the nanoseconds for that.
    Sort { instance: usize, count: usize, length: u64 },
    /// Work for which no worker waits.
    Apart(u64),
    /// A stack of visits.
    Visits { instance: usize, stack: Vec<u32> },
}

/// What a worker is doing, innermost last.
enum Activity<'r> {
    Steps {
        steps: &'r [Step],
        at: usize,
    },
    Job(Job),
    /// Items that are not divided further: the next block, the item in it, and the end.
    Leaf {
        instance: usize,
        block: usize,
        from: usize,
        to: usize,
    },
    /// The two halves after a partition.
    Halves {
        instance: usize,
        count: usize,
        length: u64,
    },
    /// This many items have run.
    Ended {
        instance: usize,
        items: usize,
    },
    Wait {
        instance: usize,
    },
    /// Writes the buffers that others left.
    Drain,
}

#[derive(Default)]
struct Worker<'r> {
    doing: Vec<Activity<'r>>,
    jobs: VecDeque<Job>,
    /// The time since which it has had no work.
    idle: Option<u64>,
    /// It has been notified of work.
    is_called: bool,
    running: Option<Stretch>,
}

#[derive(Default)]
struct OutputLock {
    is_held: bool,
    left: VecDeque<u64>,
    blocked: VecDeque<(usize, u64)>,
}

struct Simulation<'r> {
    recording: &'r Recording,
    /// For each loop of items, the first item of each block.
    starts: Vec<Vec<usize>>,
    machine: Machine,
    workers: Vec<Worker<'r>>,
    instances: Vec<Instance>,
    events: BinaryHeap<Reverse<(u64, u64, usize)>>,
    sequence: u64,
    output: OutputLock,
    others: HashMap<usize, u64>,
    phase: usize,
    last_loop: Option<usize>,
    /// Workers that run.
    busy: usize,
    changed: u64,
    phase_begun: u64,
    random: u64,
    outcome: Outcome,
}

/// How much longer it takes to fill pages of a mapping than to write them, on tmpfs
/// (`docs/decisions/0002-output-strategy.md`).
const BESIDE: f64 = 1.6;

/// Most buffers that are on their way to the output at once (`crates/core/src/output/queue.rs`).
const WAITING: usize = 5;

/// Sorts of fewer elements are not divided.
const SORTED_ALONE: usize = 2000;

/// Runs `recording` on `machine`.
pub fn simulate(recording: &Recording, machine: Machine) -> Outcome {
    let starts = |one: &super::recording::Loop| match &one.kind {
        Kind::Items { blocks, .. } => {
            let mut start = 0;
            let next = |block: &super::recording::Block| {
                start += block.items;
                start - block.items
            };
            blocks.iter().map(next).collect()
        }
        _ => Vec::new(),
    };
    let mut simulation = Simulation {
        recording,
        starts: recording.loops.iter().map(starts).collect(),
        machine,
        workers: (0..machine.threads).map(|_| Worker::default()).collect(),
        instances: Vec::new(),
        events: BinaryHeap::new(),
        sequence: 0,
        output: OutputLock::default(),
        others: HashMap::new(),
        phase: 0,
        last_loop: None,
        busy: 0,
        changed: 0,
        phase_begun: 0,
        random: 0x9e37_79b9_7f4a_7c15,
        outcome: Outcome { phases: vec![0; recording.phases.len().max(1)], ..Outcome::default() },
    };
    for worker in &mut simulation.workers[1..] {
        worker.idle = Some(0);
    }
    simulation.workers[0].doing.push(Activity::Steps { steps: &recording.steps, at: 0 });
    simulation.run();
    simulation.outcome
}

impl<'r> Simulation<'r> {
    fn run(&mut self) {
        self.at(0, 0);
        let mut now = 0;
        while let Some(Reverse((time, _, worker))) = self.events.pop() {
            now = time;
            self.stop(worker, now);
            self.advance(worker, now);
            if worker == 0 && self.workers[0].doing.is_empty() {
                break;
            }
        }
        self.outcome.wall = now;
        self.outcome.phases[self.phase] += now - self.phase_begun;
    }

    fn at(&mut self, time: u64, worker: usize) {
        self.sequence += 1;
        self.events.push(Reverse((time, self.sequence, worker)));
    }

    /// Accounts for the time since workers last began or stopped to run.
    fn account(&mut self, now: u64) {
        if self.busy == 1
            && now > self.changed
            && let Some(stretch) = self.workers.iter().find_map(|worker| worker.running)
        {
            *self.outcome.alone.entry(stretch).or_default() += now - self.changed;
        }
        self.changed = now;
    }

    fn stop(&mut self, worker: usize, now: u64) {
        if self.workers[worker].running.is_some() {
            self.account(now);
            self.workers[worker].running = None;
            self.busy -= 1;
        }
    }

    /// Has `worker` run for `length`.
    fn run_for(&mut self, worker: usize, now: u64, length: u64) {
        self.run_until(worker, now, now + self.stretched(length));
    }

    fn run_until(&mut self, worker: usize, now: u64, end: u64) {
        let within = self.workers[worker].doing.iter().rev().find_map(|doing| match *doing {
            Activity::Leaf { instance, .. }
            | Activity::Ended { instance, .. }
            | Activity::Halves { instance, .. }
            | Activity::Job(
                Job::Range { instance, .. }
                | Job::Sort { instance, .. }
                | Job::Visits { instance, .. },
            ) => Some(self.recording.loops[self.instances[instance].number].place),
            _ => None,
        });
        let stretch = Stretch {
            phase: self.phase,
            place: within.or(self.last_loop),
            within: within.is_some(),
        };
        self.account(now);
        self.workers[worker].running = Some(stretch);
        self.busy += 1;
        self.at(end, worker);
    }

    fn stretched(&self, length: u64) -> u64 {
        (length as f64 * self.machine.stretch) as u64
    }

    /// Has `worker` do things until it runs, waits or is idle.
    fn advance(&mut self, worker: usize, now: u64) {
        loop {
            self.workers[worker].is_called = false;
            let Some(doing) = self.workers[worker].doing.pop() else {
                if worker == 0 || !self.look(worker, now) {
                    return;
                }
                continue;
            };
            let goes_on = match doing {
                Activity::Steps { steps, at } => self.step(worker, now, steps, at),
                Activity::Job(job) => self.begin(worker, now, job),
                Activity::Leaf { instance, block, from, to } => {
                    self.leaf(worker, now, instance, block, from, to)
                }
                Activity::Halves { instance, count, length } => {
                    let half = |count| Job::Sort { instance, count, length: length / 2 };
                    self.leave(worker, now, half(count - count / 2));
                    self.workers[worker].doing.push(Activity::Job(half(count / 2)));
                    true
                }
                Activity::Ended { instance, items } => {
                    self.ended(instance, items, now);
                    true
                }
                Activity::Wait { instance } => self.wait(worker, now, instance),
                Activity::Drain => self.drain(worker, now),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Executes a step; returns whether the worker can continue at once.
    fn step(&mut self, worker: usize, now: u64, steps: &'r [Step], at: usize) -> bool {
        let Some(step) = steps.get(at) else { return true };
        self.workers[worker].doing.push(Activity::Steps { steps, at: at + 1 });
        match *step {
            Step::Phase(phase) => {
                self.account(now);
                self.outcome.phases[self.phase] += now - self.phase_begun;
                (self.phase, self.phase_begun) = (phase, now);
                true
            }
            Step::Run(length) => {
                self.run_for(worker, now, length);
                false
            }
            Step::Apart(length) => {
                self.leave(worker, now, Job::Apart(length));
                true
            }
            Step::Hold(lock, length) => self.hold(worker, now, lock, length),
            Step::Fork(number) => {
                self.fork(worker, number);
                true
            }
        }
    }

    fn fork(&mut self, worker: usize, number: usize) {
        let instance = self.instances.len();
        let threads = self.machine.threads;
        let (left, job) = match &self.recording.loops[number].kind {
            Kind::Items { most, blocks } => {
                let items: usize = blocks.iter().map(|block| block.items).sum();
                let cuts = if *most == 0 { threads } else { threads.max(items / most) };
                (items, Job::Range { instance, from: 0, to: items, cuts })
            }
            &Kind::Sort { count, length } => (count, Job::Sort { instance, count, length }),
            Kind::List(visits) => {
                let mut is_root = vec![true; visits.len()];
                for &child in visits.iter().flat_map(|visit| &visit.children) {
                    is_root[child as usize] = false;
                }
                let roots = (0..visits.len() as u32).rev().filter(|&at| is_root[at as usize]);
                (visits.len(), Job::Visits { instance, stack: roots.collect() })
            }
        };
        self.instances.push(Instance { number, left, owner: worker });
        let doing = &mut self.workers[worker].doing;
        doing.push(Activity::Wait { instance });
        if left > 0 {
            doing.push(Activity::Job(job));
        }
    }

    fn begin(&mut self, worker: usize, now: u64, job: Job) -> bool {
        match job {
            Job::Range { instance, from, to, cuts } => {
                if to - from >= 2 && cuts > 0 {
                    let (middle, cuts) = (from + (to - from) / 2, cuts / 2);
                    self.leave(worker, now, Job::Range { instance, from: middle, to, cuts });
                    let left = Job::Range { instance, from, to: middle, cuts };
                    self.workers[worker].doing.push(Activity::Job(left));
                } else {
                    let starts = &self.starts[self.instances[instance].number];
                    let block = starts.partition_point(|&start| start <= from) - 1;
                    self.workers[worker].doing.push(Activity::Leaf { instance, block, from, to });
                }
                true
            }
            Job::Sort { instance, count, length } => {
                let doing = &mut self.workers[worker].doing;
                if count < SORTED_ALONE {
                    doing.push(Activity::Ended { instance, items: count });
                    self.run_for(worker, now, length);
                    return false;
                }
                let partition = length / u64::from(count.ilog2());
                doing.push(Activity::Halves { instance, count, length: length - partition });
                self.run_for(worker, now, partition);
                false
            }
            Job::Apart(length) => {
                self.run_for(worker, now, length);
                false
            }
            Job::Visits { instance, stack } => self.visits(worker, now, instance, stack),
        }
    }

    fn visits(&mut self, worker: usize, now: u64, instance: usize, mut stack: Vec<u32>) -> bool {
        const SHARED: usize = 8;
        let recording = self.recording;
        let Kind::List(visits) = &recording.loops[self.instances[instance].number].kind else {
            unreachable!("as it was made");
        };
        let (mut length, mut count) = (0, 0);
        // Visits are given away between visits; several visits are one event here.
        const EVENT: u64 = 2_000;
        while let Some(visit) = stack.pop() {
            let visit = &visits[visit as usize];
            stack.extend(visit.children.iter().rev());
            length += visit.length;
            count += 1;
            if length >= EVENT {
                break;
            }
        }
        if stack.len() >= SHARED && self.sleeper().is_some() {
            let newer = stack.split_off(stack.len() / 2);
            let older = std::mem::replace(&mut stack, newer);
            self.leave(worker, now, Job::Visits { instance, stack: older });
        }
        if !stack.is_empty() {
            self.workers[worker].doing.push(Activity::Job(Job::Visits { instance, stack }));
        }
        self.workers[worker].doing.push(Activity::Ended { instance, items: count });
        self.run_for(worker, now, length);
        false
    }

    fn leaf(
        &mut self,
        worker: usize,
        now: u64,
        instance: usize,
        mut block: usize,
        mut from: usize,
        to: usize,
    ) -> bool {
        let recording = self.recording;
        let number = self.instances[instance].number;
        let Kind::Items { blocks, .. } = &recording.loops[number].kind else {
            unreachable!("as it was made");
        };
        let begun = from;
        let mut length = 0.0;
        while from < to {
            let one = &blocks[block];
            if !one.steps.is_empty() {
                break;
            }
            let end = to.min(self.starts[number][block] + one.items);
            length += one.length as f64 * (end - from) as f64 / one.items as f64;
            from = end;
            block += 1;
        }
        let items = from - begun;
        let doing = &mut self.workers[worker].doing;
        if items > 0 {
            if from < to {
                doing.push(Activity::Leaf { instance, block, from, to });
            }
            doing.push(Activity::Ended { instance, items });
            self.run_for(worker, now, length as u64);
            return false;
        }
        if from == to {
            return true;
        }
        let one = &blocks[block];
        let end = to.min(self.starts[number][block] + one.items);
        if end < to {
            doing.push(Activity::Leaf { instance, block: block + 1, from: end, to });
        }
        doing.push(Activity::Ended { instance, items: end - from });
        // A block with detailed steps that a cut divides belongs to the worker that has its
        // beginning.
        if from == self.starts[number][block] {
            doing.push(Activity::Steps { steps: &one.steps, at: 0 });
        }
        true
    }

    fn ended(&mut self, instance: usize, items: usize, now: u64) {
        let one = &mut self.instances[instance];
        one.left -= items;
        if one.left == 0 {
            let owner = one.owner;
            self.call(owner, now);
        }
    }

    fn wait(&mut self, worker: usize, now: u64, instance: usize) -> bool {
        let one = &self.instances[instance];
        if one.left == 0 {
            self.workers[worker].idle = None;
            self.last_loop = Some(self.recording.loops[one.number].place);
            return true;
        }
        self.workers[worker].doing.push(Activity::Wait { instance });
        self.look(worker, now)
    }

    /// Has `worker` take its own last job or another's first; if there is none it is idle.
    fn look(&mut self, worker: usize, now: u64) -> bool {
        let own = self.workers[worker].jobs.pop_back();
        let job = own.or_else(|| {
            let stolen = self.steal(worker)?;
            Some(match stolen {
                Job::Range { instance, from, to, cuts } => {
                    Job::Range { instance, from, to, cuts: cuts.max(self.machine.threads) }
                }
                other => other,
            })
        });
        let Some(job) = job else {
            self.workers[worker].idle.get_or_insert(now);
            return false;
        };
        self.workers[worker].idle = None;
        self.workers[worker].doing.push(Activity::Job(job));
        true
    }

    fn steal(&mut self, thief: usize) -> Option<Job> {
        let count = self.workers.len();
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let first = (self.random >> 33) as usize % count;
        let victims = (first..count).chain(0..first).filter(|&at| at != thief);
        let victim = victims.into_iter().find(|&at| !self.workers[at].jobs.is_empty())?;
        self.workers[victim].jobs.pop_front()
    }

    /// Leaves a job to thieves.
    fn leave(&mut self, worker: usize, now: u64, job: Job) {
        self.workers[worker].jobs.push_back(job);
        if let Some(idle) = self.sleeper() {
            self.call(idle, now);
        }
    }

    /// An idle worker that has not been called: the one that searched last.
    fn sleeper(&self) -> Option<usize> {
        let idle = |&at: &usize| self.workers[at].idle.is_some() && !self.workers[at].is_called;
        (0..self.workers.len()).filter(idle).max_by_key(|&at| self.workers[at].idle)
    }

    /// Wakes `worker` if it is idle.
    fn call(&mut self, worker: usize, now: u64) {
        let one = &mut self.workers[worker];
        let Some(since) = one.idle.filter(|_| !one.is_called) else { return };
        one.is_called = true;
        let is_asleep = now - since.min(now) > self.machine.patience;
        let delay = if is_asleep { self.machine.wake } else { self.machine.steal };
        self.at(now + delay, worker);
    }

    fn hold(&mut self, worker: usize, now: u64, lock: Lock, length: u64) -> bool {
        let length = self.stretched(length);
        match lock {
            Lock::Other(lock) => {
                let free = self.others.entry(lock).or_default();
                let begin = now.max(*free);
                *free = begin + length;
                self.outcome.locked += begin - now;
                self.run_until(worker, now, begin + length);
                false
            }
            Lock::Output { beside } => {
                if !self.output.is_held {
                    self.output.is_held = true;
                    self.workers[worker].doing.push(Activity::Drain);
                    self.run_until(worker, now, now + length);
                    return false;
                }
                if self.output.left.len() + 1 < self.machine.threads.min(WAITING) {
                    self.output.left.push_back(length);
                    return true;
                }
                if beside {
                    self.run_until(worker, now, now + (length as f64 * BESIDE) as u64);
                    return false;
                }
                self.output.blocked.push_back((worker, length));
                false
            }
        }
    }

    /// The output's lock is free for an instant.
    fn drain(&mut self, worker: usize, now: u64) -> bool {
        if let Some((other, length)) = self.output.blocked.pop_front() {
            // The kernel hands the lock to a waiting worker.
            self.run_until(other, now, now + length);
            self.workers[other].doing.push(Activity::Drain);
            return true;
        }
        let Some(length) = self.output.left.pop_front() else {
            self.output.is_held = false;
            return true;
        };
        self.workers[worker].doing.push(Activity::Drain);
        self.run_until(worker, now, now + length);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(threads: usize) -> Machine {
        Machine { threads, steal: 0, wake: 0, patience: 0, stretch: 1.0 }
    }

    fn wall(text: &str, threads: usize) -> u64 {
        let recording = Recording::parse(text).expect("a recording");
        simulate(&recording, machine(threads)).wall
    }

    fn items(count: usize, each: u64) -> String {
        format!("run {each}\ntask 1\n").repeat(count)
    }

    #[test]
    fn equal_items_are_shared_evenly_and_the_rest_is_not() {
        let text = format!("run 1000\nloop 1 a.rs:1\n{}end\nrun 500\n", items(64, 100));
        assert_eq!(wall(&text, 1), 7900);
        assert_eq!(wall(&text, 2), 1500 + 3200);
        assert_eq!(wall(&text, 64), 1500 + 100);
    }

    #[test]
    fn an_item_is_never_cut() {
        let text = format!("loop 1 a.rs:1\nrun 5000\ntask 1\n{}end\n", items(63, 10));
        assert_eq!(wall(&text, 64), 5000);
    }

    #[test]
    fn loops_within_items_are_shared_too() {
        let inner = format!("loop 1 b.rs:1\n{}end\ntask 1\n", items(8, 100));
        let text = format!("loop 1 a.rs:1\n{}end\n", inner.repeat(2));
        assert_eq!(wall(&text, 1), 1600);
        assert_eq!(wall(&text, 16), 100);
    }

    #[test]
    fn one_worker_at_a_time_holds_a_lock() {
        let text = format!("loop 1 a.rs:1\n{}end\n", "hold map 100\ntask 1\n".repeat(8));
        assert_eq!(wall(&text, 8), 800);
        // With the output's lock others continue, and leave their buffers to the holder.
        let text = "run 100\nhold output 100\ntask 1\n".repeat(8);
        let text = format!("loop 1 a.rs:1\n{text}end\n");
        assert_eq!(wall(&text, 8), 900);
        assert_eq!(wall(&text, 1), 1600);
    }

    #[test]
    fn what_may_go_beside_does_not_wait() {
        // The first one writes, the second leaves its bytes, and the third waits for nobody.
        let text = |lock| {
            format!("loop 1 a.rs:1\n{}end\n", format!("hold {lock} 100\ntask 1\n").repeat(3))
        };
        assert_eq!(wall(&text("output"), 2), 300);
        assert_eq!(wall(&text("output-or-beside"), 2), 200);
    }

    #[test]
    fn a_chain_of_visits_is_no_faster_and_a_tree_is() {
        let chain = (1..1000).map(|at| format!("visit {}\nrun 1000\n", at - 1));
        let chain = format!("list a.rs:1\nvisit -\nrun 1000\n{}end\n", chain.collect::<String>());
        assert_eq!(wall(&chain, 8), 1_000_000);
        let tree = (1..100_000).map(|at| format!("visit {}\nrun 1000\n", (at - 1) / 2));
        let tree = format!("list a.rs:1\nvisit -\nrun 1000\n{}end\n", tree.collect::<String>());
        assert!(wall(&tree, 8) < 100_000_000 / 6);
    }

    #[test]
    fn nobody_waits_for_what_runs_apart() {
        let text = "apart 500\nrun 300\n";
        assert_eq!(wall(text, 2), 300);
    }

    #[test]
    fn what_runs_alone_is_named() {
        let text = format!(
            "phase read\nrun 700\nloop 1 a.rs:1\n{}end\nphase write\nrun 300\n",
            items(4, 50)
        );
        let recording = Recording::parse(&text).expect("a recording");
        let outcome = simulate(&recording, machine(4));
        let read = Stretch { phase: 0, place: None, within: false };
        let write = Stretch { phase: 1, place: Some(0), within: false };
        assert_eq!(outcome.alone.get(&read), Some(&700));
        assert_eq!(outcome.alone.get(&write), Some(&300));
        assert_eq!(outcome.phases, [750, 300]);
    }
}
