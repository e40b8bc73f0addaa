//! Claims about pictures of networks: positions of nodes, labels and colours of links.

use super::{Link, Look, Node, Route, Topology};

fn node(name: &str) -> Node {
    Node { name: name.to_owned(), switch: name.starts_with('S'), equal: Vec::new() }
}

/// `x` of the named nodes, read from the picture.
fn columns(net: &Topology) -> Vec<f64> {
    let svg = net.svg();
    let find = |name: &str| {
        let end = svg.find(&format!(">{name}</text>")).expect("every node has its name");
        let tag = &svg[..end];
        let start = tag.rfind(" x=\"").expect("text has a place") + 4;
        tag[start..].split('"').next().and_then(|x| x.parse().ok()).expect("x is a number")
    };
    net.nodes.iter().map(|n| find(&n.name)).collect()
}

/// A chain A - S1 - S2 - B with a second source at S2 runs from left to right, and the second
/// source is beside S1, just before the switch that it feeds.
#[test]
fn a_chain_runs_from_left_to_right() {
    let link = |a, b| Link { ends: [a, b], label: "10 Mb/s, 1 us".to_owned(), busy: None };
    let net = Topology {
        nodes: ["B", "S2", "S1", "A", "C"].map(node).to_vec(),
        links: vec![link(0, 1), link(1, 2), link(2, 3), link(4, 1)],
        routes: vec![
            Route { name: "VC1".to_owned(), hops: vec![(2, 3), (1, 2), (0, 1)] },
            Route { name: "VC2".to_owned(), hops: vec![(3, 4), (0, 1)] },
        ],
    };
    let x = columns(&net);
    assert!(x[3] < x[2] && x[2] < x[1] && x[1] < x[0], "A, S1, S2, B: {x:?}");
    assert!((x[4] - x[2]).abs() < 0.1, "C stands beside S1: {x:?}");
    assert!(net.drawing().contains("every link: 10 Mb/s, 1 us"));
}

/// Claim: two hosts stand beside a switch that is just before theirs, but three have the column of
/// the hosts before it, and the switch stands alone.
#[test]
fn a_switch_does_not_stand_among_hosts() {
    let link = |a, b| Link { ends: [a, b], label: String::new(), busy: None };
    let net = |hosts: usize| {
        let names = ["V", "S1", "S2", "W"].map(node).into_iter();
        let own = (0..hosts).map(|host| node(&format!("A{host}")));
        let links = [link(0, 1), link(1, 2), link(2, 3)].into_iter();
        let route =
            |host| Route { name: format!("A{host}"), hops: vec![(3 + host, 4 + host), (2, 2)] };
        let victim = Route { name: "V".to_owned(), hops: vec![(0, 0), (1, 1), (2, 2)] };
        Topology {
            nodes: names.chain(own).collect(),
            links: links.chain((0..hosts).map(|host| link(4 + host, 2))).collect(),
            routes: std::iter::once(victim).chain((0..hosts).map(route)).collect(),
        }
    };
    let (two, three) = (columns(&net(2)), columns(&net(3)));
    assert!(two[4..].iter().all(|x| (x - two[1]).abs() < 0.1), "beside S1: {two:?}");
    assert!(three[4..].iter().all(|x| (x - three[0]).abs() < 0.1), "beside V: {three:?}");
    assert!(three[0] < three[1] && three[1] < three[2], "{three:?}");
}

/// If switches form a cycle, layers are distances from the hosts: hosts, edge, core.
#[test]
fn switches_in_a_circle_stand_by_their_distance_from_hosts() {
    let link = |a, b| Link { ends: [a, b], label: String::new(), busy: None };
    let net = Topology {
        nodes: ["H1", "H2", "SE1", "SE2", "SC1", "SC2"].map(node).to_vec(),
        links: vec![link(0, 2), link(1, 3), link(2, 4), link(2, 5), link(3, 4), link(3, 5)],
        routes: vec![Route { name: "VC1".to_owned(), hops: vec![(0, 0), (2, 2), (4, 4), (1, 3)] }],
    };
    let x = columns(&net);
    assert!(x[0] < x[2] && x[2] < x[4]);
    assert!((x[0] - x[1]).abs() < 0.1);
    assert!((x[2] - x[3]).abs() < 0.1);
    assert!((x[4] - x[5]).abs() < 0.1);
}

