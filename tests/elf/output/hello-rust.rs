// rustc's command line: response-like length, -Wl,--as-needed, --gc-sections, version scripts.
//# link: -O
//# run: stdout="[1, 2, 3]\n"
fn main() {
    let values: Vec<u32> = (1..4).collect();
    println!("{values:?}");
}
