//! Claims about `hopflow size` and the warnings that go with it, as a user meets them.

use serde_json::Value;

use super::{ends, example};

/// Claim: "how many credits does a 400 Gb/s link of 300 m need?" has its answer on one line: 2432
/// blocks of 64 B for packets of 4096 B, with the law; 2355 for packets of 64 B, 9666 of 16 B for
/// 280 B. These three were bisected by runs.
#[test]
fn lane_credits_are_sized_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let base = ["size", "--lanes", "--rate", "400 Gb/s", "--delay", "300 m"];
    let table = ends(here, 0, &base).0;
    assert!(table.contains("K x b = 38 x 64 = 2432 blocks = 155648 bytes"), "{table}");
    let credits = |more: &[&str]| -> Value {
        let json = ends(here, 0, &[&base[..], more, &["--format", "json"]].concat()).0;
        serde_json::from_str::<Value>(&json).unwrap()["lanes"][0]["credits_blocks"].clone()
    };
    assert_eq!(credits(&["--packet", "64 B"]), 2_355);
    assert_eq!(credits(&["--packet", "280 B", "--block", "16 B", "--update", "18"]), 9_666);
    assert_eq!(credits(&["--packet-back", "4096 B", "--hold", "81.92 ns"]), 40 * 64);
    assert_eq!(credits(&["--target", "200 Gb/s"]), 19 * 64);
    let csv = ends(here, 0, &[&base[..], &["--memory", "1 MB", "--format", "csv"]].concat()).0;
    assert!(csv.ends_with("\n,,,4096,64,10,2432,155648,,6,3082980\n"), "{csv}");
    for (more, says) in [
        (["--block", "0 B"], "none of them may be 0"),
        (["--target", "401 Gb/s"], "above the link's rate"),
        (["--n2", "9"], "cannot be used with"),
    ] {
        let err = ends(here, 2, &[&base[..], &more].concat()).1;
        assert!(err.contains(says), "{err}");
    }
}

/// Claim: a device of InfiniBand promises 2,048 blocks of 64 B at most, and `size` says so where
/// more are needed, with what the lane then carries: 32 packets of 4,096 B in 10.08298 us are 103.9
/// Gb/s, printed as 103. Blocks of 128 B are of no such device, and 100 m need less. The overhead
/// of a link counts: 64 B and 20 B at 800 Gb/s take .84 ns of a loop of 5.00157 us, so 5,955 go in
/// it.
#[test]
fn lane_credits_know_devices_and_overhead() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lane = |rate: &str, delay: &str, more: &[&str]| {
        let link = ["size", "--lanes", "--rate", rate, "--delay", delay];
        ends(here, 0, &[&link[..], more].concat()).0
    };
    let far = lane("400 Gb/s", "1 km", &[]);
    let said = "an InfiniBand device promises: its totals have 12 bits, for 2048 blocks";
    assert!(far.contains("7936 blocks are") && far.contains(said), "{far}");
    assert!(far.contains("With these the lane carries 103 Gb/s."), "{far}");
    assert!(!lane("400 Gb/s", "1 km", &["--block", "128 B"]).contains("12 bits"));
    assert!(!lane("400 Gb/s", "100 m", &[]).contains("12 bits"));
    let small = ["--packet", "64 B", "--block", "256 B", "--update", "1", "--overhead", "20 B"];
    assert!(lane("800 Gb/s", "500 m", &small).contains("= 5955 blocks"));
}

/// Claim: without arguments the command says what to give, with a line that can be typed; the
/// columns that a single link cannot fill are left out, and a size of a few kB is not rounded.
#[test]
fn one_link_says_what_it_means() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let err = ends(here, 2, &["size"]).1;
    assert!(err.contains("give a scenario FILE, or --rate and --delay"), "{err}");
    assert!(err.contains("\n  hopflow size --rate \"400 Gb/s\" --delay \"300 m\""), "{err}");
    let link = ["size", "--rate", "400 Gb/s", "--delay", "300 m"];
    let table = ends(here, 0, &link).0;
    assert!(table.contains("The credits of a VC are all cells of its buffer: 2841 for N23."));
    assert!(table.contains("`size FILE` counts them"), "{table}");
    let head = table.lines().next().unwrap();
    assert!(!["VC", "link", "given"].iter().any(|column| head.contains(column)), "{head}");
    let short = ends(here, 0, &["size", "--rate", "10 Gb/s", "--delay", "212 m"]).0;
    assert!(short.contains("= 60 cells = 3180 bytes\n"), "{short}");
    assert!(!short.contains(" kB"), "{short}");
}

