//! Settings from outside the file: what is set is as if the file had it, in place, typed and
//! checked; what is wrong has its place in the setting.

use std::path::PathBuf;

use hopflow_scenario::{Code, Diagnostics, Scenario, ScenarioFile};

/// Tables written in every way that TOML has.
const FILE: &str = r#"#:schema ../docs/scenario.schema.json
# A scenario with comments.

version = 2 # the only one
duration = "1 ms"

[defaults.link]
rate = "424 Mb/s" # of all links
delay = "3 us"

[[host]]
name = "A{}"
count = 3
[[switch]]
name = "S"
scheduler = "fifo"
[[host]]
name = "B.1"

[[link]]
between = ["A{}", "S"]
count = 3
[[link]] # to the receiver
between = ["S", "B.1"]

[[flow]]
name = "f{}"
count = 2
from = "A{}"
to = "B.1"
control = { kind = "n23", n2 = 10, n3 = 8 }
[[flow]]
name = "a.b"
from = "A3"
to = "B.1"
packet.least = "53 B"
packet.most = "53 B"
[flow.source]
kind = "poisson"
rate = "1 Mb/s"
[[flow.hop]]
link = ["S", "B.1"]

[[variant]]
name = "slow"
flow = { source = { kind = "poisson", rate = "2 Mb/s" } }"#;

fn file() -> ScenarioFile {
    // No hop may differ without control.
    ScenarioFile::new(FILE.replace("[[flow.hop]]\nlink = [\"S\", \"B.1\"]\n", ""), "set.toml")
}

