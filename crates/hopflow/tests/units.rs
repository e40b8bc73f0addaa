//! Credit of 1994 to 1997 on packets of any size: scenarios whose credits count units.

use hopflow::{EngineKind, RunOptions, RunResult, Scenario, run};
use hopflow_network::{CreditSpec, DirectionId, HopControl};
use hopflow_scenario::{Code, CreditLoop, pool_by_law};
use hopflow_units::{Bytes, Cells};

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "units.toml").unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// The run of a scenario, which both engines make alike, and without a broken property.
fn done(text: &str) -> RunResult {
    let scenario = read(text);
    let one = |engine| {
        let options = RunOptions { engine, ..RunOptions::default() };
        run(&scenario, &options).expect("it runs")
    };
    let result = one(EngineKind::Windowed);
    assert_eq!(result.digest, one(EngineKind::Reference).digest, "{text}");
    result
}

/// The first error of a scenario: its code and message.
fn refused(text: &str) -> (Code, String) {
    let wrong = Scenario::from_toml(text, "units.toml").expect_err("it is refused");
    let first = wrong.items.first().expect("there is an error");
    (first.code, first.message.clone())
}

/// The credit of the first hop of the first flow.
fn credit(text: &str) -> CreditSpec {
    let HopControl::Credit(credit) = read(text).network.vcs[0].hops[0].control else {
        panic!("no credit")
    };
    credit
}

/// A greedy flow of one size at 400 Gb/s over 100 m, from A over switches to B.
fn path(switches: usize, packet: &str, control: &str) -> String {
    let names: Vec<String> = (1..=switches).map(|number| format!("S{number}")).collect();
    let nodes: Vec<String> =
        names.iter().map(|name| format!("[[switch]]\nname = \"{name}\"\n")).collect();
    let nodes = nodes.concat();
    let mut way = vec!["A".to_owned()];
    way.extend(names);
    way.push("B".to_owned());
    let link = |pair: &[String]| format!("[[link]]\nbetween = {pair:?}\n");
    let links = way.windows(2).map(link).collect::<Vec<_>>().concat();
    format!(
        "version = 2\nduration = \"120 us\"\nwarm-up = \"20 us\"\n[defaults.link]\nrate = \"400 \
         Gb/s\"\ndelay = \"100 m\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n{nodes}{links}\
         [[flow]]\nname = \"f\"\nfrom = \"A\"\nto = \"B\"\npacket = {packet}\ncontrol = {{ \
         {control} }}\n"
    )
}

/// The share of the time after the warm-up in which the first link is busy.
fn busy(text: &str) -> f64 {
    let result = done(text);
    assert!(result.violations().is_empty(), "{:?}", result.violations());
    result.summary.links.iter().find(|one| one.from == "A").expect("a link").busy_share
}

/// The loop of the first hop, whose packets are held for one transmit time where it ends at a
/// switch.
fn law(text: &str) -> CreditLoop {
    let (network, unit) = (read(text).network, credit(text).unit);
    let size = &network.vcs[0].traffic.size;
    let (wire, round_trip) = (network.direction(DirectionId(0)).wire(), network.loop_time(0));
    CreditLoop { wire, round_trip, unit, least: size.least(), most: size.most() }
}

const SIZES: [u64; 5] = [64, 256, 300, 1_500, 9_216];

/// Claim: a greedy VC of packets of 64 to 9,216 B at 400 Gb/s has the rate of the law, in units of
/// 64 to 512 B and with N2 of 1 to 40. With N3 of the law the link is never idle, and with one
/// packet less it is, at a switch, which holds a packet for its transmit time on the next link. Far
/// below, at a host, it is busy for the share that the law says, but for the loop in which the run
/// begins and ends.
#[test]
fn the_rate_is_that_of_the_law() {
    for packet in SIZES {
        for (unit, n2) in [(64, 10), (256, 1), (256, 10), (512, 40)] {
            let size = format!("\"{packet} B\"");
            let n23 = |n3: &str| {
                let zones = format!("unit = \"{unit} B\", n2 = {n2}, n3 = {n3}");
                format!("kind = \"n23\", {zones}, allow-small-n3 = true")
            };
            let auto = path(1, &size, &n23("\"auto\""));
            let credit = credit(&auto);
            let case = format!("{packet} B in {unit} B, N2 {n2}: {}", credit.n3.0);
            assert!(busy(&auto) > 0.99999, "{case}");
            let units = credit.packet_units(Bytes(packet));
            let less = credit.n3.0 - units.largest().0;
            assert!(busy(&path(1, &size, &n23(&less.to_string()))) < 0.99999, "{case}");
            let lane = law(&auto).lane(law(&auto).wire.rate, Cells(n2), hopflow_units::Picos::ZERO);
            let least = units.least_buffer(Cells(n2), true) as u32;
            for promised in [least, least + units.largest().0, u32::midpoint(n2, credit.n3.0)] {
                if promised < least {
                    continue;
                }
                let found = busy(&path(0, &size, &n23(&(promised - n2).to_string())));
                let said = lane.reached_bps(promised.into()) as f64 / lane.rate.bps() as f64;
                let within = 2.0 * lane.round_trip().expect("it is short").0 as f64 / 1e8;
                assert!((found - said).abs() <= within, "{case}, {promised}: {found}, not {said}");
            }
        }
    }
}