/// Claim: with `--packet` a flow's credit is counted in units of 256 B, and is that of a file. By
/// hand as below: 624 units, N3 = 614; with 20 B of overhead R = 3.0833 us + the hold of 82.32 ns
/// are 38.5 packets of 82.32 ns, also 39; in units of 64 B 39 x 64. With N2 = 32, two packets, one
/// packet more. Options that say nothing there are refused.
#[test]
fn credit_of_packets_is_sized_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let base = ["size", "--rate", "400 Gb/s", "--delay", "300 m", "--packet", "4096 B"];
    let table = ends(here, 0, &base).0;
    assert!(table.contains("buffer = 624 units of 256 B = 159744 bytes"), "{table}");
    assert!(table.contains("The credits of a flow are all units of its buffer: 624 for N23."));
    let first = |more: &[&str]| -> (u64, u64, u64) {
        let json = ends(here, 0, &[&base[..], more, &["--format", "json"]].concat()).0;
        let row = serde_json::from_str::<Value>(&json).unwrap()["sizes"][0].clone();
        let number = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{row}"));
        (number("unit_bytes"), number("n3_cells"), number("buffer_cells"))
    };
    assert_eq!(first(&[]), (256, 614, 624));
    assert_eq!(first(&["--overhead", "20 B"]), (256, 614, 624));
    assert_eq!(first(&["--unit", "64 B"]), (64, 39 * 64 - 10, 39 * 64));
    assert_eq!(first(&["--n2", "32"]), (256, 40 * 16 - 32, 40 * 16));
    for (args, says) in [
        (&["--unit", "64 B"][..], "--packet"),
        (&["--overhead", "20 B"], "--overhead is of packets: add --packet SIZE, or --lanes"),
        (&["--packet", "0 B"], "--packet is 0 B, but it is from 1 B to 1 MiB"),
    ] {
        let err = ends(here, 2, &[&base[..5], args].concat()).1;
        assert!(err.contains(says), "{err}");
    }
}

/// Claim: `size FILE` answers for the control that a flow has: a lane's credits for packets of 4096
/// B, no N23; a window for a window; N23 in units of 256 B for packets without control. By hand,
/// 16 units a packet: R = 3.08298 us of the loop + 81.92 ns of hold are 38.6 packets of 81.92 ns,
/// 39 x 16 = 624 units. Equal senders are one row.
#[test]
fn a_scenario_is_sized_for_the_control_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lanes = ends(here, 0, &["size", &example("lanes")]).0;
    assert!(lanes.contains("2496 blocks") && lanes.contains("2432 blocks"), "{lanes}");
    assert!(!lanes.contains("N23") && !lanes.contains("424 bits"), "{lanes}");
    let none = ["size", &example("lanes"), "--set", "defaults.link.lanes=\"none\""];
    let none = ends(here, 0, &none).0;
    assert!(none.contains("N23       0   10   614     624   256 B   159744"), "{none}");
    let window = ["--set", "defaults.flow.control={ kind = \"window\", packets = 9 }"];
    let file = example("lanes");
    let window = [&["size", &file, "--format", "csv"][..], &window].concat();
    let csv = ends(here, 0, &[&window[..], &["--set", "defaults.link.lanes=\"none\""]].concat()).0;
    // 2 x (81.92 ns + 1.5 us) and 2 x (1.06 ns + 1.5 us) are 6.16596 us: 75.3 packets.
    assert!(csv.lines().nth(1).unwrap().starts_with("f1,4096,76,9,6165960,4096,1,"), "{csv}");
    let incast = ends(here, 0, &["size", &example("incast")]).0;
    assert!(incast.contains("answer1..16   H1..16->S "), "{incast}");
    let abr = ends(here, 0, &["size", &example("vs-vd-satellite"), "--format", "json"]).0;
    let abr: Value = serde_json::from_str(&abr).unwrap();
    let rates = abr["rates"].as_array().unwrap();
    let cells = |link: &str| {
        let row = rates.iter().find(|row| row["link"] == link && row["vc"] == "TCP1").unwrap();
        (row["still_to_come_cells"].as_u64().unwrap(), row["scheme"].as_str().unwrap().to_owned())
    };
    assert_eq!(cells("SW1->SW2"), (201_738, "ABR".to_owned()));
    assert!(abr["sizes"].as_array().unwrap().iter().all(|row| row["vc"] != "TCP1"));
}

