//! Presets by hand, and beside the tables of vendors.

use super::super::size_lane_credits;
use super::*;

fn link(speed: &str, metres: u64) -> PresetLink<'_> {
    PresetLink {
        speed,
        delay: Picos(metres * PICOS_PER_METRE),
        metres: None,
        packet: None,
        packet_back: None,
        overhead: None,
        processing: None,
        response: None,
        vendor: None,
    }
}

fn of(preset: Preset, link: PresetLink<'_>) -> PresetSize {
    preset.size(&link).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Public value and that of the law, of the rows from one source.
fn rows<'a>(size: &'a PresetSize, source: &str) -> Vec<(&'a str, u64, u64)> {
    let rows = size.public.iter().filter(|row| row.source.starts_with(source));
    rows.map(|row| (row.terms.as_str(), row.value, row.ours)).collect()
}

/// Claim, by hand: 8GFC carries 6.8 Gb/s of frames. A frame of 2,148 B takes 2.527059 us, 50 km
/// there and back 500 us, a credit of 53 B 62.353 ns: 502.589 us are 198.88 frames, 199 credits. A
/// frame of 1,060 B takes 1.247059 us: 501.309 us are 401.99, 402 credits; with 199 of them 199 x
/// 1,060 B pass in a loop, 3.366 Gb/s.
#[test]
fn fibre_channel_needs_a_credit_for_each_frame_of_a_loop() {
    let full = of(Preset::FibreChannel, link("8GFC", 50_000));
    assert_eq!((full.amount, full.unit), (199, "credits"));
    let small = PresetLink { packet: Some(Bytes(1_060)), ..link("8gfc", 50_000) };
    let small = of(Preset::FibreChannel, small);
    assert_eq!(small.amount, 402);
    let PresetNeed::Lane { lane, needed, .. } = small.need else { panic!("a lane") };
    assert_eq!(needed.round_trip, Picos(501_309_412));
    assert!(needed.formula.contains("ceil(501.309412 us / 1.247059 us)"), "{}", needed.formula);
    let hand = 199.0 * 1_060.0 * 8.0 / 501.309_412e-6;
    assert!((lane.reached_bps(199) as f64 / hand - 1.0).abs() < 1e-9);
    // A gap of 24 B makes a frame 2.555294 us long: 502.645 us are 196.7 of them.
    let gap = PresetLink { overhead: Some(Bytes(24)), ..link("8GFC", 50_000) };
    assert_eq!(of(Preset::FibreChannel, gap).amount, 197);
}

/// Claim [FOS], Brocade: at 50 km 31, 56, 106, 206, 256 and 406 credits from 1 to 16 Gb/s, 6 of
/// them for services. By hand the law needs 26, 51, 100, 199, 298 and 397: that of distance is
/// equal at 4 Gb/s only, and too small at 10 Gb/s, whose code carries more. With payloads of 1,024
/// B, 100 km and 8 Gb/s it has 828, where 1001.309 us are 802.9 frames of 1.247059 us.
#[test]
fn the_rule_of_brocade_is_beside_the_law() {
    let expected = [
        ("1GFC", 31, 26),
        ("2GFC", 56, 51),
        ("4GFC", 106, 100),
        ("8GFC", 206, 199),
        ("10GFC", 256, 298),
        ("16GFC", 406, 397),
    ];
    for (speed, public, law) in expected {
        let size = of(Preset::FibreChannel, link(speed, 50_000));
        assert_eq!(size.amount, law, "{speed}");
        let of_km = rows(&size, "[FOS] Brocade");
        assert_eq!((of_km[0].1, of_km[0].2), (public, law), "{speed}: {of_km:?}");
    }
    let size = of(Preset::FibreChannel, link("8GFC", 10_000));
    let all = rows(&size, "[FOS]");
    assert_eq!(all[0].0, "10 km x 8 / 2 + 6, 2148 B");
    assert_eq!(all[0].1, 46);
    assert_eq!(all[1].1, 206);
    assert_eq!((all[2].1, all[2].2), (828, 803));
    assert!(size.public.iter().all(|row| row.is_equal() == row.why.is_empty()));
}

