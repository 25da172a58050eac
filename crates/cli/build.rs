//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A program at a fixed address has nothing to relocate: some 6,000 pointers in its tables, on
    // pages that each process would have to copy first. See docs/decisions/0014-build.md.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