/// Claim (golden): before a virtual source the queue is known when the switch is connected, under
/// TCP too: the previous loop and two averaging intervals of 10 ms at the rate of the links before.
/// Of switch 2 that is ceil(30.0055 ms x 155.52 Mb/s / 424 bits) = 11,006 cells, of switch 1 five
/// links and a loop of 550 ms; without the intervals 3,670. It is marked as no bound, and the
/// reason why there is none stays. One loop from end to end has neither.
#[test]
fn the_queue_before_a_virtual_source_is_known_when_connected() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("vs-vd-satellite");
    let json = ends(here, 0, &["size", &file, "--format", "json"]).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let row = |link: &str| {
        let rows = json["rates"].as_array().unwrap();
        rows.iter().find(|row| row["link"] == link && row["vc"] == "TCP1").unwrap().clone()
    };
    let two = row("SW2->SW3");
    assert_eq!(
        (&two["loop_queue_cells"], &two["queue_bound_cells"]),
        (&11_006.into(), &Value::Null)
    );
    assert!(two["loop_queue_formula"].as_str().unwrap().contains("as in [Cai97]: 3670"), "{two}");
    assert!(two["no_bound"].as_str().unwrap().contains("a virtual source"), "{two}");
    assert_eq!(row("SW1->SW2")["loop_queue_cells"], 5 * 209_074);
    let table = ends(here, 0, &["size", &file]).0;
    assert!(table.contains(" 11006* ") && table.contains("* Known when the switch"), "{table}");
    let none = ["--set", "defaults.switch.rate-control={ kind = \"erica-plus\" }"];
    let table = ends(here, 0, &[&["size", &file][..], &none].concat()).0;
    assert!(!table.contains("* "), "{table}");
}

/// Claim (golden): a port has a bound on its queue or a reason why it has none, in JSON, CSV and
/// text. Five flows that begin at a tenth of PCR: 5 / 10 + sum over k of (1 / k - 1 / 10) = 2.283
/// times the link, less the link.
#[test]
fn a_port_under_rate_control_has_a_bound_or_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("abr-erica-plus");
    let base = ["size", &file];
    let erica = ends(here, 0, &base).0;
    let reason = "No bound on the queue at `S1->S2`: the rate of `erica-plus` converges";
    assert!(erica.contains(reason) && erica.contains("cells of one loop"), "{erica}");
    let counts = ["--set", "defaults.switch.rate-control=\"vc-counting\""];
    let step = "defaults.flow.control={ kind = \"abr\", icr = \"10 %\", rif = 1 }";
    let args = [&base[..], &counts, &["--set", step]].concat();
    let json = ends(here, 0, &[&args[..], &["--format", "json"]].concat()).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let row = &json["rates"][0];
    assert_eq!((&row["link"], &row["no_bound"]), (&Value::from("S1->S2"), &Value::Null));
    // 353,208 cells/s x 1.2833 x 10.9 ms, of which the loop is 10.2 ms, and slack.
    let cells = row["queue_bound_cells"].as_u64().unwrap();
    assert!((4_650..5_000).contains(&cells), "{row}");
    let csv = ends(here, 0, &[&args[..], &["--format", "csv"]].concat()).0;
    assert!(csv.lines().nth(1).unwrap().ends_with(&format!(",{cells},,")), "{csv}");
}