/// Claim [SANbox]: 16 credits reach 26, 13 and 6 km at 1, 2 and 4 Gb/s. By hand the law needs 14,
/// 14 and 13 there: at 1 Gb/s 280.715 us are 13.89 frames of 20.216471 us.
#[test]
fn the_table_of_sanbox_is_beside_the_law() {
    for (speed, ours) in [("1GFC", 14), ("2GFC", 14), ("4GFC", 13)] {
        let size = of(Preset::FibreChannel, link(speed, 1_000));
        let [row] = rows(&size, "[SANbox]")[..] else { panic!("one row") };
        assert_eq!((row.1, row.2), (16, ours), "{speed}");
    }
}

/// Claim, by hand, in bit times. 25G over 100 m: 73,888 + 672 + 6,144 + 25,000 + 40,960 = 146,664,
/// 18,333 B, and a frame of 9,236 B. The sums of [PFC-BT] for 100 m and frames of 2,300 B are those
/// of the law: 17,754 B at 10G, 119,560 B at 400G, where the interfaces have none.
#[test]
fn the_terms_of_802_3_add_up() {
    let size = of(Preset::Pfc, link("25G", 100));
    assert_eq!((size.amount, size.unit), (18_333 + 9_236, "bytes"));
    for (speed, bytes) in [("10G", 17_754), ("400G", 119_560)] {
        let fcoe = PresetLink { packet: Some(Bytes(2_320)), ..link(speed, 100) };
        let size = of(Preset::Pfc, fcoe);
        assert_eq!(size.amount, bytes);
        assert_eq!((rows(&size, "[PFC-BT]")[0].1, rows(&size, "[PFC-BT]")[0].2), (bytes, bytes));
    }
    let given = PresetLink {
        processing: Some(Picos(1_000_000)),
        response: Some(Picos(2_000_000)),
        packet_back: Some(Bytes(84)),
        ..link("400G", 100)
    };
    // 2 x 1.68 ns + 1 us + 3 us at 50 B/ns.
    assert_eq!(of(Preset::Pfc, given).amount, 200_168 + 9_236);
}

/// Claim [SONIC-PG]: with cells of 254 B and the fitted pipeline delay, three of the five rows of
/// Arista are met to the byte, those of 300 m are 20 and 19 cells above. [SONIC-SPC] and
/// [LINUX-MLX5] differ; mlx5 by hand at 100G and 100 m: 517 x 100 + 2.72 x 9,216 = 76,767.5.
#[test]
fn public_headrooms_are_beside_the_law() {
    let at = |speed| of(Preset::Pfc, link(speed, 100));
    let cells = |row: &(&str, u64, u64)| (row.1 - row.2) / 254;
    let size = at("400G");
    let arista: Vec<u64> = rows(&size, "[SONIC-PG]").iter().map(cells).collect();
    assert_eq!(arista, [0, 20, 0]);
    let size = at("800G");
    let arista: Vec<u64> = rows(&size, "[SONIC-PG]").iter().map(cells).collect();
    assert_eq!(arista, [0, 19]);
    assert_eq!(rows(&size, "[SONIC-SPC]")[0].1, 474_112);
    assert_eq!(rows(&at("100G"), "[LINUX-MLX5]")[0].1, 76_767);
    assert_eq!(rows(&at("400G"), "[PINGDO]")[0].1, 25_000);
    let copper = PresetLink { delay: Picos(476_000), metres: Some(100), ..link("100G", 0) };
    assert_eq!(rows(&of(Preset::Pfc, copper), "[LINUX-MLX5]")[0].1, 76_767);
    let copper = PresetLink { delay: Picos(47_600_000), metres: Some(10_000), ..link("8GFC", 0) };
    let copper = of(Preset::FibreChannel, copper);
    assert_eq!(rows(&copper, "[FOS] Brocade")[0].0, "10 km x 8 / 2 + 6, 2148 B");
}

