//! The page's answers are those of the library, and so of the command.

use std::fs;
use std::path::Path;

use hopflow::{RunOptions, Scenario};
use serde_json::json;

use super::*;

fn ask(lab: &mut Lab, request: Value) -> Result<Value, Problem> {
    lab.answer(serde_json::from_value(request).expect("a request"))
}

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let text = |path: &Path| fs::read_to_string(path).expect("a text");
    files.iter().map(|path| (path.display().to_string(), text(path))).collect()
}

/// Claim: a run in steps gives the document of a whole run, key for key, for the first hundredth
/// of every example.
#[test]
fn a_run_in_steps_gives_the_document_of_a_run() {
    for (name, text) in examples() {
        let mut lab = Lab::default();
        let scenario = Scenario::from_toml(&text, &name).expect("an example is right");
        let until = scenario.network.duration.0 / 100;
        let source = json!({ "text": text, "name": name });
        ask(&mut lab, json!({ "ask": "run", "source": source, "charts": true, "until": until }))
            .expect("it begins");
        let mut now = 0;
        while now < until {
            let step = json!({ "ask": "step", "until": now + until / 7 + 1 });
            now = ask(&mut lab, step).expect("it goes on")["nowPs"].as_u64().expect("an instant");
        }
        let document = ask(&mut lab, json!({ "ask": "finish" })).expect("a result");
        let warm_up = scenario.warm_up.0 < until;
        let options = RunOptions {
            duration: Some(Picos(until)),
            warm_up: Some(if warm_up { scenario.warm_up } else { Picos::ZERO }),
            ..RunOptions::default()
        };
        let whole = hopflow::run(&scenario, &options).expect("it runs");
        let mut expected = serde_json::to_value(whole.document()).expect("a document");
        // With all series recorded there are also utilizations of windows.
        let mut document = document;
        for links in [&mut expected["links"], &mut document["links"]] {
            for link in links.as_array_mut().expect("a list") {
                link.as_object_mut().expect("a row").remove("utilization");
            }
        }
        for one in [&mut expected, &mut document] {
            one["manifest"]["scenario"].as_object_mut().map(|s| s.remove("record"));
        }
        assert_eq!(document, expected, "{name}");
    }
}

/// Claim: totals leave out the warm-up: of a constant rate for 1 ms, half is counted after 500 us,
/// as the library counts it.
#[test]
fn a_run_leaves_out_its_warm_up() {
    let (name, text) =
        examples().into_iter().find(|(name, _)| name.ends_with("one-vc.toml")).unwrap();
    let mut sent = Vec::new();
    for warm_up in ["0 s", "500 us"] {
        let text =
            text.replace("version = 2\n", &format!("version = 2\nwarm-up = \"{warm_up}\"\n"));
        let source = json!({ "text": text, "name": name });
        let mut lab = Lab::default();
        let until = Picos::from_micros(1_000).expect("it fits").0;
        ask(&mut lab, json!({ "ask": "run", "source": source, "charts": false, "until": until }))
            .expect("it begins");
        ask(&mut lab, json!({ "ask": "step", "until": until })).expect("it goes on");
        let document = ask(&mut lab, json!({ "ask": "finish" })).expect("a result");
        let scenario = Scenario::from_toml(&text, &name).expect("it is right");
        let duration = Some(Picos(until));
        let whole = hopflow::run(&scenario, &RunOptions { duration, ..RunOptions::default() });
        let expected =
            serde_json::to_value(whole.expect("it runs").document()).expect("a document");
        assert_eq!(document["vcs"], expected["vcs"], "{warm_up}");
        sent.push(document["vcs"][0]["received_packets"].as_u64().expect("a count"));
    }
    assert!(sent[1] > 0 && sent[1] < sent[0] * 6 / 10, "{sent:?}");
}