/// Claim (golden): 500 blocks of 64 B over 2 km at 400 Gb/s are a warning with what is reached and
/// what is needed. R = 81.92 ns + 20 us + 81.92 ns + 1.06 ns = 20.1649 us to the switch: 247
/// packets, 15808 blocks; 7 packets in R are 11.3 Gb/s. The check does not say 0 warnings.
#[test]
fn credits_below_the_loop_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("lanes");
    let settings =
        ["--set", "defaults.link.lanes.buffer=500", "--set", "defaults.link.delay=\"10 us\""];
    let args = [&["check", &file][..], &settings].concat();
    let (out, err) = ends(here, 0, &args);
    let err = err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    let says = "the credits of lane 0 of `A->S` are 500 blocks of 64 B, but a loop of 20.1649 us \
                at 400 Gb/s needs 15808: it carries 11.3 Gb/s at most";
    assert!(err.contains(says), "{err}");
    assert!(err.contains("raise `buffer` to 15808"), "{err}");
    assert!(!out.contains("0 warnings"), "{out}");
    let n23 = ["--set", "defaults.link.lanes=\"none\"", "--set", "flow.f1.packet=\"53 B\""];
    let n3 = ["--set", "flow.f1.control={ kind = \"n23\", n2 = 10, n3 = 284 }"];
    let args = [&["check", &file][..], &n23, &n3].concat();
    let err = ends(here, 0, &args).1;
    assert!(err.contains("N3 of `f1` on `A->S` is 284") && err.contains("2833 cells"), "{err}");
    let meant = ["--set", "defaults.link.lanes.allow-small-buffer=true"];
    let out = ends(here, 0, &[&["check", &file][..], &settings, &meant].concat()).0;
    assert!(out.contains("0 warnings"), "{out}");
}

/// Claim (golden): a table with one bad row. 400 Gb/s and 150 m with 445770 bytes are short, by
/// cells of 254 B and packets of 64 B; the others are not called short, and the exit code is 1.
/// Without that row it is 0. A row that cannot be read is an error with its line.
#[test]
fn a_sonic_table_is_audited() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let good = "# speed cable size xon xoff threshold xon_offset\n\
                400000 30m 8636 0 425958 0 3556\n400000 500m 8636 0 1136396 0 3556\n";
    std::fs::write(here.join("good.ini"), good).unwrap();
    let bad = good.replace("400000 500m", "400000 150m 18796 0 445770 0 3556\n400000 500m");
    std::fs::write(here.join("bad.ini"), bad).unwrap();
    std::fs::write(here.join("broken.ini"), good.replace("500m", "500")).unwrap();
    let terms = ["--frame", "9236 B", "--cell", "254 B", "--pipeline", "1111 ns"];
    let audit = |code, file, more: &[&str]| {
        ends(here, code, &[&["size", "--sonic", file][..], &terms, more].concat())
    };
    let (out, err) = audit(1, "bad.ini", &[]);
    let says = "1 row is short, packets may be dropped there: 2 good, 0 odd, 1 short.";
    assert!(out.contains(says) && err.is_empty(), "{out}{err}");
    assert!(!out.contains("No row is short"), "{out}");
    let csv = audit(1, "bad.ini", &["--format", "csv"]).0;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[1], "2,400000,30,425958,425958,good,");
    assert!(rows[2].starts_with("3,400000,150,445770,") && rows[2].contains(",short,"), "{csv}");
    assert_eq!(rows[3], "4,400000,500,1136396,1136396,good,");
    let out = audit(0, "good.ini", &[]).0;
    assert!(out.contains("No row is short: 2 good, 0 odd, 0 short."), "{out}");
    let err = audit(2, "broken.ini", &[]).1;
    assert!(err.contains("broken.ini: line 3: the cable is `500`"), "{err}");
    assert!(audit(2, "absent.ini", &[]).1.contains("`absent.ini` cannot be read"));
    let link =
        ["size", "--pfc", "--rate", "400 Gb/s", "--delay", "300 m", "--response", "1158.4 ns"];
    let cells = ends(here, 0, &[&link[..], &terms].concat()).0;
    assert!(cells.contains("= 3284 cells of 254 B = 834136 bytes"), "{cells}");
}

