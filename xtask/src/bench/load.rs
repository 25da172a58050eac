//! The share of the processors that other processes used while links were measured. Figures from a
//! busy machine are less reliable, above all elapsed time and the serial share that is computed
//! from it.

/// Ticks below which a share would say nothing: a second of one processor.
const ENOUGH: f64 = 100.0;

/// Milliseconds of a tick. USER_HZ is 100 wherever Linux runs.
const MS_PER_TICK: f64 = 10.0;

/// Time of all processors together, in ticks of the kernel's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticks {
    busy: f64,
    all: f64,
}

/// What others used during several runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthersLoad(Ticks);

/// Calls `work`; returns the ticks of all processors meanwhile, including ours.
pub fn during<T>(work: impl FnOnce() -> T) -> (T, Ticks) {
    let before = Ticks::now();
    let result = work();
    let after = Ticks::now();
    (result, Ticks { busy: after.busy - before.busy, all: after.all - before.all })
}

/// A share for people.
pub fn shown(share: f64) -> String {
    format!("Others used {:.0} % of the processors.", share * 100.0)
}

impl Ticks {
    fn now() -> Self {
        let statistics = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        Self::parse(&statistics).unwrap_or_default()
    }

    /// `cpu  user nice system idle iowait irq softirq steal ...`: proc(5).
    fn parse(statistics: &str) -> Option<Self> {
        let line = statistics.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<f64> =
            line.split_whitespace().take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
        let all: f64 = ticks.iter().sum();
        Some(Self { busy: all - ticks.get(3)? - ticks.get(4)?, all })
    }
}

impl OthersLoad {
    /// Adds a run of `own_ms` of CPU time.
    pub fn add(&mut self, seen: Ticks, own_ms: f64) {
        self.0.busy += seen.busy - own_ms / MS_PER_TICK;
        self.0.all += seen.all;
    }

    /// The part of all processors, if the runs were long enough to tell.
    pub fn share(self) -> Option<f64> {
        (self.0.all >= ENOUGH).then(|| (self.0.busy / self.0.all).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistics_are_read() {
        let ticks = Ticks::parse("cpu  100 0 50 1000 10 1 1 8 0 0\ncpu0 1 2 3\n");
        assert_eq!(ticks, Some(Ticks { busy: 160.0, all: 1170.0 }));
        assert_eq!(Ticks::parse("intr 1"), None);
    }

    #[test]
    fn what_others_used_is_what_we_did_not() {
        let mut others = OthersLoad::default();
        assert_eq!(others.share(), None);
        others.add(Ticks { busy: 60.0, all: 100.0 }, 400.0);
        others.add(Ticks { busy: 30.0, all: 100.0 }, 400.0);
        assert_eq!(others.share(), Some(0.05));
        others.add(Ticks::default(), 1000.0);
        assert_eq!(others.share(), Some(0.0));
    }
}