/// Claim: a broken text gives an error with its place, counted as in JavaScript.
#[test]
fn a_mistake_has_its_place() {
    let text = "# \u{1f600}\nversion = 2\nduration = \"1 ms\"\nfoo = 1\n";
    let problem = ask(&mut Lab::default(), json!({ "ask": "check", "source": { "text": text } }))
        .expect_err("a mistake");
    let found = problem.diagnostics.iter().find(|d| d["message"].to_string().contains("foo"));
    let label = &found.expect("the key is found")["labels"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let from = label["from"].as_u64().expect("a place") as usize;
    assert_eq!(String::from_utf16_lossy(&units[from..from + 3]), "foo");
    assert_eq!(label["line"], 4);
}

/// Claim: a setting is put into the text, and comments stay.
#[test]
fn a_setting_is_in_the_text() {
    let (name, text) =
        examples().into_iter().find(|(n, _)| n.contains("figure-14")).expect("it is there");
    let source = json!({ "text": text, "name": name, "settings": ["seed=7"] });
    let keys = json!(["seed", "flow.VC2.control.n3", "flow.VC2.weight", "flow.nobody.weight"]);
    let request = json!({ "ask": "check", "source": source, "keys": keys });
    let answer = ask(&mut Lab::default(), request).expect("right");
    // As written; a key that has its default or does not exist has no value.
    assert_eq!(answer["values"], json!(["7", "113", null, null]));
    let changed = answer["text"].as_str().expect("a text");
    assert!(changed.contains("seed = 7") && changed.contains('#'));
}

/// Claim: a question that lacks what it needs gives a sentence, not a panic.
#[test]
fn nothing_at_hand_is_said() {
    let mut lab = Lab::default();
    for request in [
        json!({ "ask": "step", "until": 5 }),
        json!({ "ask": "finish" }),
        json!({ "ask": "marks" }),
        json!({ "ask": "film", "from": 0, "until": 5 }),
        json!({ "ask": "charts", "from": 0, "until": 5, "buckets": 3 }),
    ] {
        let problem = ask(&mut lab, request).expect_err("there is nothing");
        assert!(problem.message.starts_with("there is no "), "{}", problem.message);
    }
}

/// Claim: a comparison is the document of the library's, with a curve for each switch and VC.
#[test]
fn a_comparison_is_the_library_s() {
    let (name, text) =
        examples().into_iter().find(|(n, _)| n.contains("figure-14")).expect("it is there");
    let source = json!({ "text": text, "name": name, "settings": ["duration=\"2000 cells\""] });
    let controls = json!(["as-is", "drop-tail"]);
    let request = json!({ "ask": "compare", "source": source, "controls": controls });
    let answer = ask(&mut Lab::default(), request).expect("it runs");
    let names: Vec<&str> = answer["document"]["controls"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["control"].as_str())
        .collect();
    assert_eq!(names, ["as-is", "drop-tail"]);
    let curves = answer["curves"].as_array().expect("a list");
    assert_eq!(curves.len(), 2);
    assert_eq!(curves[0]["rates"].as_array().map(Vec::len), Some(3));
    assert_eq!(curves[0]["queues"][0]["values"].as_array().map(Vec::len), Some(200));
}

/// Claim: an answer is graded as the library grades it, whatever control is chosen and whatever the
/// page has loaded; a scenario without an exercise is reported as such.
#[test]
fn an_answer_is_graded_as_by_the_library() {
    let named = |name: &str| {
        examples().into_iter().find(|(path, _)| path.ends_with(name)).expect("it is there")
    };
    let (name, text) = named("exercise.toml");
    let set = ["defaults.flow.control.n3=20"];
    let check = json!({ "ask": "check", "source": { "text": text, "name": name } });
    let task = ask(&mut Lab::default(), check).expect("right")["exercise"]["task"].clone();
    assert!(task.as_str().is_some_and(|task| task.contains("one N3")), "{task}");
    for (settings, right) in [(&set[..0], false), (&set[..], true)] {
        let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
        let source = json!({
            "text": text, "name": name, "settings": settings, "control": "drop-tail",
        });
        let grade = ask(&mut Lab::default(), json!({ "ask": "grade", "source": source }));
        let grade = grade.expect("it is graded");
        let file = ScenarioFile::new(text.as_str(), name.as_str());
        let scenario = file.with_settings(&settings).and_then(|file| file.read()).expect("right");
        let result = hopflow::run(&scenario, &RunOptions::default()).expect("it runs");
        let own = hopflow::grade(scenario.expect.as_ref().expect("an exercise"), &result);
        assert_eq!((own.right, grade), (right, json!(own)));
    }
    let (name, text) = named("figure-14.toml");
    let source = json!({ "text": text, "name": name });
    let check = json!({ "ask": "check", "source": source });
    assert_eq!(ask(&mut Lab::default(), check).expect("right")["exercise"], Value::Null);
    let grade = ask(&mut Lab::default(), json!({ "ask": "grade", "source": source }));
    let problem = grade.expect_err("nothing is expected");
    assert!(problem.diagnostics[0]["code"] == "HF0017", "{problem:?}");
}

/// Claim: the deadlock of `pfc-deadlock` is a cycle of its three links, each once, in the order of
/// the ring, from the instant in the document; a comparison marks only the control that has it.
/// Stacks are as high as the switches specify: at 20 cells an input is paused.
#[test]
fn a_deadlock_is_a_circle_of_links() {
    let (name, text) =
        examples().into_iter().find(|(n, _)| n.contains("pfc-deadlock")).expect("it is there");
    let source = json!({ "text": text, "name": name });
    let mut lab = Lab::default();
    let run = json!({ "ask": "run", "source": source, "charts": true });
    let end = ask(&mut lab, run).expect("it begins")["endPs"].clone();
    ask(&mut lab, json!({ "ask": "step", "until": end })).expect("it goes on");
    let document = ask(&mut lab, json!({ "ask": "finish" })).expect("a result");
    let marks = ask(&mut lab, json!({ "ask": "marks" })).expect("marks");
    let deadlock = &marks["deadlock"];
    let names = |deadlock: &Value| -> Vec<String> {
        let waits = deadlock["waits"].as_array().expect("a list").iter();
        waits.map(|wait| wait["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(deadlock), ["S1->S2", "S2->S3", "S3->S1"]);
    let since = Picos(deadlock["sincePs"].as_u64().expect("an instant"));
    let sentence = document["violations"][0]["text"].as_str().expect("a sentence");
    assert!(sentence.starts_with(&format!("deadlock since {since}: ")), "{sentence}");
    let peaks = marks["peaks"].as_array().expect("a list");
    assert_eq!(peaks.len(), 6);
    assert!(peaks.iter().any(|peak| peak.as_u64() >= Some(20)), "{peaks:?}");

    let request = json!({ "ask": "compare", "source": source, "controls": ["as-is", "n23"] });
    let answer = ask(&mut lab, request).expect("it runs");
    assert_eq!(answer["curves"][0]["marks"], marks);
    assert!(answer["curves"][1]["marks"]["deadlock"].is_null());
}

/// Claim: the picture marks a host that receives more slowly than its link, and names the packet
/// unit.
#[test]
fn the_picture_tells_slow_hosts_and_the_unit() {
    let check = |part: &str| {
        let (name, text) =
            examples().into_iter().find(|(n, _)| n.contains(part)).expect("it is there");
        let source = json!({ "text": text, "name": name });
        ask(&mut Lab::default(), json!({ "ask": "check", "source": source })).expect("right")
    };
    let picture = check("slow-receiver")["picture"].clone();
    let slow: Vec<&Value> = picture["nodes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|node| !node["slow"].is_null())
        .collect();
    assert_eq!(slow.len(), 1);
    let (takes, link) = (2_500_000_000_u64, 10_000_000_000_u64);
    assert_eq!(slow[0]["slow"], json!({ "takesBps": takes, "linkBps": link }));
    let drains = picture["links"].as_array().expect("a list").iter();
    let drains = drains.flat_map(|link| link["directions"].as_array().expect("two"));
    let drains: Vec<&str> = drains
        .filter(|direction| direction["drain"] == true)
        .filter_map(|direction| direction["name"].as_str())
        .collect();
    assert_eq!(drains, ["B->B application"]);
    assert_eq!(check("slow-receiver")["unit"], "cells");
    assert_eq!(check("mixed-sizes")["unit"], "packets");
}

/// Claim: the calculator of the page gives what `hopflow size --preset` does: 8GFC over 50 km needs
/// 199 credits, Brocade has 206; 199 are enough and 198 are not. Every preset has an answer for
/// every speed, with a scenario that is right; a wrong name is an error.
#[test]
fn links_are_sized_by_name() {
    let mut lab = Lab::default();
    let mut calculate = |named: Value| ask(&mut lab, json!({ "ask": "calculate", "named": named }));
    let found = calculate(json!({
        "preset": "fibre-channel", "speed": "8GFC", "metres": 50_000, "medium": "fibre",
        "verify": true,
    }));
    let found = found.expect("an answer");
    assert_eq!((&found["amount"], &found["unit"]), (&json!(199), &json!("credits")));
    assert_eq!(
        (&found["public"][0]["value"], &found["public"][0]["ours"]),
        (&json!(206), &json!(199))
    );
    let runs = &found["verified"]["runs"];
    assert_eq!((&runs[0]["isEnough"], &runs[1]["isEnough"]), (&json!(true), &json!(false)));
    let wrong = calculate(json!({
        "preset": "pfc", "speed": "7G", "metres": 100, "medium": "fibre",
    }));
    assert!(wrong.unwrap_err().message.contains("10G, 25G"));
    let all = ask(&mut Lab::default(), json!({ "ask": "presets" })).expect("all presets");
    for preset in all["presets"].as_array().expect("a list") {
        for speed in preset["speeds"].as_array().expect("a list") {
            let found = calculate(json!({
                "preset": preset["name"], "speed": speed["name"], "metres": 2_000,
                "medium": "twinax", "packetBytes": 1_500,
            }));
            let found = found.expect("an answer");
            let text = found["scenario"].as_str().expect("a text");
            Scenario::from_toml(text, "preset.toml").expect("it is right");
            assert!(found["formula"].as_str().expect("a text").contains(" = "));
        }
    }
}

/// Claim: the sizes of a scenario have its lanes, too: `lanes.toml` needs 2,496 blocks towards the
/// switch and 2,432 towards the host, as `hopflow size` prints.
#[test]
fn sizes_have_the_credits_of_lanes() {
    let (name, text) = examples().into_iter().find(|(n, _)| n.ends_with("/lanes.toml")).unwrap();
    let source = json!({ "text": text, "name": name });
    let checked = ask(&mut Lab::default(), json!({ "ask": "check", "source": source })).unwrap();
    let rows = checked["sizes"].as_array().expect("a list").iter();
    let rows = rows.filter(|row| row["law"] == "lane").map(|row| row["needed"].clone());
    assert_eq!(rows.collect::<Vec<Value>>(), [json!(2_496), json!(2_432)]);
}