/// Claim: `size --pfc` and `size FILE` print the XOFF that `xoff = "auto"` takes, in text, CSV and
/// JSON. [PFC-BT]: 10 Gb/s, 100 m: a headroom of 17754 bytes and a frame of 2320 are 20074 beyond
/// XOFF; a share of 200000 / 8 bytes leaves 4926; without a memory XOFF is twice 20074.
#[test]
fn auto_xoff_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let link = ["size", "--pfc", "--delay", "100 m", "--rate", "10 Gb/s", "--frame", "2320 B"];
    let more = ["--frame-back", "9236 B", "--processing", "819.2 ns", "--response", "3072 ns"];
    let link = [&link[..], &more].concat();
    let of = |more: &[&str]| ends(here, 0, &[&link[..], more].concat()).0;
    let memory = ["--memory", "200 kB", "--inputs", "8"];
    let text = of(&memory);
    let says = "XOFF (auto) = share - (frame + headroom) = 25000 - 20074 = 4926 bytes";
    assert!(text.contains(says), "{text}");
    let json = |more: &[&str]| -> Value {
        let text = of(&[more, &["--format", "json"]].concat());
        serde_json::from_str::<Value>(&text).unwrap()["headrooms"][0].clone()
    };
    assert_eq!(json(&memory)["auto_xoff_bytes"], 4_926);
    assert_eq!(json(&[])["auto_xoff_bytes"], 2 * 20_074);
    assert!(json(&["--memory", "20 kB"])["auto_xoff_bytes"].is_null());
    let csv = of(&[&memory[..], &["--format", "csv"]].concat());
    assert!(csv.lines().next().unwrap().ends_with(",auto_xoff_bytes"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",4926"), "{csv}");
    let none = ends(here, 2, &[&link[..], &["--memory", "1 MB", "--inputs", "0"]].concat()).1;
    assert!(none.contains("give --inputs 1 or more"), "{none}");
    let file = ends(here, 0, &["size", &example("pfc-deadlock"), "--format", "json"]).0;
    let file: Value = serde_json::from_str(&file).unwrap();
    let rows = file["headrooms"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row["auto_xoff_bytes"].is_u64()), "{file}");
}

/// Claim: an operator of gRPC over 100 ms finds from one command which window to set. 4 MiB reach
/// 335 Mb/s of 10 Gb/s; a loop is 83,335 packets, 125,002,500 B, and updates at half of the window
/// need 250,002,000 B. In bytes of the window; the packet is 1,500 B where none is given.
#[test]
fn the_window_of_a_path_is_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let path = ["size", "--rate", "10 Gb/s", "--rtt", "100 ms", "--window"];
    let table = ends(here, 0, &[&path[..], &["4194304 B"]].concat()).0;
    for says in ["125002500", "250002000", "335.5 Mb/s", "half used", "each packet"] {
        assert!(table.contains(says), "{says}: {table}");
    }
    assert!(table.contains("A window of 4194304 B is less than a loop"), "{table}");
    let json = |more: &[&str]| -> Value {
        let json = ends(here, 0, &[&path[..], more, &["--format", "json"]].concat()).0;
        serde_json::from_str::<Value>(&json).unwrap()["windows"].clone()
    };
    let both = json(&[]);
    assert_eq!((both.as_array().unwrap().len(), &both[0]["given_bytes"]), (2, &Value::Null));
    assert_eq!(
        (&both[1]["window_bytes"], &both[1]["update_half"]),
        (&250_002_000.into(), &true.into())
    );
    let one = json(&["--packet", "16384 B", "--update", "half"]);
    // T = 13.1072 us, R / T = 7,630.4: 2 x 7,630 packets.
    assert_eq!((one.as_array().unwrap().len(), &one[0]["window_packets"]), (1, &15_260.into()));
    assert_eq!(json(&["--every", "100"]), json(&["--update", "100"]));
    assert_eq!(json(&["--every", "100"])[0]["window_packets"], 83_335 + 99);
    let late = json(&["150000 B", "--every", "101"]);
    assert_eq!((&late[0]["reached_bps"], &late[0]["given_packets"]), (&0.into(), &100.into()));
    for (more, says) in [
        (&["--every", "0"][..], "0"),
        (&["--update", "soon"], "neither `half` nor a whole number"),
        (&["--every", "2", "--update", "half"], "cannot be used with"),
        (&["--delay", "1 ms"], "cannot be used with"),
        (&["--packet", "0 B"], "a packet of 0 B"),
    ] {
        let err = ends(here, 2, &[&path[..], more].concat()).1;
        assert!(err.contains(says), "{err}");
    }
    let err = ends(here, 2, &["size", "--window", "--rate", "1 Gb/s"]).1;
    assert!(err.contains("--rtt"), "{err}");
    let lanes = ["size", "--lanes", "--rate", "1 Gb/s", "--delay", "1 km", "--update", "half"];
    let err = ends(here, 2, &lanes).1;
    assert!(err.contains("`--update half` is of windows"), "{err}");
}

