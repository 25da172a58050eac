//! Medians, and ratios of paired runs.
//!
//! Linkers run in turn within one round, so the runs of a round saw the same machine. A ratio is
//! the median of the rounds' ratios, not the ratio of two medians: a slowdown of a whole round
//! cancels out.

/// The median; of an even number of values the mean of the middle two. NaN for no values.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The value below which `part` of the values lie, interpolated. NaN for no values.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = part.clamp(0.0, 1.0) * last as f64;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    below + (above - below) * at.fract()
}

/// A ratio over paired runs.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// The median of the pairs' ratios.
    pub median: f64,
    /// A quarter of the pairs are below.
    pub low: f64,
    /// A quarter of the pairs are above.
    pub high: f64,
}

/// `ours[i] / theirs[i]`, over all rounds. Nothing when there are no pairs or a divisor is zero.
pub fn paired_ratio(ours: &[f64], theirs: &[f64]) -> Option<Ratio> {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a / b).collect();
    if ratios.is_empty() || !ratios.iter().all(|ratio| ratio.is_finite()) {
        return None;
    }
    Some(Ratio {
        median: median(&ratios),
        low: quantile(&ratios, 0.25),
        high: quantile(&ratios, 0.75),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_ratio_is_taken_pair_by_pair() {
        // The machine was twice as slow in the second round: the ratio does not see it.
        let ratio = paired_ratio(&[1.0, 2.0, 1.0], &[2.0, 4.0, 2.0]).unwrap();
        assert_eq!((ratio.low, ratio.median, ratio.high), (0.5, 0.5, 0.5));
        assert!(paired_ratio(&[1.0], &[0.0]).is_none());
    }
}