/// Claim: N2 + N3 of the table in `docs/models/n23.md`, worked out there by hand: for N2 = 10 units
/// of 256 B, 794, 207, 222 and 288 units for packets of 64 to 9,216 B.
#[test]
fn the_table_of_the_page_holds() {
    let promised = |packet: &str| {
        let credit = credit(&path(1, packet, "kind = \"n23\""));
        credit.initial_credit().0
    };
    let sizes = ["\"64 B\"", "\"256 B\"", "\"1500 B\"", "\"9216 B\""];
    assert_eq!(sizes.map(promised), [794, 207, 222, 288]);
}

/// Claim: every scheme with a buffer for each VC fills the link with its sizes, and never overruns
/// a buffer; with mixed sizes too, which have the law of several sizes.
#[test]
fn every_scheme_fills_the_link() {
    let mix = "{ sizes = [\"64 B\", \"576 B\", \"1500 B\"], weights = [7, 4, 1] }";
    for kind in ["n23", "n123", "n123+", "cup", "additive"] {
        for packet in ["\"1500 B\"", "\"9216 B\"", mix] {
            let share = busy(&path(2, packet, &format!("kind = \"{kind}\"")));
            assert!(share > 0.99999, "{kind} {packet}: {share}");
        }
    }
    let bursts = busy(&path(1, "\"1500 B\"", "kind = \"n23\", e = \"continuous\""));
    assert!(bursts > 0.99, "{bursts}");
}

/// Claim: packets of 53 bytes in units of 53 bytes are cells: the same digest, whatever is written
/// out, under every scheme.
#[test]
fn cells_are_one_unit_each() {
    for kind in ["n23", "n123", "n123+", "cup", "additive", "adaptive"] {
        let plain = path(1, "\"53 B\"", &format!("kind = \"{kind}\""));
        let written = path(1, "\"53 B\"", &format!("kind = \"{kind}\", unit = \"53 B\""));
        let without = plain.replace("packet = \"53 B\"\n", "");
        assert_eq!(done(&plain).digest, done(&written).digest, "{kind}");
        assert_eq!(done(&plain).digest, done(&without).digest, "{kind}");
    }
}

/// Claim, by hand: zones in bytes are rounded up to units. 64 kB in units of 256 B are 250, 2,560 B
/// are 10, and 2,561 B are 11. The unit is 256 B for packets that are not cells, 53 B for cells.
#[test]
fn zones_in_bytes_are_whole_units() {
    let zones = |control: &str| {
        let credit = credit(&path(0, "\"1500 B\"", control));
        [credit.unit.0, u64::from(credit.n2.0), u64::from(credit.n3.0)]
    };
    let allowed = "allow-small-n3 = true";
    let kind = "kind = \"n23\"";
    assert_eq!(
        zones(&format!("{kind}, n2 = \"2560 B\", n3 = \"64 kB\", {allowed}")),
        [256, 10, 250]
    );
    assert_eq!(zones(&format!("{kind}, n2 = \"2561 B\", n3 = 400, {allowed}")), [256, 11, 400]);
    let units = format!("{kind}, unit = \"64 B\", n3 = \"64 kB\", {allowed}");
    assert_eq!(zones(&units), [64, 10, 1_000]);
    assert_eq!(credit(&path(0, "\"53 B\"", kind)).unit, Bytes::CELL);
}

/// Claim, by hand: credit that is less than a packet and what a credit waits for is refused, with
/// the numbers: 9,216 B are 36 units of 256 B, N2 + N3 of 10 + 20 is less. 10 + 26 is enough for
/// one packet after the other; of 1 to 1,500 B (6 units) N2 - 1 + 6 = 15 are needed, N3 = 5.
#[test]
fn credit_has_room_for_a_packet() {
    let n3 = |n3: u32| format!("kind = \"n23\", n2 = 10, n3 = {n3}, allow-small-n3 = true");
    let (code, message) = refused(&path(0, "\"9216 B\"", &n3(20)));
    assert_eq!(code, Code::SMALL_CREDIT);
    let said = "N2 + N3 is 30 units of 256 B, but a packet of 9216 B takes 36";
    assert!(message.contains(said), "{message}");
    assert!(busy(&path(0, "\"9216 B\"", &n3(26))) > 0.1);
    let any = "{ least = \"1 B\", most = \"1500 B\" }";
    assert_eq!(refused(&path(0, any, &n3(4))).0, Code::SMALL_CREDIT);
    assert!(busy(&path(0, any, &n3(5))) > 0.001);
    let n1 = path(0, "\"9216 B\"", "kind = \"n123+\", n1 = 35");
    assert_eq!(refused(&n1).0, Code::SMALL_CREDIT);
}