/// Claim: `size FILE` prints the loop of a TCP connection and the window that it needs: 65,535 B
/// over 1 Gb/s and 5 ms each way. A loop is 835 packets of 1,500 B, 1,252,500 B; `size` has no note
/// that nothing controls these packets.
#[test]
fn the_window_of_tcp_is_sized() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = "version = 2\nduration = \"1 s\"\n[[host]]\nname = \"A\"\n[[host]]\n\
                name = \"B\"\n[[link]]\nbetween = [\"A\", \"B\"]\nrate = \"1 Gb/s\"\n\
                delay = \"5 ms\"\n[[flow]]\nname = \"f\"\n\
                from = \"A\"\nto = \"B\"\nsource = { kind = \"tcp\", variant = \"cubic\", window = \
                \"65535 B\" }\n";
    std::fs::write(here.join("wan.toml"), text).unwrap();
    let table = ends(here, 0, &["size", "wan.toml"]).0;
    for says in ["1252500", "1220560", "65535", "52.36 Mb/s", "rate of data <= window / R"] {
        assert!(table.contains(says), "{says}: {table}");
    }
    assert!(!table.contains("Not sized"), "{table}");
    let err = ends(here, 0, &["check", "wan.toml"]).1;
    assert!(err.contains("HF0114") && err.contains("1220560 B"), "{err}");
}

/// Claim: the network engineer's questions are one command each, with the law, the public table
/// and the runs. 8GFC over 50 km: 199 credits; Brocade has 206; 199 are full rate, 198 wait. The
/// same in JSON and CSV.
#[test]
fn a_link_by_its_name_is_sized_beside_public_tables() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let link = ["size", "--preset", "fibre-channel", "--speed", "8GFC", "--length", "50 km"];
    let table = ends(here, 0, &[&link[..], &["--verify"]].concat()).0;
    for says in [
        "K = ceil(R / T') + ceil(update / b) - 1 = ceil(502.589412 us / 2.527059 us)",
        "8GFC, 250 us one way, packets of 2148 B: 199 credits.",
        "[FOS] Brocade",
        "no, 7 more",
        "Confirmed, and exact: with 199 credits this run has the full rate, with one less it waits",
    ] {
        assert!(table.contains(says), "{says}: {table}");
    }
    let json = |more: &[&str]| -> Value {
        let json = ends(here, 0, &[&link[..], more, &["--format", "json"]].concat()).0;
        serde_json::from_str::<Value>(&json).unwrap()
    };
    let found = json(&["--verify"]);
    assert_eq!(
        (&found["preset"]["amount"], &found["preset"]["unit"]),
        (&199.into(), &"credits".into())
    );
    assert_eq!(found["lanes"][0]["credits_blocks"], 199);
    assert_eq!(
        (&found["public"][0]["public_amount"], &found["public"][0]["law_amount"]),
        (&206.into(), &199.into())
    );
    let runs = &found["verified"];
    assert_eq!((&runs[0]["size"], &runs[0]["enough"]), (&199.into(), &true.into()));
    assert_eq!((&runs[1]["size"], &runs[1]["enough"]), (&198.into(), &false.into()));
    let small = json(&["--packet", "1060 B"]);
    assert_eq!(small["preset"]["amount"], 402);
    assert_eq!(small["verified"], serde_json::json!([]));
    let csv = ["--verify", "--format", "csv", "--table", "verified"];
    let csv = ends(here, 0, &[&link[..], &csv].concat()).0;
    assert!(csv.lines().nth(2).unwrap().starts_with("one less,198,credits,"), "{csv}");
}