/// A network without links or routes is drawn too.
#[test]
fn an_empty_network_is_a_picture() {
    assert!(Topology::default().drawing().ends_with("</svg>"));
    let alone = Topology { nodes: vec![node("A")], ..Topology::default() };
    assert!(alone.svg().contains(">A</text>"));
}

/// A fat tree of 1,024 hosts: 32 edge switches of 32 hosts, each joined to 8 others.
fn fat_tree(busy: impl Fn(usize) -> f64) -> Topology {
    let mut nodes: Vec<Node> = (0..1024).map(|n| node(&format!("H{n}"))).collect();
    nodes.extend((0..40).map(|n| node(&format!("S{n}"))));
    let mut ends: Vec<[usize; 2]> = (0..1024).map(|host| [host, 1024 + host / 32]).collect();
    ends.extend((0..32).flat_map(|edge| (0..8).map(move |top| [1024 + edge, 1056 + top])));
    let link = |(index, ends): (usize, [usize; 2])| Link {
        ends,
        label: String::new(),
        busy: Some(busy(index)),
    };
    Topology { nodes, links: ends.into_iter().enumerate().map(link).collect(), routes: Vec::new() }
}

/// Claim: a thousand hosts are drawn in three layers, hosts at the bottom, every link in the
/// class of its heat and every host beneath its switch, in less than 60 kB.
#[test]
fn a_large_network_is_drawn_in_layers_with_heat() {
    // The first link is busy, the second idle, the others 30 %.
    let net = fat_tree(|link| [1.0, 0.0].get(link).copied().unwrap_or(0.3));
    let svg = net.svg();
    let path = |class: &str| {
        let found = svg.split(&format!("class=\"{class}\" d=\"")).nth(1);
        found.and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
    };
    let links = |class: &str| path(class).matches('L').count();
    let counts = [0, 1, 2, 3, 4, 5].map(|class| links(&format!("heat h{class}")));
    assert_eq!(counts, [1, 0, 1278, 0, 0, 1]);
    assert_eq!([path("hosts"), path("switches")].map(|p| p.matches('M').count()), [1024, 40]);
    for words in ["1,024 hosts", "32 switches", "8 switches"] {
        assert!(svg.contains(&format!(">{words}</text>")), "{words}");
    }
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
    // The ends of a link of a host are less than two hosts' room apart from left to right.
    for link in path("heat h2").split('M').skip(1).take(1022) {
        let numbers: Vec<f64> =
            link.split([' ', 'L']).map(|n| n.parse().expect("a place")).collect();
        assert!((numbers[0] - numbers[2]).abs() < 40.0 && numbers[1] > numbers[3], "{link}");
    }
    assert!(net.drawing().contains("to 100 % busy"));
}

/// Claim: the classes of heat are idle and five fifths, each with its upper end.
#[test]
fn heat_is_idle_or_one_of_five() {
    let class = |busy: f64| {
        let link = Link { ends: [0, 1], label: String::new(), busy: Some(busy) };
        let net = Topology {
            nodes: vec![node("A"), node("S")],
            links: vec![link],
            ..Topology::default()
        };
        let svg = net.svg();
        let found = svg.find("wire h").expect("the link has a heat");
        svg[found + 6..].chars().next()
    };
    assert_eq!([0.0, 0.2, 0.21, 0.8, 1.0].map(class), ['0', '1', '2', '4', '5'].map(Some));
}

/// Eight leaf switches of 16 hosts each, and eight spines, with a busy share for each link: first
/// those of the hosts, then those of leaf and spine.
fn fabric(busy: impl Fn(usize) -> f64) -> Topology {
    let mut nodes: Vec<Node> = (1..=128).map(|n| node(&format!("h{n}"))).collect();
    nodes.extend((1..=16).map(|n| node(&format!("S{n}"))));
    let mut ends: Vec<[usize; 2]> = (0..128).map(|host| [host, 128 + host / 16]).collect();
    ends.extend((0..8).flat_map(|leaf| (0..8).map(move |spine| [128 + leaf, 136 + spine])));
    let link = |(index, ends): (usize, [usize; 2])| Link {
        ends,
        label: "100 Gb/s, 500 ns".to_owned(),
        busy: Some(busy(index)),
    };
    Topology { nodes, links: ends.into_iter().enumerate().map(link).collect(), routes: Vec::new() }
}

