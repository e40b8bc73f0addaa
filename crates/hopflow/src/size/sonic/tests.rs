//! Claims about tables of headrooms.

use super::*;

fn terms(pipeline: u64) -> SonicTerms {
    let buffer = BufferCells {
        cell: Bytes(254),
        smallest: Bytes(64),
        share_percent: 100,
        pipeline: Picos(pipeline * 1_000),
    };
    let frame = Bytes(9_236);
    SonicTerms { frame, buffer, response: None, interface: Picos::ZERO }
}

fn audited(text: &str, pipeline: u64) -> Vec<(usize, &'static str, String)> {
    let findings = audit_sonic(&read_sonic(text).unwrap(), &terms(pipeline)).unwrap();
    findings.into_iter().map(|one| (one.row.line, one.verdict.name(), one.reason)).collect()
}

/// Claim (other tool: the tables P32O64 and O128 of Arista 7060X6 at 400 Gb/s in SONiC,
/// [SONIC-PG]): of the first, 30, 300 and 500 m are good and 5 m has the value of 30 m. Of the
/// second, 150 m has 445770 of the 607314 B that it needs, and 60 m has the value of 500 m.
#[test]
fn public_tables_are_audited() {
    let first = "# PG lossless profiles.\n# speed cable size xon xoff threshold xon_offset\n\
                 400000 5m 8636 0 425958 0 3556\n400000 30m 8636 0 425958 0 3556\n\
                 400000 300m 8636 0 839216 0 3556\n400000 500m 8636 0 1136396 0 3556\n";
    let found = audited(first, 1_111);
    let verdicts: Vec<_> = found.iter().map(|(line, verdict, _)| (*line, *verdict)).collect();
    assert_eq!(verdicts, [(3, "odd"), (4, "good"), (5, "good"), (6, "good")]);
    assert_eq!(found[0].2, "line 4 has no more for 30 m");
    let second = "400000 30m 8636 0 425958\n400000 40m 18796 0 445770\n400000 60m 8636 0 1136396\n\
                  400000 150m 18796 0 445770\n400000 500m 8636 0 1136396\n";
    let found = audited(second, 1_111);
    let verdicts: Vec<_> = found.iter().map(|(_, verdict, _)| *verdict).collect();
    assert_eq!(verdicts, ["good", "good", "odd", "short", "good"], "{found:?}");
    assert_eq!(found[2].2, "line 5 has no more for 500 m");
    assert!(found[3].2.contains("less than 150 m need"), "{found:?}");
}

/// Claim: each oddity has its reason: not whole cells, and more than twice the need.
#[test]
fn oddities_have_reasons() {
    let odd = audited("400000 30m 0 0 425959\n400000 300m 0 0 2540000", 1_111);
    assert_eq!(odd[0].2, "not a whole number of cells of 254 B");
    assert_eq!(odd[1].2, "more than twice what 300 m need");
}

/// Claim: a row that cannot be read is an error with its line, its field and what it should be.
#[test]
fn a_bad_row_is_named() {
    let wrong = |text: &str| read_sonic(text).unwrap_err();
    assert!(wrong("\n400000 300m 8636 0").contains("line 2 has 4 fields"));
    assert!(wrong("400G 300m 8636 0 1").contains("line 1: the speed is `400G`"));
    assert!(wrong("0 300m 8636 0 1").contains("the speed is `0`"));
    assert!(wrong("# x\n400000 300 8636 0 1").contains("line 2: the cable is `300`"));
    assert!(wrong("400000 300m 8636 0 -1").contains("the xoff is `-1`"));
    assert!(wrong("# nothing\n").contains("no row"));
    let rows = read_sonic("123 300m 8636 0 1").unwrap();
    let error = audit_sonic(&rows, &terms(0)).unwrap_err();
    assert_eq!(error, "line 1: no response time is known for 123 Mb/s: give --response");
    for far in ["400000 18446744073709551615m 0 0 1", "18446744073709551615 1m 0 0 1"] {
        let error = audit_sonic(&read_sonic(far).unwrap(), &terms(0)).unwrap_err();
        assert!(error.starts_with("line 1: "), "{error}");
    }
}
