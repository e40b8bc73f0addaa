//! Tests of series: their selection, their recording, and their stored values.

use super::*;
use crate::plan::tests::recording;
use hopflow::{RunOptions, run};

fn scenario() -> Scenario {
    Scenario::from_toml(&recording(), "a.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn chosen(patterns: &[&str]) -> Result<Vec<Chosen>, String> {
    let patterns: Vec<String> = patterns.iter().map(|one| (*one).to_owned()).collect();
    select(&scenario(), &patterns)
}

/// Claim: patterns select names of recorded series, each once and in order, with their units. The
/// error of a pattern without a match lists similar names, or says that no series is recorded.
#[test]
fn patterns_select_what_is_recorded() {
    let found = chosen(&["queue of * at S", "delay of VC1 to B", "*"]).unwrap();
    let names: Vec<&str> = found.iter().map(|one| &*one.name).collect();
    assert_eq!(names[..2], ["queue of VC1 at S", "delay of VC1 to B"]);
    let run = run(&scenario(), &RunOptions::default()).unwrap();
    assert_eq!(names.len(), run.series.len());
    assert!(run.series.iter().all(|series| names.contains(&&*series.name)));
    assert_eq!([&*found[0].unit, &*found[1].unit], ["packets", "ps"]);
    let wrong = chosen(&["queue of VC1 at SS"]).unwrap_err();
    assert!(wrong.contains("did you mean `queue of VC1 at S`"), "{wrong}");
    assert!(wrong.contains("[record]"), "{wrong}");
    let bare = Scenario::from_toml(crate::plan::tests::SCENARIO, "a.toml").unwrap();
    let wrong = select(&bare, &["*".to_owned()]).unwrap_err();
    assert!(wrong.contains("records none") && wrong.contains("[record]"), "{wrong}");
}

/// Claim: only the selected series are recorded, their values are those of a run that records all,
/// and the digest is that of a run that records nothing.
#[test]
fn only_what_is_chosen_is_recorded() {
    let all = run(&scenario(), &RunOptions::default()).unwrap();
    assert!(all.series.len() >= 8, "{}", all.series.len());
    for series in &all.series {
        let one = chosen(&[&series.name]).unwrap();
        let record = needed(&scenario(), &one);
        let asked = [record.throughput.len(), record.credits.len()];
        let asked = [&asked[..], &[record.queues.len(), record.rates.len(), record.delays.len()]];
        assert_eq!(asked.concat().iter().sum::<usize>(), 1, "{}", series.name);
        let found = run(&Scenario { record, ..scenario() }, &RunOptions::default()).unwrap();
        assert_eq!(found.series.iter().find(|one| one.name == series.name), Some(series));
        assert_eq!(found.digest, all.digest);
        let kept = spans(&one, &found.series).unwrap();
        let pieces: Vec<Span> = series
            .pieces(series.whole())
            .map(|at| Span { from_ps: at.from.0, to_ps: at.to.0, value: at.value })
            .collect();
        assert_eq!(kept[0][..], pieces);
        assert_eq!(unpacked(&packed(&kept)), Some(kept));
    }
    assert_eq!(needed(&scenario(), &[]), RecordSpec::default());
}

/// Claim: too many values are an error with both numbers, none is dropped silently; a series that a
/// run does not have is empty.
#[test]
fn there_is_a_most_of_values() {
    let mut all = run(&scenario(), &RunOptions::default()).unwrap().series;
    let one = chosen(&["delay of VC1 to B"]).unwrap();
    let delay = all.iter_mut().find(|series| series.name == one[0].name).unwrap();
    let point = delay.points[0];
    delay.points = vec![point; MOST_VALUES];
    assert_eq!(count(&spans(&one, &all).unwrap()), MOST_VALUES as u64);
    let delay = all.iter_mut().find(|series| series.name == one[0].name).unwrap();
    delay.points.push(point);
    let wrong = spans(&one, &all).unwrap_err();
    assert!(wrong.contains("100001") && wrong.contains("100000"), "{wrong}");
    assert_eq!(count(&spans(&one, &[]).unwrap()), 0);
    assert_eq!(spans(&one, &[]).unwrap().len(), 1);
}