fn set(settings: &[&str]) -> Result<ScenarioFile, Diagnostics> {
    file().with_settings(&settings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
}

/// The scenario with these settings, and the lines of its text that are not those of the file.
fn lines(settings: &[&str]) -> Vec<String> {
    let changed = set(settings).unwrap_or_else(|wrong| panic!("{settings:?}\n{wrong}"));
    if let Err(wrong) = changed.read() {
        panic!("{settings:?}\n{wrong}");
    }
    let text = file().text().to_owned();
    let old: Vec<&str> = text.lines().collect();
    let new = changed.text().lines().filter(|line| !old.contains(line));
    new.map(str::to_owned).collect()
}

/// Claim: a setting replaces the value in its place, with the comment behind it, or adds the key to
/// its table, whichever way the file writes that.
#[test]
fn a_setting_is_put_in_its_place() {
    for (setting, line) in [
        ("duration=2 ms", "duration = \"2 ms\""),
        ("duration=\"2 ms\"", "duration = \"2 ms\""),
        ("seed=7", "seed = 7"),
        ("defaults.link.rate=10 Gb/s", "rate = \"10 Gb/s\" # of all links"),
        ("flow.f{}.control.n3=80", "control = { kind = \"n23\", n2 = 10, n3 = 80 }"),
        (
            "flow.f{}.control.e=arrival",
            "control = { e = \"arrival\", kind = \"n23\", n2 = 10, n3 = 8 }",
        ),
        ("flow.f{}.control={ kind = \"none\" }", "control = { kind = \"none\" }"),
        ("flow.a.b.source.rate=3 Mb/s", "rate = \"3 Mb/s\""),
        ("flow.\"a.b\".source.rate = 3 Mb/s", "rate = \"3 Mb/s\""),
        ("flow.a.b.packet.most= 60 B ", "packet.most = \"60 B\""),
        ("flow.a.b.priority=1", "priority = 1"),
        ("flow.a.b.control.kind=n23", "control.kind = \"n23\""),
        ("switch.S.buffer=100 cells", "buffer = \"100 cells\""),
        ("link.S->B.1.delay=5 us", "delay = \"5 us\""),
        ("link.B.1<->S.rate=1 Gb/s", "rate = \"1 Gb/s\""),
        ("link.2.rate=[\"1 Gb/s\", \"2 Gb/s\"]", "rate = [\"1 Gb/s\", \"2 Gb/s\"]"),
        ("host.A{}.count=4", "count = 4"),
        (
            "variant.slow.flow.source.rate=3 Mb/s",
            "flow = { source = { kind = \"poisson\", rate = \"3 Mb/s\" } }",
        ),
    ] {
        assert_eq!(lines(&[setting]), [line], "{setting}");
    }
    let new = lines(&["defaults.switch.buffer=900 cells"]);
    assert_eq!(new, ["[defaults.switch]", "buffer = \"900 cells\""]);
}

/// Claim: settings are put in one after the other, and the last one holds; they come before
/// variants, and the text that comes out gives the same scenario again.
#[test]
fn settings_add_up() {
    let settings = [
        "record.delays=true",
        "record.window=1 us",
        "defaults.flow.start=1 us",
        "flow.f{}.control.n3=9",
        "flow.f{}.control.n3=10",
        "variant.slow.flow.priority=2",
    ];
    let changed = set(&settings).unwrap();
    let one = changed.under("slow").unwrap();
    let again = ScenarioFile::new(changed.text(), "again.toml");
    assert_eq!(again.under("slow").unwrap().network, one.network);
    assert_eq!(again.read().unwrap().network, changed.read().unwrap().network);
    assert!(one.network.vcs.iter().all(|vc| vc.priority == 2 && vc.start.0 == 1_000_000));
    assert!(changed.text().contains("n3 = 10 }") && !changed.text().contains("n3 = 9"));
    assert!(changed.text().starts_with("#:schema"));
    // The network is that of the file with the value written there.
    let by_hand = file().text().replace("n3 = 8", "n3 = 80");
    let by_hand = Scenario::from_toml(&by_hand, "by-hand.toml").unwrap();
    assert_eq!(set(&["flow.f{}.control.n3=80"]).unwrap().read().unwrap().network, by_hand.network);
}

/// The first error, where it is in the setting, and its hint.
fn mistake(wrong: &Diagnostics) -> (Code, String, String) {
    let item = &wrong.items[0];
    let source = item.setting.as_ref().unwrap_or(&wrong.source);
    let place = source[item.labels[0].span.clone()].to_owned();
    let hint = item.hint.clone().unwrap_or_default();
    (item.code, place, format!("{}: {hint}", item.message))
}

/// Claim: a key that leads nowhere is an error at the part that is wrong, with what is near.
#[test]
fn a_wrong_key_is_an_error_in_the_setting() {
    for (setting, code, place, says) in [
        ("duration", Code::SYNTAX, "duration", "KEY=VALUE"),
        ("flow..n3=5", Code::SYNTAX, "flow..n3", "is empty"),
        ("durration=5 ms", Code::UNKNOWN_KEY, "durration", "did you mean `duration`?"),
        ("flow.f{}.control.n33=5", Code::UNKNOWN_KEY, "n33", "did you mean `n3`?"),
        ("flow.g{}.control.n3=5", Code::UNKNOWN_NAME, "g{}", "did you mean `f{}`?"),
        ("flow.f2.control.n3=5", Code::TEMPLATE, "f2", "one of the 2 copies of `f{}`"),
        ("flow=5", Code::MISSING_KEY, "flow", "`flow.f{}.KEY=VALUE`"),
        ("flow.f{}=5", Code::MISSING_KEY, "flow", "`flow.f{}.KEY=VALUE`"),
        ("event.1.at=0 s", Code::UNKNOWN_NAME, "1", "the file has no `[[event]]`"),
        ("link.A->S.rate=1 Gb/s", Code::UNKNOWN_NAME, "A->S", "what `[[topology]]` makes"),
        ("link.A2->S.rate=1 Gb/s", Code::TEMPLATE, "A2->S", "one of the 3 copies of `A{}->S`"),
        ("duration.x=5", Code::UNKNOWN_KEY, "x", "has no keys"),
        ("switch.S.scheduler.kind=wfq", Code::WRONG_TYPE, "scheduler", "switch.S.scheduler={ kind"),
        ("flow.a.b.source=5", Code::CONFLICT, "source", "flow.a.b.source.KEY=VALUE"),
        ("defaults.flow.name=x", Code::UNKNOWN_KEY, "name", "it is a key of"),
    ] {
        let wrong = set(&[setting]).expect_err(setting);
        let found = mistake(&wrong);
        assert_eq!((found.0, found.1.as_str(), wrong.items.len()), (code, place, 1), "{wrong}");
        assert!(found.2.contains(says), "{setting} gave\n{wrong}");
        assert_eq!((wrong.source_name.as_str(), wrong.source.as_str()), ("--set", setting));
    }
}

/// Claim: a wrong value is the error that the file would give, with its place in the setting; what
/// is wrong elsewhere keeps its place in the file as the user has it.
#[test]
fn a_wrong_value_is_an_error_in_the_setting() {
    for (setting, code, place) in [
        ("flow.f{}.control.n3=x", Code::UNKNOWN_CHOICE, "x"),
        ("flow.f{}.control.n3=7.5", Code::WRONG_TYPE, "7.5"),
        ("defaults.link.rate=400Gbps", Code::WRONG_UNIT, "400Gbps"),
        ("switch.S.scheduler=tas", Code::UNKNOWN_CHOICE, "tas"),
        ("title=5", Code::WRONG_TYPE, "5"),
        ("flow.a.b.to=C", Code::UNKNOWN_NAME, "C"),
    ] {
        let changed = set(&["seed=3", setting, "notes=x"]).unwrap();
        let wrong = changed.read().expect_err(setting);
        let found = mistake(&wrong);
        assert_eq!((found.0, found.1.as_str()), (code, place), "{wrong}");
        assert_eq!(wrong.items[0].setting.as_deref(), Some(setting));
        assert!(wrong.to_string().contains(&format!("\n  --> --set {setting}")), "{wrong}");
    }
    // A line is put in above; the place is that of the file without it.
    let broken = ScenarioFile::new(FILE.replace("3 us", "3 uss"), "set.toml");
    let broken = broken.with_settings(&["seed=3".to_owned()]).unwrap();
    let wrong = broken.read().unwrap_err();
    let (line, column) = wrong.line_column(wrong.items[0].labels[0].span.start);
    assert_eq!((wrong.items[0].setting.as_deref(), line, column), (None, 9, 9), "{wrong}");
    let under = broken.under("n23").unwrap_err().to_string();
    assert!(under.contains("set.toml under `n23`:9:9"), "{under}");
}

/// Claim: warnings have their places, too, those under a control that is built in as well.
#[test]
fn a_warning_keeps_its_place() {
    let changed = set(&["seed=3", "flow.a.b.priority=1", "defaults.flow.weight=2"]).unwrap();
    for control in ["as-is", "none"] {
        let warnings = changed.under(control).unwrap().warnings;
        let found = warnings.iter().find(|item| item.code == Code::PRIORITY_IGNORED).unwrap();
        assert_eq!(found.setting.as_deref(), Some("flow.a.b.priority=1"));
        assert_eq!(&found.setting.as_ref().unwrap()[found.labels[0].span.clone()], "1");
        assert!(changed.text_under(control).starts_with(file().text()));
    }
}

/// Claim: a file that is not TOML says so itself, whatever is set.
#[test]
fn a_broken_file_says_so_itself() {
    let broken = ScenarioFile::new("version = = 1\n", "broken.toml");
    let wrong = broken.with_settings(&["seed=3".to_owned()]).unwrap().read().unwrap_err();
    assert_eq!((wrong.items[0].code, wrong.source_name.as_str()), (Code::SYNTAX, "broken.toml"));
}

/// Claim: keys can be set in every scenario of the repository, those that are there and new ones.
#[test]
fn every_duration_can_be_set() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["examples", "papers/kung94", "papers/zhang90"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let others = ["claims.toml", "primary.toml"];
            let is_scenario = path.extension().is_some_and(|ext| ext == "toml")
                && !others.iter().any(|name| path.ends_with(name));
            if !is_scenario {
                continue;
            }
            let file = ScenarioFile::load(&path).unwrap();
            let values: toml::Table = file.text().parse().unwrap();
            let before = file.read().unwrap().network;
            let setting = format!("duration={}", values["duration"].as_str().unwrap());
            let more = "defaults.host.buffer=4000000000 packets".to_owned();
            let after = file.with_settings(&[setting, more]).unwrap().read();
            let after = after.unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(after.network.duration, before.duration, "{}", path.display());
        }
    }
}

