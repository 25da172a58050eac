//! The input bytes that reach the output.
