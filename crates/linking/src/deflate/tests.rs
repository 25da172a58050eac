//! Streams are read back by another decoder.

use super::Encoder;
use proptest::prelude::*;
use std::io::Read;

/// Encodes the runs one after the other and reads them back; returns the size of the stream.
fn round_trip(runs: &[&[u8]]) -> usize {
    let mut encoder = Encoder::default();
    let mut stream = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let mut out = vec![0xaa; 7];
        encoder.encode(run, at + 1 == runs.len(), &mut out);
        stream.extend_from_slice(&out);
    }
    let mut read = Vec::new();
    let mut decoder = flate2::bufread::DeflateDecoder::new(&stream[..]);
    decoder.read_to_end(&mut read).expect("a whole stream");
    assert!(decoder.into_inner().is_empty(), "nothing follows the end");
    assert!(read == runs.concat());
    stream.len()
}

/// Pseudorandom numbers of `bits` bits.
fn noise(len: usize, bits: u32) -> Vec<u8> {
    let mut state = 1u64;
    let next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> (64 - bits)) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

#[test]
fn runs_of_any_length_are_read_back() {
    for len in (0..40).chain([257, 258, 259, 65535, 65536, 131_071, 131_072, 131_073, 400_000]) {
        round_trip(&[&vec![7; len]]);
        round_trip(&[&noise(len, 8)]);
        round_trip(&[&noise(len, 3), &[], &noise(len, 1)]);
    }
}

#[test]
fn what_cannot_become_smaller_is_stored() {
    let bytes = noise(300_000, 8);
    let len = round_trip(&[&bytes]);
    assert!(len <= bytes.len() + 64, "{len}");
}

#[test]
fn matches_at_the_end_of_the_window_are_found() {
    let far = |gap: usize| [noise(200, 8), vec![0; gap - 200], noise(200, 8)].concat();
    let inside = round_trip(&[&far(32_768)]);
    let outside = round_trip(&[&far(32_769)]);
    assert!(inside + 150 < outside, "{inside} {outside}");
}

/// With Fibonacci numbers as counts, each symbol's code is one bit longer than the one before.
#[test]
fn codes_are_not_longer_than_fifteen_bits() {
    let mut bytes = Vec::new();
    let (mut one, mut other) = (1, 1);
    for symbol in 0..23u8 {
        bytes.extend(std::iter::repeat_n(symbol, one));
        (one, other) = (other, one + other);
    }
    // Shuffled, so that few matches are found.
    let order = noise(bytes.len() * 4, 8);
    for at in (1..bytes.len()).rev() {
        let random = u32::from_le_bytes(order[4 * at..][..4].try_into().expect("four bytes"));
        bytes.swap(at, random as usize % (at + 1));
    }
    round_trip(&[&bytes]);
}

#[test]
fn equal_runs_are_encoded_alike() {
    let mut encoder = Encoder::default();
    let [mut first, mut second, mut between] = [const { Vec::new() }; 3];
    let bytes = noise(200_000, 4);
    encoder.encode(&bytes, false, &mut first);
    encoder.encode(&noise(100_000, 5), true, &mut between);
    encoder.encode(&bytes, false, &mut second);
    assert!(first == second);
}

proptest! {
    #[test]
    fn anything_is_read_back(
        words in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 1..20),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..4000),
    ) {
        let bytes: Vec<u8> = order.iter().flat_map(|at| at.get(&words).iter().copied()).collect();
        let (first, second) = bytes.split_at(bytes.len() / 3);
        round_trip(&[first, second]);
    }
}
