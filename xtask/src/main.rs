//! Tasks of the project: `cargo xtask bench` and `cargo xtask demo`.

mod bench;
mod corpus;
mod demo;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let status = match arguments.split_first() {
        Some((task, rest)) if task == "bench" => bench::run(rest),
        Some((task, rest)) if task == "demo" => demo::run(rest),
        _ => {
            eprintln!("cargo xtask bench|demo [--help]");
            2
        }
    };
    std::process::exit(status);
}
