//! `queens known`: the table, and nothing but the table.

use super::program::queens;

#[test]
fn values_are_printed_as_count_prints_them() {
    assert_eq!(queens("known 8").ok(), "92\n");
    assert_eq!(queens("known 27").ok(), "234907967154122528\n");
    assert_eq!(queens("known 0..13").ok(), queens("count 0..13").ok());
    assert_eq!(queens("known 8 --fundamental").ok(), "12\n");
    assert_eq!(queens("known").ok().lines().count(), 28);
    assert_eq!(queens("known --fundamental").ok().lines().count(), 27);
}

#[test]
fn json_names_the_sources() {
    let object = queens("known 8 --json").json();
    assert_eq!(object["count"], "92");
    assert_eq!(object["fundamental"], "12");
    let source = object["count_source"].as_str().unwrap();
    assert!(source.contains("A000170"), "{source}");
}

#[test]
fn what_is_not_published_is_a_no_and_what_is_no_board_an_error() {
    queens("known 28").refused(4, &["28", "A000170", "0 to 27"]);
    queens("known 20..30").refused(4, &["28"]);
    queens("known 0 --fundamental").refused(4, &["A002562", "1 to 27"]);
    queens("known 33").refused(2, &["33", "0 to 32"]);
    queens("known -3").refused(2, &["-3", "0 to 32"]);
}