/// Claim: a lost credit is repaired by the next one: after the loss of three in a row the VC has
/// the same rate as before, under N23 and CUP; additive credit loses their units for good.
#[test]
fn the_next_credit_repairs_a_loss() {
    let lost = "[[event]]\nat = \"10 us\"\nfrom = \"B\"\nto = \"A\"\ncorrupt-next-credits = 3\n";
    for (kind, is_repaired) in [("n23", true), ("cup", true), ("additive", false)] {
        let text = path(0, "\"1500 B\"", &format!("kind = \"{kind}\"")) + lost;
        assert_eq!(busy(&text) > 0.99999, is_repaired, "{kind}");
    }
}

/// Claim: a buffer in packets holds what is granted as the smallest packets of the flow: N2 + N3 of
/// 10 + 50 units are 10 packets of 1,500 B (6 units), and up to 60 of 64 B (1 unit).
#[test]
fn a_buffer_holds_the_granted_units_as_packets() {
    let held = |packet: &str, buffer: u32| {
        let text = path(1, packet, "kind = \"n23\", n3 = 50, allow-small-n3 = true");
        text.replace("name = \"S1\"", &format!("name = \"S1\"\nbuffer = \"{buffer} packets\""))
    };
    assert!(busy(&held("\"1500 B\"", 10)) > 0.1);
    let (code, message) = refused(&held("\"1500 B\"", 9));
    assert_eq!(code, Code::SMALL_BUFFER);
    assert!(message.contains("60 units of 256 B, in which 10 packets of 1500 B fit"), "{message}");
    let mix = "{ least = \"64 B\", most = \"1500 B\" }";
    assert_eq!(refused(&held(mix, 59)).0, Code::SMALL_BUFFER);
    assert!(busy(&held(mix, 60)) > 0.1);
}

/// Claim: the warning of credit that is less than a loop has units: of packets of 1,500 B at 400
/// Gb/s over 100 m, N3 of 50 units.
#[test]
fn less_than_a_loop_has_a_warning() {
    let text = path(0, "\"1500 B\"", "kind = \"n23\", n3 = 50");
    let found = read(&text).warnings;
    let warning = found.iter().find(|one| one.code == Code::BELOW_LOOP).expect("a warning");
    assert!(warning.message.contains("units of 256 B"), "{}", warning.message);
    let enough = path(0, "\"1500 B\"", "kind = \"n23\"");
    assert!(read(&enough).warnings.iter().all(|one| one.code != Code::BELOW_LOOP));
}

/// Claim: TCP with ACKs runs under N23 on every hop, in units of 256 B; nothing is lost at a switch
/// with the buffers that credit promises.
#[test]
fn tcp_runs_under_credit() {
    let text = path(1, "\"53 B\"", "kind = \"n23\"").replace(
        "packet = \"53 B\"\n",
        "source = { kind = \"tcp\", variant = \"newreno\", mss = \"1460 B\", window = \"1 MB\" }\n",
    );
    let text = text.replace("120 us", "1 ms");
    assert_eq!(credit(&text).unit, Bytes(256));
    let result = done(&text);
    assert!(result.violations().is_empty(), "{:?}", result.violations());
    let vc = &result.summary.vcs[0];
    assert!(vc.received_packets > 1_000 && vc.dropped_packets == 0, "{vc:?}");
}

/// Two flows from A and C to B over S and a pool at the end of each link, and their packets.
fn pooled(packets: [&str; 2], control: &str, pool: &str) -> String {
    let of = |(name, from, packet): (&str, &str, &str)| {
        format!(
            "[[flow]]\nname = \"{name}\"\nfrom = \"{from}\"\nto = \"B\"\npacket = {packet}\n\
             control = {{ kind = \"adaptive\", {control} }}\n"
        )
    };
    let [first, second] = packets;
    let flows = [("f", "A", first), ("g", "C", second)].map(of).concat();
    format!(
        "version = 2\nduration = \"220 us\"\nwarm-up = \"20 us\"\n[defaults.link]\nrate = \"400 \
         Gb/s\"\ndelay = \"100 m\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[host]]\n\
         name = \"C\"\n[[switch]]\nname = \"S\"\n[[switch]]\nname = \"T\"\n[[link]]\nbetween = \
         [\"A\", \"S\"]\n[[link]]\nbetween = [\"C\", \"S\"]\n[[link]]\nbetween = [\"S\", \"T\"]\n\
         {pool}\n[[link]]\nbetween = [\"T\", \"B\"]\n{flows}"
    )
}

