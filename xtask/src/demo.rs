//! stub
pub fn run(_: &[String]) -> i32 {
    0
}
