//! The `queens` program.
fn main() {
    println!("{}", queens::count(8).unwrap());
}