/// Claim: the standard input is a scenario without a folder, with a name of its own in messages.
#[test]
fn the_standard_input_is_a_scenario() {
    let file = ScenarioFile::from_stdin(FILE.as_bytes()).unwrap();
    assert_eq!((file.name(), file.stem().as_str(), file.text()), ("<stdin>", "stdin", FILE));
    let wrong = ScenarioFile::from_stdin("version = 2\n".as_bytes()).unwrap().read().unwrap_err();
    assert!(wrong.to_string().contains("--> <stdin>:1:1"), "{wrong}");
    let wrong = ScenarioFile::from_stdin(&[0xFF, 0xFE][..]).unwrap_err();
    assert!(wrong.to_string().contains("`<stdin>` cannot be read: it is not UTF-8"), "{wrong}");
}

/// Claim: a setting finds what a file has by the former name of a key, and replaces it there.
#[test]
fn a_former_key_is_set_where_it_stands() {
    let text = "version = 1\nduration = \"1 ms\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n\
                [[link]]\nbetween = [\"A\", \"B\"]\nrate = \"1 Gb/s\"\n[[flow]]\nname = \"f\"\n\
                from = \"A\"\nto = \"B\"\ncontrol = { kind = \"window\", cells = 20 }\n";
    for key in ["cells", "packets"] {
        let file = ScenarioFile::new(text, "old.toml");
        let set = file.with_settings(&[format!("flow.f.control.{key}=5")]).expect("it can be set");
        let scenario = set.read().expect("it is valid");
        assert_eq!(scenario.network.vcs[0].window.expect("a window").cells.0, 5, "{key}");
    }
}