/// Claim [KC95]: the computed memory, 4 R + 2 sum(l) units, keeps a link of 400 Gb/s full with
/// packets of 64 to 9,216 B, of one flow and of two, of one size and of many; nothing is lost and
/// no memory is ever full.
#[test]
fn adaptive_credit_fills_the_link_with_packets() {
    let of_one = SIZES.map(|packet| path(2, &format!("\"{packet} B\""), "kind = \"adaptive\""));
    let mix = "{ least = \"64 B\", most = \"1500 B\" }";
    let of_two = [["\"64 B\"", "\"9216 B\""], ["\"1500 B\"", mix], ["\"300 B\"", "\"300 B\""]];
    let of_two = of_two.map(|packets| pooled(packets, "unit = \"128 B\"", ""));
    for text in of_one.iter().chain(&of_two) {
        let result = done(text);
        assert!(result.violations().is_empty(), "{:?}\n{text}", result.violations());
        let links = &result.summary.links;
        let last = links.iter().find(|link| link.to == "B").expect("a link");
        assert!(last.busy_share > 0.9999, "{}\n{text}", last.busy_share);
    }
}

/// Claim, by hand: the computed memory of a pool at 400 Gb/s over 100 m (500 ns each way). A credit
/// cell takes 1.06 ns, a packet of 1,500 B 30 ns and one of 64 B 1.28 ns, so R_p is 1,031.06 ns,
/// in which ceil(1,031.06 / 30) = 35 packets of 6 units or ceil(1,002.34 / 1.28) = 784 of one have
/// room: M = 4 x 784 + 2 (6 + 1) = 3,150 units of 256 B. The interval is the loop of the largest.
#[test]
fn a_pool_has_the_computed_memory() {
    let text = pooled(["\"1500 B\"", "\"64 B\""], "n2 = 10", "");
    let network = read(&text).network;
    let trunk = network.direction(DirectionId::new(2, 0)).shared_buffer.expect("a pool");
    assert_eq!((trunk.memory, trunk.interval.0), (Cells(3_150), 1_031_060));
    // What `compare` prints beside a pool that is given.
    let given = pooled(["\"1500 B\"", "\"64 B\""], "n2 = 10", "pool = { memory = \"64 kB\" }");
    let network = read(&given).network;
    let id = DirectionId::new(2, 0);
    let law = pool_by_law(&network, id, &network.sharing_hops()[id.0]);
    let memory = network.direction(id).shared_buffer.expect("a pool").memory;
    assert_eq!((memory, law), (Cells(250), Some(3_150)));
}

/// Claim: a pool has the whole units of its memory; too little for a packet of each flow, an
/// interval below the loop of the largest packet and flows with other units are refused, with the
/// numbers.
#[test]
fn pools_of_packets_are_checked() {
    let packets = ["\"1500 B\"", "\"64 B\""];
    let memory = |pool: &str| {
        let network = read(&pooled(packets, "n2 = 10", pool)).network;
        network.direction(DirectionId::new(2, 0)).shared_buffer.expect("a pool").memory.0
    };
    assert_eq!(memory("pool = { memory = \"64 kB\" }"), 250);
    assert_eq!(memory("pool = { memory = \"100 cells\" }"), 5_300 / 256);
    let refused = |pool: &str| refused(&pooled(packets, "n2 = 10", pool));
    let (code, message) = refused("pool = { memory = \"1791 B\" }");
    assert_eq!(code, Code::SMALL_SHARED_BUFFER);
    assert!(message.contains("together 7 units of 256 B"), "{message}");
    let (code, message) = refused("pool = { interval = \"1020 ns\" }");
    assert_eq!(code, Code::SHORT_MEASURING);
    assert!(message.contains("1.03106 us for packets of 1500 B"), "{message}");
    let other = pooled(packets, "n2 = 10", "").replacen("n2 = 10", "unit = \"64 B\"", 1);
    let (code, message) = self::refused(&other);
    assert_eq!(code, Code::CONFLICT);
    assert!(message.contains("counts 64 B and of the other 256 B"), "{message}");
    let small = pooled(packets, "n2 = 10", "pool = { memory = \"64 kB\" }");
    let small = small.replace("name = \"T\"", "name = \"T\"\nbuffer = \"60 kB\"");
    let (code, message) = self::refused(&small);
    assert_eq!(code, Code::SMALL_BUFFER);
    assert!(message.contains("grants 250 units of 256 B"), "{message}");
}
