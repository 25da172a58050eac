//! Exponents and ratios from times at two sizes, and whether they are within limits.

use crate::bench::statistics::{median, paired_ratio};

/// No dimension grows faster than its size to this power.
pub const EXPONENT_LIMIT: f64 = 1.15;

/// No dimension takes longer than with the best peer by more than this.
pub const RATIO_LIMIT: f64 = 1.2;

/// Times of one linker, one sample per round.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// CPU time, milliseconds.
    pub cpu_ms: Vec<f64>,
    /// Elapsed time, milliseconds.
    pub wall_ms: Vec<f64>,
}

/// Times of one linker: by one thread of a link of nothing and of both sizes, and of the larger one
/// as it is usually linked.
///
/// Exponents use one thread: processors that share a core slow each other down, which does not
/// affect links that are too small for two threads.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// CPU time of a link of nothing, milliseconds, a sample a round.
    pub empty_ms: Vec<f64>,
    /// CPU time at the smaller size.
    pub small_ms: Vec<f64>,
    /// CPU time at the larger size.
    pub large_ms: Vec<f64>,
    /// At the larger size, by all threads.
    pub large: Times,
}

impl Series {
    /// The power of the size with which CPU time grows beyond that of a link of nothing. None if
    /// the smaller size does not take measurably longer than that.
    pub fn exponent(&self, factor: f64) -> Option<f64> {
        let empty = median(&self.empty_ms);
        let small = median(&self.small_ms) - empty;
        let large = median(&self.large_ms) - empty;
        let is_told = small > empty * 0.4 && large > 0.0;
        is_told.then(|| (large / small).ln() / factor.ln())
    }
}

/// Ours beside the best peer at the larger size: CPU time and elapsed time.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Which of the peers.
    pub peer: usize,
    /// Ratio of CPU times.
    pub cpu: f64,
    /// Ratio of elapsed times.
    pub wall: f64,
}

/// The peer that takes the least CPU time is the best.
pub fn compare(ours: &Series, peers: &[Option<Series>]) -> Option<Comparison> {
    let all = peers.iter().enumerate().filter_map(|(at, peer)| Some((at, peer.as_ref()?)));
    let (peer, best) =
        all.min_by(|(_, a), (_, b)| median(&a.large.cpu_ms).total_cmp(&median(&b.large.cpu_ms)))?;
    let cpu = paired_ratio(&ours.large.cpu_ms, &best.large.cpu_ms)?.median;
    let wall = paired_ratio(&ours.large.wall_ms, &best.large.wall_ms)?.median;
    Some(Comparison { peer, cpu, wall })
}

/// Messages about values beyond the limits.
pub fn faults(exponent: Option<f64>, comparison: Option<Comparison>) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(exponent) = exponent.filter(|&exponent| exponent > EXPONENT_LIMIT) {
        faults.push(format!("grows with an exponent of {exponent:.2}"));
    }
    if let Some(comparison) = comparison {
        for (word, ratio) in [("CPU", comparison.cpu), ("wall", comparison.wall)] {
            if ratio > RATIO_LIMIT {
                faults.push(format!("{word} time is {ratio:.2} of the best peer's"));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(empty_ms: f64, small: f64, large: f64) -> Series {
        let times = |ms: f64| vec![ms; 3];
        Series {
            empty_ms: times(empty_ms),
            small_ms: times(small),
            large_ms: times(large),
            large: Times { cpu_ms: times(large), wall_ms: times(large / 2.0) },
        }
    }

    #[test]
    fn constants_do_not_hide_growth() {
        // 100 times the work behind two milliseconds of start.
        let exponent = series(2.0, 3.0, 102.0).exponent(10.0).unwrap();
        assert!((exponent - 2.0).abs() < 1e-9);
        let exponent = series(2.0, 3.0, 12.0).exponent(10.0).unwrap();
        assert!((exponent - 1.0).abs() < 1e-9);
        assert!(series(2.0, 2.1, 3.0).exponent(10.0).is_none());
    }

    #[test]
    fn the_best_peer_is_the_fastest_of_those_that_took_part() {
        let ours = series(1.0, 2.0, 12.0);
        let peers = [Some(series(1.0, 5.0, 50.0)), None, Some(series(1.0, 1.0, 8.0))];
        let comparison = compare(&ours, &peers).unwrap();
        assert_eq!((comparison.peer, comparison.cpu), (2, 1.5));
        assert!(compare(&ours, &[None]).is_none());
        assert_eq!(faults(Some(1.1), Some(comparison)).len(), 2);
        assert_eq!(faults(Some(1.2), None).len(), 1);
        assert!(faults(None, None).is_empty());
    }
}