/// Claim: an event with a name is set by it, whatever its place among events, and by its number;
/// an unknown name is one error with the nearest, and two events of one name are one error. The
/// name changes nothing of the network.
#[test]
fn an_event_is_set_by_its_name() {
    let event = |name: &str, of: &str| {
        format!("\n[[event]]\n{name}at = \"5 us\"\nfrom = \"S\"\nto = \"B.1\"\n{of}\n")
    };
    let text = |names: [&str; 2]| {
        let of = [event(names[0], "blocked = true"), event(names[1], "corrupt-data = 0.5")];
        file().text().to_owned() + &of.concat()
    };
    let named = text(["", "name = \"loss.on-trunk\"\n"]);
    let set = |text: &str, setting: &str| {
        let file = ScenarioFile::new(text, "set.toml");
        file.with_settings(&[setting.to_owned()])
    };
    for key in ["event.loss.on-trunk", "event.\"loss.on-trunk\"", "event.2"] {
        let changed = set(&named, &format!("{key}.corrupt-data=0.25")).expect(key);
        assert!(changed.text().ends_with("corrupt-data = 0.25\n"), "{}", changed.text());
        assert!(changed.read().is_ok());
    }
    let wrong = set(&named, "event.loss.on-truck.corrupt-data=0.25").unwrap_err();
    let found = mistake(&wrong);
    assert_eq!((found.0, found.1.as_str()), (Code::UNKNOWN_NAME, "loss"), "{wrong}");
    assert!(found.2.contains("there are: loss.on-trunk"), "{wrong}");
    let bare = text(["", ""]);
    assert!(mistake(&set(&bare, "event=5").unwrap_err()).2.contains("`event.1.KEY=VALUE`"));
    let network = |text: &str| {
        Scenario::from_toml(text, "set.toml").unwrap_or_else(|wrong| panic!("{wrong}")).network
    };
    assert_eq!(network(&named), network(&bare));
    let twice = text(["name = \"loss\"\n"; 2]);
    let wrong = Scenario::from_toml(&twice, "set.toml").unwrap_err();
    let [only] = &wrong.items[..] else { panic!("{wrong}") };
    assert_eq!(
        (only.code, only.message.as_str()),
        (Code::DUPLICATE, "two events are named `loss`")
    );
    assert_eq!(only.labels.len(), 2, "the second, and where the first is");
}