/// Claim: the hosts of a switch are one box with a mark for each host in the colour of its link;
/// the link of the box has the colour of the busiest. 128 hosts fit one screen.
#[test]
fn equal_hosts_are_one_box_with_their_loads() {
    // Sixteen loads of one leaf are of all classes, so that boxes by class are too many.
    let net = fabric(|link| if link < 128 { f64::from(link as u32 % 16) / 15.0 } else { 0.1 });
    let Look::Folded(folded) = net.look() else { panic!("128 hosts are not folded") };
    let names: Vec<&str> = folded.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names[..2], ["h1 \u{2026} h16", "h17 \u{2026} h32"]);
    assert_eq!((folded.nodes.len(), folded.links.len()), (8 + 16, 8 + 64));
    assert_eq!(folded.nodes[0].equal.len(), 16);
    assert!(folded.links[..8].iter().all(|link| link.busy == Some(1.0)), "the busiest host");
    let svg = net.svg();
    // Of the shares 0, 1/15 to 1: one is idle, three are in each class.
    let marks = |class: usize| {
        let start = format!("mark-of h{class}\" d=\"");
        let paths = svg.split(&start).skip(1);
        paths.map(|path| path.split('"').next().unwrap().matches('M').count()).sum::<usize>()
    };
    assert_eq!([0, 1, 2, 3, 4, 5].map(marks), [8, 24, 24, 24, 24, 24]);
    // A phone has a picture of its own, with the same boxes; the page shows one of the two.
    let drawing = net.drawing();
    let width = |class: &str| -> f64 {
        let found = drawing.split(&format!("class=\"topology folded {class}\"")).nth(1).unwrap();
        let sizes = found.split("viewBox=\"0 0 ").nth(1).unwrap();
        sizes.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(width("narrow") < 480.0 && width("wide") > 900.0, "{}", width("narrow"));
    assert_eq!(drawing.matches(">h1 \u{2026} h16</text>").count(), 2);
    assert!(crate::STYLE.contains(".topology.narrow { display: none; }"));
    let height: f64 = svg
        .split("viewBox=\"0 0 ")
        .nth(1)
        .unwrap()
        .split(['"', ' '])
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    assert!(height < 800.0, "{height}");
    // The hottest links are drawn last, above all others.
    let order: Vec<usize> =
        svg.split("class=\"wire h").skip(1).map(|rest| rest[..1].parse().unwrap()).collect();
    assert!(order.is_sorted() && order.last() == Some(&5), "{order:?}");
    let x = columns(&folded);
    assert!(x[0] < x[8] && x[8] < x[16], "hosts, leaves, spines: {x:?}");
}

/// Claim: where boxes are few, hosts of unequal heat have their own, so the receiver of an incast
/// is seen; hosts whose links differ are never folded, nor is a pair, nor a small network.
#[test]
fn unequal_hosts_keep_their_boxes() {
    let names = |net: &Topology| {
        let Look::Folded(folded) = net.look() else { return Vec::new() };
        let hosts = folded.nodes.into_iter().filter(|node| !node.switch);
        hosts.map(|node| node.name).collect::<Vec<_>>()
    };
    let star = |hosts: usize| Topology {
        nodes: (1..=hosts).map(|n| node(&format!("h{n}"))).chain([node("S")]).collect(),
        links: (0..hosts)
            .map(|host| Link {
                ends: [host, hosts],
                label: if host == 1 { "slow" } else { "fast" }.to_owned(),
                busy: Some(if host == 0 { 1.0 } else { 0.1 }),
            })
            .collect(),
        routes: Vec::new(),
    };
    assert_eq!(names(&star(60)), ["h1", "h2", "h3 \u{2026} h60"]);
    let mut gap = star(60);
    gap.links[9].label = "slow".to_owned();
    assert_eq!(names(&gap), ["h1", "h2", "h3 +56", "h10"]);
    assert_eq!(star(31).look(), Look::Whole);
    let pairs = Topology {
        nodes: (1..=40)
            .map(|n| node(&format!("h{n}")))
            .chain((1..=20).map(|n| node(&format!("S{n}"))))
            .collect(),
        links: (0..40)
            .map(|host| Link { ends: [host, 40 + host / 2], ..Link::default() })
            .collect(),
        routes: Vec::new(),
    };
    assert_eq!(pairs.look(), Look::Crowd);
}
