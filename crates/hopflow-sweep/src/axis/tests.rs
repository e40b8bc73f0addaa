//! Tests of the texts of axes.

use super::*;

fn values(text: &str) -> Vec<String> {
    let axis = Axis::parse(text, 1).unwrap_or_else(|wrong| panic!("{wrong}"));
    (0..axis.count()).map(|index| axis.value(index).into_owned()).collect()
}

fn wrong(text: &str) -> String {
    Axis::parse(text, 1).expect_err(text)
}

/// Claim: commas split a list, except in quotes, brackets and braces; an equals sign in quotes
/// belongs to the key.
#[test]
fn a_list_is_cut_at_its_own_commas() {
    assert_eq!(values("flow.VC1.control.n3=10, 20 ,40"), ["10", "20", "40"]);
    let lists = values("a=[1, 2],{ x = 1, y = [2] },\"p,q\",'r'");
    assert_eq!(lists, ["[1, 2]", "{ x = 1, y = [2] }", "\"p,q\"", "'r'"]);
    let axis = Axis::parse("flow.\"a=b\".weight=1,2", 1).unwrap();
    assert_eq!((axis.key(), axis.count()), ("flow.\"a=b\".weight", 2));
    for bad in ["a", "=1", "a=", "a=1,,2", "a=1,2,1", "a=[1,2", "a=1]", "a=\"1,2"] {
        assert!(wrong(bad).contains(bad), "{bad}");
    }
}

/// Claim, by hand: 10..100/10 are the tens; 1..1000/7 at equal ratios are powers of the root of 10,
/// rounded to whole numbers; ends stay as written; a unit follows each; fractions are short.
#[test]
fn ranges_are_worked_out_by_hand() {
    let tens: Vec<String> = (1..=10).map(|ten| (10 * ten).to_string()).collect();
    assert_eq!(values("k=10..100/10"), tens);
    assert_eq!(values("k=log 1..1000/7"), ["1", "3", "10", "32", "100", "316", "1000"]);
    assert_eq!(values("k=log 1..100 km/3"), ["1 km", "10 km", "100 km"]);
    assert_eq!(values("k=1..3 Mb/s/3"), ["1 Mb/s", "2 Mb/s", "3 Mb/s"]);
    assert_eq!(values("k=0.1..0.5/5"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
    assert_eq!(values("k=-1.0..1.0/3"), ["-1.0", "0.0", "1.0"]);
    assert_eq!(values("k=1..10.0/2"), ["1", "10.0"]);
    let log = values("k=log 1.0..10.0/3");
    assert_eq!(log, ["1.0", "3.16227766", "10.0"]);
}

/// Claim: text that is not a range is a list. An incomplete range is refused with the way out, and
/// so are equal values, which would be equal points.
#[test]
fn what_is_wrong_with_a_range_is_reported() {
    assert_eq!(values("k=a..b"), ["a..b"]);
    assert_eq!(values("k=log,random"), ["log", "random"]);
    let cases = [
        ("k=1..10", "FROM..TO/COUNT"),
        ("k=1..10 Mb/s", "`s` is not a number of values"),
        ("k=log 5", "FROM..TO/COUNT"),
        ("k=10..1/4", "goes up"),
        ("k=log 0..10/4", "above zero"),
        ("k=1..10/1", "2 to 1000000"),
        ("k=1 km..10 km/4", "`1 km` is not a number"),
        ("k=1..5/10", "several are 1: give fewer, or 1.0..5.0"),
        ("k=log 1..10/20", "several are"),
        ("k=0..99999999999999999/3", "at most 2^53"),
    ];
    for (text, said) in cases {
        let error = wrong(text);
        assert!(error.contains(said), "{text}: {error}");
    }
}

/// Claim: draws lie between the ends, reach both ends of whole numbers, follow from seed and key,
/// and differ between keys and seeds. Log draws put half of the values below the geometric mean.
#[test]
fn draws_are_keyed() {
    let drawn = |text: &str, seed| -> Vec<f64> {
        let axis = Axis::parse(text, seed).unwrap();
        (0..axis.count()).map(|index| axis.value(index).parse().unwrap()).collect()
    };
    let dice = drawn("k=random 1..6/2000", 3);
    for face in 1..=6 {
        let share = dice.iter().filter(|value| (**value - f64::from(face)).abs() < 0.5).count();
        // 2000 / 6 = 333, with a deviation of 17.
        assert!((265..=400).contains(&share), "{face}: {share}");
    }
    assert!(dice.iter().all(|value| (1.0..=6.0).contains(value)));
    assert_eq!(dice, drawn("k=random 1..6/2000", 3));
    assert_ne!(dice, drawn("k=random 1..6/2000", 4));
    assert_ne!(dice, drawn("l=random 1..6/2000", 3));
    let log = drawn("k=log-random 1.0..10000.0/2000", 3);
    let below = log.iter().filter(|value| **value < 100.0).count();
    assert!((900..=1100).contains(&below), "{below}");
    assert!(Axis::parse("k=random 1..6/1", 1).unwrap().is_random());
}

/// Claim: an axis has a unit if all its values have the same one.
#[test]
fn units_are_found() {
    let unit = |text: &str| Axis::parse(text, 1).unwrap().unit();
    assert_eq!(unit("k=1,2.5,-3e2").as_deref(), Some(""));
    assert_eq!(unit("k=1 km,20 km").as_deref(), Some("km"));
    assert_eq!(unit("k=log 1..4 Mb/s/3").as_deref(), Some("Mb/s"));
    assert_eq!(unit("k=1 km,20 m"), None);
    assert_eq!(unit("control=n23,n123"), None);
}

/// Claim: a range with a hyphen is an error that shows the range; a word with a hyphen is a value.
#[test]
fn a_range_with_a_hyphen_is_shown_the_dots() {
    let wrong = Axis::parse("flow.f.control.n3=10-100", 1).unwrap_err();
    assert!(wrong.contains("`flow.f.control.n3=10..100/10`"), "{wrong}");
    for fine in ["control=as-is", "delay=1e-3", "rate=-5", "x=drop-tail,10-100"] {
        assert!(Axis::parse(fine, 1).is_ok(), "{fine}");
    }
}
