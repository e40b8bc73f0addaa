//! Figure 6 of [KMCL94], entry by entry, and the limits of the arithmetic.

use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::{CellTimes, CreditScheme, Link, Size, SizeError, delay_of_length, schemes, size};

fn rate(bps: u64) -> Rate {
    Rate::from_bps(bps).unwrap()
}

/// The link of Figure 6: 5 us for each km, 5 us of processing, no cell times.
fn figure_6(kilometres: u64, target: Rate) -> Size {
    let link = Link {
        delay: delay_of_length(1_000 * kilometres).unwrap(),
        rate: rate(622_080_000),
        processing: Picos::from_micros(5).unwrap(),
        cell_times: CellTimes::Left,
    };
    size(CreditScheme::N23, &link, target, Cells(10)).unwrap()
}

/// (N3, kB) as printed, by length (1, 10, 100, 1000 km) and rate (10, 100, 622 Mb/s).
const PRINTED: [[(u32, u64); 3]; 4] = [
    [(1, 1), (4, 1), (23, 2)],
    [(3, 1), (25, 2), (155, 9)],
    [(24, 2), (238, 14), (1475, 79)],
    [(235, 13), (2360, 126), (14679, 779)],
];

/// Claim [KMCL94] Figure 6: Equation (3) with the ceiling and B_link = 622.08 Mb/s gives 10 of
/// the 12 buffer sizes. The other two, both at 1000 km, are one cell less in print: 235.97 and
/// 14679.03 cells were rounded down there, 2359.67 cells beside them up. No single rule gives
/// 235 at 10 Mb/s and 2360 at 100 Mb/s: if 235 is a ceiling, R x B is at most 235 cells, so at
/// most 2350 at ten times the rate; if a floor, below 236, so at most 2359.
#[test]
fn figure_6_is_the_ceiling_but_for_two_entries() {
    let mut differ = Vec::new();
    for (row, kilometres) in [1, 10, 100, 1000].into_iter().enumerate() {
        for (column, bps) in [10_000_000, 100_000_000, 622_080_000].into_iter().enumerate() {
            let n3 = figure_6(kilometres, rate(bps)).n3.0;
            let printed = PRINTED[row][column].0;
            if n3 != printed {
                differ.push((kilometres, bps, n3, printed));
            }
        }
    }
    assert_eq!(differ, [(1000, 10_000_000, 236, 235), (1000, 622_080_000, 14680, 14679)]);
}

/// Claim [KMCL94] Figure 6: the kilobytes are 53 bytes x (10 + N3) in thousands, rounded up.
/// With the printed N3 this gives all 12, so 235 was computed, not mistyped: 236 gives 14 kB.
#[test]
fn the_kilobytes_of_figure_6_are_thousands_rounded_up() {
    for (n3, kilobytes) in PRINTED.into_iter().flatten() {
        assert_eq!((53 * u64::from(10 + n3)).div_ceil(1_000), kilobytes);
    }
    assert_eq!(figure_6(1000, rate(10_000_000)).kilobytes(), 14);
    assert_eq!(figure_6(100, rate(622_080_000)).kilobytes(), 79);
}

/// Claim [KMCL94] 6: on a 1 km link one megabyte of memory keeps 1,000 VCs of 100 Mb/s each.
/// 14 cells are 742 bytes: 1,347 of them fit.
#[test]
fn a_megabyte_keeps_a_thousand_vcs() {
    assert_eq!(figure_6(1, rate(100_000_000)).fits(Bytes(1_000_000)), 1_347);
}

/// Claim [KMCL94] 4: the memory needed decreases from N123 over N123+ to N23. 10 km at 622.08
/// Mb/s, target 100 Mb/s: N1 is 155 for the link, 25 for the VC.
#[test]
fn n123_needs_more_than_n123_plus_more_than_n23() {
    let link = Link {
        delay: delay_of_length(10_000).unwrap(),
        rate: rate(622_080_000),
        processing: Picos::from_micros(5).unwrap(),
        cell_times: CellTimes::Left,
    };
    let of = |scheme| size(scheme, &link, rate(100_000_000), Cells(10)).unwrap();
    let buffers = schemes().into_iter().map(|scheme| of(scheme).buffer.0).collect::<Vec<_>>();
    assert_eq!(buffers, [10 + 25, 25 + 10 + 25, 155 + 10 + 25]);
    assert_eq!(
        of(CreditScheme::N123).formula,
        "R = 2 x delay + processing = 2 x 50 us + 5 us = 105 us\n\
         N3 = ceil(R x B_VC / 424 bits) = ceil(105 us x 100 Mb/s / 424 bits) = 25\n\
         N1 = ceil(R x B_link / 424 bits) = ceil(105 us x 622.08 Mb/s / 424 bits) = 155\n\
         buffer = N1 + N2 + N3 = 155 + 10 + 25 = 190 cells = 10070 bytes"
    );
}

/// Claim: with cell times counted R is the simulated loop: at 424 Mb/s a cell takes 1 us, so
/// 76.5 us each way and two cells are 155 us, and N3 for the full rate is 155.
#[test]
fn cell_times_count_in_a_simulated_loop() {
    let link = Link {
        delay: Picos(76_500_000),
        rate: rate(424_000_000),
        processing: Picos::ZERO,
        cell_times: CellTimes::Counted,
    };
    let size = size(CreditScheme::N23, &link, link.rate, Cells(10)).unwrap();
    assert_eq!(
        (size.round_trip, size.n3, size.buffer),
        (Picos(155_000_000), Cells(155), Cells(165))
    );
    assert!(size.formula.starts_with("R = 2 x delay + processing + 2 x cell time = "));
}

/// Claim: what cannot be is an error that tells the values.
#[test]
fn what_cannot_be_is_refused() {
    let link = Link {
        delay: Picos(1_000),
        rate: rate(10_000_000),
        processing: Picos::ZERO,
        cell_times: CellTimes::Left,
    };
    let above = size(CreditScheme::N23, &link, rate(20_000_000), Cells(10)).unwrap_err();
    let text = "the VC's target of 20 Mb/s is above the link's rate of 10 Mb/s: lower the target";
    assert_eq!(above.to_string(), text);
    let none = size(CreditScheme::N23, &link, link.rate, Cells(0)).unwrap_err();
    assert_eq!(none, SizeError::NoN2);
    let far = Link { delay: Picos(u64::MAX / 2 + 1), ..link };
    let far = size(CreditScheme::N23, &far, link.rate, Cells(1)).unwrap_err();
    assert!(matches!(far, SizeError::RoundTripTooLong { .. }));
    let long = Link { delay: Picos(u64::MAX / 4), rate: rate(u64::MAX), ..link };
    let long = size(CreditScheme::N123, &long, rate(1), Cells(1)).unwrap_err();
    assert!(matches!(long, SizeError::TooManyCells { .. }));
    assert_eq!(delay_of_length(u64::MAX), None);
}
