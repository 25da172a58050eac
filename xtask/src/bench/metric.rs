//! The figures that tables show, as data: how each is called, taken from a sample, and printed.

use super::linkers::Role;
use super::measure::Sample;
use super::rounds::{Row, Table};
use super::statistics::{Ratio, median, paired_ratio};

/// One column of a table.
pub struct Metric {
    /// The heading, with the unit.
    pub heading: &'static str,
    /// The key in JSON.
    pub key: &'static str,
    /// Takes it from a sample.
    pub of: fn(&Sample) -> f64,
    /// Digits after the point.
    pub digits: usize,
}

/// All of them. The first is what "best peer" means.
pub const METRICS: &[Metric] = &[
    Metric { heading: "CPU ms", key: "cpu_ms", of: Sample::cpu_ms, digits: 1 },
    Metric { heading: "user ms", key: "user_ms", of: |s| s.user_ms, digits: 1 },
    Metric { heading: "sys ms", key: "sys_ms", of: |s| s.sys_ms, digits: 1 },
    Metric { heading: "wall ms", key: "wall_ms", of: |s| s.wall_ms, digits: 1 },
    Metric { heading: "peak MiB", key: "peak_mib", of: |s| s.peak_mib, digits: 1 },
    Metric { heading: "faults", key: "minor_faults", of: |s| s.minor_faults, digits: 0 },
    Metric { heading: "taken", key: "taken_faults", of: |s| s.taken_faults, digits: 0 },
    Metric { heading: "major", key: "major_faults", of: |s| s.major_faults, digits: 0 },
    Metric { heading: "MB out", key: "output_bytes", of: |s| s.output_bytes / 1e6, digits: 3 },
];

/// The metrics that ratios are shown for.
pub fn compared() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| ["cpu_ms", "wall_ms", "peak_mib"].contains(&metric.key))
}

impl Metric {
    /// The values of all rounds.
    pub fn values(&self, samples: &[Sample]) -> Vec<f64> {
        samples.iter().map(self.of).collect()
    }

    /// The median, printed. What has no output has no size of it.
    pub fn shown(&self, samples: &[Sample]) -> String {
        let median = median(&self.values(samples));
        if self.key == "output_bytes" && median == 0.0 {
            return "-".into();
        }
        format!("{:.*}", self.digits, median)
    }
}

/// Our ratio to one other linker.
pub struct Comparison<'a> {
    /// The linker of ours.
    pub ours: &'a str,
    /// The other: a peer, or a variant of ours.
    pub peer: &'a str,
    /// Whether it is the best of the peers in the first metric.
    pub best: bool,
    /// One per metric of [`compared`].
    pub ratios: Vec<Option<Ratio>>,
}

/// The ratios of every linker of ours to every peer and variant. Floors are no linkers.
pub fn comparisons(table: &Table) -> Vec<Comparison<'_>> {
    let samples =
        |row: &'_ Row| row.result.as_ref().ok().map(|s| (METRICS[0].values(s), s.clone()));
    let others = [Role::Peer, Role::Variant];
    let others = table.rows.iter().filter(|row| others.contains(&row.role) && row.result.is_ok());
    let others: Vec<_> = others.collect();
    let cpu = |row: &Row| samples(row).map_or(f64::INFINITY, |(cpu, _)| median(&cpu));
    let peers = others.iter().filter(|row| row.role == Role::Peer);
    let best = peers.min_by(|a, b| cpu(a).total_cmp(&cpu(b))).map(|row| &row.linker);
    let mut comparisons = Vec::new();
    for ours in table.rows.iter().filter(|row| row.role == Role::Ours) {
        for peer in &others {
            let (Ok(our_runs), Ok(their_runs)) = (&ours.result, &peer.result) else { continue };
            let ratio = |metric: &Metric| {
                paired_ratio(&metric.values(our_runs), &metric.values(their_runs))
            };
            comparisons.push(Comparison {
                ours: &ours.linker,
                peer: &peer.linker,
                best: Some(&peer.linker) == best,
                ratios: compared().map(ratio).collect(),
            });
        }
    }
    comparisons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::options::Mode;

    fn row(linker: &str, role: Role, cpu: &[f64]) -> Row {
        let sample = |&user_ms: &f64| Sample {
            user_ms,
            wall_ms: user_ms,
            peak_mib: 1.0,
            ..Sample::default()
        };
        let result = Ok(cpu.iter().map(sample).collect());
        Row { linker: linker.into(), role, result, instructions: None }
    }

    #[test]
    fn the_best_peer_is_the_one_with_least_cpu() {
        let mut rows = vec![row("ours", Role::Ours, &[1.0, 2.0])];
        rows.push(row("slow", Role::Peer, &[4.0, 8.0]));
        rows.push(row("fast", Role::Peer, &[2.0, 4.0]));
        rows.push(row("ours otherwise", Role::Variant, &[1.5, 3.0]));
        rows.push(row("cp", Role::Floor, &[0.5, 1.0]));
        rows.push(Row { result: Err("skipped work".into()), ..row("cheat", Role::Peer, &[]) });
        let table = Table {
            workload: "w",
            mode: Mode::First,
            place: String::new(),
            cold: false,
            threads: 2,
            input_bytes: 1,
            others: None,
            rows,
        };
        let comparisons = comparisons(&table);
        let best: Vec<_> = comparisons.iter().filter(|c| c.best).map(|c| c.peer).collect();
        assert_eq!(best, ["fast"]);
        assert_eq!(comparisons.len(), 3);
        assert_eq!(comparisons[1].ratios[0].unwrap().median, 0.5);
    }
}