/// Claim: a vendor by name adds its public terms, and no others: cells to Arista, 18 KiB to
/// Spectrum-6; a speed without public terms is an error that says what is known.
#[test]
fn a_vendor_adds_its_public_terms() {
    let with = |vendor, speed, metres| {
        Preset::Pfc.size(&PresetLink { vendor: Some(vendor), ..link(speed, metres) })
    };
    let plain = of(Preset::Pfc, link("400G", 30)).amount;
    assert_eq!(with("nvidia-spectrum-6", "400G", 30).unwrap().amount, plain + 18_432);
    assert_eq!(with("arista-7060x6", "400G", 30).unwrap().amount, 425_958);
    let wrong = with("arista-7060x6", "100G", 30).unwrap_err().to_string();
    assert!(wrong.contains("`arista-7060x6` for 100G") && wrong.contains("18 KiB"), "{wrong}");
}

/// Claim: the length to which 2,048 blocks reach is exact: at 400 Gb/s and packets of 4,096 B 253 m
/// need 32 packets, 254 m 33, for some other packets, too.
#[test]
fn the_reach_of_infiniband_is_exact() {
    let needs = |speed, packet, metres| {
        let link = PresetLink { packet: Some(Bytes(packet)), ..link(speed, metres) };
        of(Preset::Infiniband, link)
    };
    assert_eq!(needs("NDR", 4_096, 300).amount, 2_432);
    for (speed, packet) in [("NDR", 4_096), ("HDR", 2_048), ("EDR", 256), ("FDR", 300)] {
        let size = needs(speed, packet, 10);
        let note = size.notes.iter().find(|note| note.contains("a link of up to")).unwrap();
        let words: Vec<&str> = note.split(' ').collect();
        let place = words.iter().position(|word| *word == "m").unwrap();
        let reach: u64 = words[place - 1].parse().unwrap();
        let [at, beyond] = [reach, reach + 1].map(|metres| needs(speed, packet, metres).amount);
        assert!(at <= 2_048 && beyond > 2_048, "{speed} {packet}: {reach} m, {at}, {beyond}");
    }
    assert!(needs("NDR", 4_096, 10).notes[1].contains("up to 253 m"));
}

/// Claim: 800 Gb/s over 500 m, the case CBFC-12 of [SONiC-ScaleUp], needs 2,016 credits of 256 B
/// with frames of 9,216 B and 6,031 with 64 B (by hand in `docs/models/lanes.md`).
#[test]
fn cbfc_counts_overhead_and_spacing() {
    for (packet, credits) in [(9_216, 2_016), (64, 6_031)] {
        let link = PresetLink { packet: Some(Bytes(packet)), ..link("800G", 500) };
        let size = of(Preset::Cbfc, link);
        assert_eq!(size.amount, credits);
        let text = size.trial.scenario(credits).unwrap();
        let network = hopflow_scenario::Scenario::from_toml(&text, "t").unwrap().network;
        assert_eq!(size_lane_credits(&network, None).unwrap()[0].needed.blocks, credits);
    }
}

/// Claim [KMCL94] Figure 6: N3 of 622.08 Mb/s is 23, 155 and 1475 by the law; 14,679 is one less.
#[test]
fn n23_is_beside_figure_6() {
    let size = of(Preset::N23, link("OC-12", 10_000));
    let found = rows(&size, "[KMCL94]");
    let found: Vec<(u64, u64)> = found.iter().map(|row| (row.1, row.2)).collect();
    assert_eq!(found, [(23, 23), (155, 155), (1_475, 1_475), (14_679, 14_680)]);
    assert_eq!(size.amount, 155);
    assert!(of(Preset::N23, link("OC-3", 10_000)).public.is_empty());
}

/// Claim: every speed of every preset has a size, which grows with the length; an unknown speed is
/// an error that lists all; names are those of options.
#[test]
fn all_speeds_have_a_size() {
    for preset in Preset::ALL {
        assert_eq!(Preset::named(preset.name()), Some(preset));
        for speed in preset.speeds() {
            let [short, long] = [10, 20_000].map(|metres| of(preset, link(speed.name, metres)));
            assert!(short.amount < long.amount, "{} {}", preset.name(), speed.name);
            assert_eq!(short.speed, *speed);
        }
        let wrong = preset.size(&link("7G", 1)).unwrap_err().to_string();
        let last = preset.speeds().last().unwrap().name;
        assert!(wrong.contains("`7G` is not a speed of") && wrong.contains(last), "{wrong}");
    }
    assert_eq!(Preset::named("atm"), None);
}