/// Claim: PFC by speed, medium and vendor. 400G over 100 m with frames of 2,300 B: 119,560 B, as
/// the bit times of 802.3 add up; in twin-axial copper 2 x 24 ns less, 2,400 B; Spectrum-6 adds
/// 18,432 B. The run loses nothing with the room of the law.
#[test]
fn headroom_is_sized_by_speed_medium_and_vendor() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let base = ["size", "--preset", "pfc", "--speed", "400G", "--length", "100 m"];
    let base = [&base[..], &["--frame", "2320 B", "--format", "json"]].concat();
    let json = |more: &[&str]| -> Value {
        let json = ends(here, 0, &[&base[..], more].concat()).0;
        serde_json::from_str::<Value>(&json).unwrap()
    };
    assert_eq!(json(&[])["preset"]["amount"], 119_560);
    assert_eq!(json(&["--medium", "twinax"])["preset"]["amount"], 119_560 - 2_400);
    assert_eq!(json(&["--vendor", "nvidia-spectrum-6"])["preset"]["amount"], 119_560 + 18_432);
    let found = json(&["--verify", "--xoff", "100 kB"]);
    assert_eq!(found["headrooms"][0]["room_bytes"], 100_000 + 119_560 + 2_320);
    assert_eq!(
        (&found["verified"][0]["dropped_packets"], &found["verified"][0]["enough"]),
        (&0.into(), &true.into())
    );
    let worst = found["verified"].as_array().unwrap().last().unwrap();
    assert!(worst["dropped_packets"].as_u64().unwrap() > 0, "{found}");
}

/// Claim: `--verify` confirms a window, N23, a lane and a headroom without a preset, too.
#[test]
fn sizes_without_a_preset_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let says = |args: &[&str], text: &str| {
        let out = ends(here, 0, &[&["size", "--verify"][..], args].concat()).0;
        assert!(out.contains(text), "{out}");
    };
    let exact = "Confirmed, and exact: with";
    says(&["--window", "--rate", "1 Gb/s", "--rtt", "1 ms"], exact);
    says(&["--lanes", "--rate", "400 Gb/s", "--delay", "300 m"], exact);
    let bound = "Confirmed as an upper bound: with";
    let packets = ["--rate", "400 Gb/s", "--delay", "300 m", "--packet", "4096 B"];
    says(&packets, bound);
    says(
        &packets,
        "It also does with 598, 16 less, and waits for credit below. The law is for a switch",
    );
    says(&[&packets[..], &["--overhead", "20 B", "--unit", "64 B"]].concat(), bound);
    says(&["--rate", "622.08 Mb/s", "--delay", "10 km", "--processing", "5 us"], bound);
    let pause = ["--frame", "2320 B", "--frame-back", "9236 B", "--response", "3072 ns"];
    let pause = [&["--pfc", "--rate", "10 Gb/s", "--delay", "100 m"][..], &pause].concat();
    says(&pause, "no loss");
}

/// Claim: a mistake names the option and the way out.
#[test]
fn mistakes_of_a_preset_name_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (args, says) in [
        (&["fibre-channel", "--speed", "9GFC", "--length", "1 km"][..], "1GFC, 2GFC, 4GFC, 8GFC"),
        (&["fibre-channel", "--speed", "8GFC"], "Give --length \"100 m\""),
        (&["pfc", "--speed", "10G", "--length", "5 us"], "`5 us` is not a length in whole metres"),
        (&["pfc", "--speed", "10G", "--length", "1 m", "--packet", "64 B"], "those of --frame"),
        (
            &["n23", "--speed", "OC-3", "--length", "1 m", "--packet", "64 B"],
            "does not use --packet",
        ),
        (&["cbfc", "--speed", "400G", "--length", "1 m", "--vendor", "arista-7060x6"], "--vendor"),
        (
            &["pfc", "--speed", "40G", "--length", "1 m", "--vendor", "arista-7060x6"],
            "no public terms",
        ),
        (
            &["infiniband", "--speed", "NDR", "--length", "1 m", "--rate", "1 Gb/s"],
            "cannot be used with",
        ),
        (&["infiniband", "--length", "1 m"], "--speed"),
        (&["quic", "--speed", "1G"], "fibre-channel"),
    ] {
        let err = ends(here, 2, &[&["size", "--preset"][..], args].concat()).1;
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(says), "{says}: {err}");
    }
    let long = ["size", "--window", "--rate", "100 Gb/s", "--rtt", "1 s", "--verify"];
    assert!(ends(here, 2, &long).1.contains("would take too long to confirm"));
}
