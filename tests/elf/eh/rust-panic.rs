// A Rust panic unwinds through the program and its static libraries.
//# run: stdout="caught\n" stderr~boom
fn main() {
    let result = std::panic::catch_unwind(|| panic!("boom"));
    println!("{}", if result.is_err() { "caught" } else { "missed" });
}
