//! The hosts, the programs, and the report of the run.

mod sent;
mod table;
mod verdict;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope};
use std::time::Duration;

use hopflow::Scenario;
use hopflow_live::{
    Bulk, Emulated, Emulation, Evidence, Glance, HOST, Hosts, Pair, Profile, Program, TcpSettings,
    may_make_networks, real_hosts, recorded,
};
use hopflow_scenario::ScenarioFile;
use hopflow_units::{Picos, SimTime};

use self::sent::Reading;
use self::table::Table;
use crate::args::{EmulateArgs, ProfileName};
use crate::commands::{report, run};
use crate::fail::Fail;
use crate::progress::cancel_on_interrupt;
use crate::{Outcome, exit, output};

/// The processor of the network; hosts use the others.
const PROCESSOR: usize = 0;
/// How often sockets are looked at.
const LOOK: Duration = Duration::from_millis(5);
/// The time between the start of servers and of the main program, without `--ready`.
const HEAD_START: Duration = Duration::from_millis(300);

pub(super) fn emulate(args: &EmulateArgs) -> Outcome {
    if args.run.seeds.is_some() {
        return Err(Fail::input("--seeds: a run of real hosts cannot be run again. Leave it out"));
    }
    let (file, scenario) = run::asked(&args.run)?;
    let (mut live, pairs) = real_hosts(&scenario).map_err(Fail::input)?;
    if args.addresses {
        return addresses(&scenario, &pairs);
    }
    if let Some(folder) = &args.replay {
        return replay(args, folder, &file, &scenario, &pairs);
    }
    let expect = args.expect.then(|| verdict::expected(&file, &scenario)).transpose()?;
    if live.network.duration == Picos::ZERO {
        return Err(Fail::input("the scenario has no duration: give one with --duration \"10 s\""));
    }
    // The run that is simulated again is recorded.
    live.record = hopflow::record::RecordSpec::default();
    may_make_networks().map_err(Fail::input)?;
    let settings = settings(args, &scenario, &pairs)?;
    let hosts = Hosts::new(&live.network, &pairs, &settings).map_err(Fail::input)?;
    let work = Work::new(args, &hosts, &pairs)?;
    let emulation = Emulation::new(&live, &pairs, false).map_err(Fail::input)?;
    let cancel = cancel_on_interrupt();
    let done = work.with(emulation, &hosts, &pairs, args, &cancel)?;
    work.all_started()?;
    if done.result.end == SimTime::ZERO {
        work.failed(&done.evidence)?;
        let message = "the program ended before the first instant of the run: nothing was sent. \
                       Call one that lasts longer";
        return Err(Fail::input(message));
    }
    let reads = work.reads(&pairs, &done.evidence);
    let kept = simulate_again(args, &file, &scenario, &pairs, &done, &reads);
    say(args, &done, &reads);
    kept?;
    if cancel.load(Ordering::Relaxed) {
        return Err(Fail::Interrupted);
    }
    let met = expect.map(|expect| verdict::met(&expect, &done, &reads, args.run.output.quiet));
    work.failed(&done.evidence)?;
    if met == Some(false) { Err(Fail::Property) } else { Ok(()) }
}

/// The TCP settings of hosts.
fn settings(args: &EmulateArgs, scenario: &Scenario, pairs: &[Pair]) -> Result<TcpSettings, Fail> {
    let profile = match args.profile {
        ProfileName::LinuxDefault => Profile::LinuxDefault,
        ProfileName::Reno1994 => Profile::Reno1994,
    };
    let mut settings = TcpSettings { profile, ..TcpSettings::default() };
    let mut real: Vec<usize> = pairs.iter().flat_map(|pair| pair.hosts).collect();
    real.sort_unstable();
    real.dedup();
    let name_of = |node: &usize| scenario.network.nodes[*node].name.as_str();
    for text in &args.congestion {
        let Some((host, name)) = text.split_once('=') else {
            settings.congestion = Some(text.clone());
            continue;
        };
        let node = real.iter().find(|node| name_of(node) == host).ok_or_else(|| {
            let known = real.iter().map(name_of).collect::<Vec<_>>().join(", ");
            Fail::input(format!("--congestion {text}: no real host `{host}`: there are {known}"))
        })?;
        settings.of_hosts.insert(*node, name.to_owned());
    }
    Ok(settings)
}

/// Prints the addresses of each connection.
fn addresses(scenario: &Scenario, pairs: &[Pair]) -> Outcome {
    for pair in pairs {
        let [first, second] = pair.hosts.map(|host| &scenario.network.nodes[host].name);
        let [from, to] = pair.addresses;
        output::write(&format!("{}: {first} {from}, {second} {to}\n", pair.name))?;
    }
    Ok(())
}

/// What hosts sent, simulated and kept as any run. The digest is that of the live run, or the
/// simulation of one of them is broken.
fn simulate_again(
    args: &EmulateArgs,
    file: &ScenarioFile,
    scenario: &Scenario,
    pairs: &[Pair],
    done: &Emulated,
    reads: &[Reading],
) -> Outcome {
    let mut again = recorded(scenario, &done.sent).map_err(Fail::input)?;
    again.network.duration = Picos(done.result.end.0);
    let ran = run::run_scenario(&args.run, file, &again)?;
    assert_eq!(ran.digest, done.result.digest, "the run of the record is the live run");
    if let Some(folder) = ran.kept {
        sent::write(&folder, pairs, done, reads)?;
        report::renew(&folder)?;
    }
    ran.outcome
}

/// What hosts sent in an earlier run, simulated again.
fn replay(
    args: &EmulateArgs,
    folder: &Path,
    file: &ScenarioFile,
    scenario: &Scenario,
    pairs: &[Pair],
) -> Outcome {
    let (sent, ended) = sent::read(folder, pairs)?;
    let mut again = recorded(scenario, &sent).map_err(Fail::input)?;
    again.network.duration = Picos(ended.end_ps);
    let ran = run::run_scenario(&args.run, file, &again)?;
    let digest = format!("{:016x}", ran.digest);
    if digest != ended.digest {
        eprintln!("another digest: {digest}, of the live run {}", ended.digest);
        return Err(Fail::Property);
    }
    ran.outcome
}

/// A socket for which the main program waits.
struct Ready {
    /// As the user wrote it.
    text: String,
    node: usize,
    port: u16,
}

/// The programs and bulk data of hosts.
struct Work {
    bulks: Vec<Bulk>,
    servers: Vec<Program>,
    main: Option<Program>,
    ready: Vec<Ready>,
    ended: std::sync::Mutex<Option<ExitStatus>>,
    wrong: std::sync::Mutex<Vec<String>>,
}

impl Work {
    fn new(args: &EmulateArgs, hosts: &Hosts, pairs: &[Pair]) -> Result<Work, Fail> {
        let find = |name: &str| {
            hosts.find(name).ok_or_else(|| {
                let known = hosts.names().collect::<Vec<_>>().join(", ");
                Fail::input(format!("no real host is called `{name}`: there are {known}"))
            })
        };
        let server = |text: &String| {
            let (host, program) = text.split_once('=').ok_or_else(|| {
                Fail::input(format!("--serve {text:?}: give HOST=PROGRAM, as in \"B=iperf3 -s\""))
            })?;
            let command: Vec<OsString> = program.split_whitespace().map(OsString::from).collect();
            if command.is_empty() {
                return Err(Fail::input(format!("--serve {text:?}: no program behind the `=`")));
            }
            Ok(Program { node: find(host.trim())?, command })
        };
        let ready = |text: &String| {
            let split = text.rsplit_once(':').and_then(|(host, port)| {
                Some((host, port.parse().ok().filter(|port: &u16| *port > 0)?))
            });
            let (host, port) = split.ok_or_else(|| {
                Fail::input(format!("--ready {text:?}: give HOST:PORT, as in \"B1:5201\""))
            })?;
            Ok::<_, Fail>(Ready { text: text.clone(), node: find(host.trim())?, port })
        };
        let main = args.at.as_deref().map(|host| {
            Ok::<_, Fail>(Program { node: find(host)?, command: args.program.clone() })
        });
        let main = main.transpose()?;
        let bulks = if main.is_some() { Vec::new() } else { vec![(); pairs.len()] };
        Ok(Work {
            bulks: bulks.iter().map(|()| Bulk::default()).collect(),
            servers: args.serve.iter().map(server).collect::<Result<_, _>>()?,
            main,
            ready: args.ready.iter().map(ready).collect::<Result<_, _>>()?,
            ended: std::sync::Mutex::default(),
            wrong: std::sync::Mutex::default(),
        })
    }

    /// Runs the network with these. It ends with the scenario, the main program or Ctrl-C.
    fn with(
        &self,
        emulation: Emulation,
        hosts: &Hosts,
        pairs: &[Pair],
        args: &EmulateArgs,
        cancel: &AtomicBool,
    ) -> Result<Emulated, Fail> {
        let (over, end) = (AtomicBool::new(false), AtomicBool::new(false));
        let glance = Glance::new(pairs.len());
        let table = Table::new(args.run.output.quiet, emulation.end(), pairs, &glance);
        let done = thread::scope(|scope| {
            self.start(scope, hosts, pairs, &over, &end);
            scope.spawn(|| table.show(&over, cancel, &end));
            let done = emulation.run(hosts, PROCESSOR, &end, &glance);
            over.store(true, Ordering::Relaxed);
            done
        });
        done.map_err(|fault| Fail::Fault(fault.to_string()))
    }

    /// `over`: the run has ended; `end` ends it.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        hosts: &'scope Hosts,
        pairs: &'scope [Pair],
        over: &'scope AtomicBool,
        end: &'scope AtomicBool,
    ) {
        let fine = |what: &str, done: std::io::Result<()>| {
            if let Err(cause) = done {
                let mut wrong = self.wrong.lock().expect("nobody panics with it");
                wrong.push(format!("{what}: {cause}"));
            }
        };
        for (pair, bulk) in pairs.iter().zip(&self.bulks) {
            let work = || thread::Builder::new().name(HOST.to_owned());
            let receive = move || fine(&pair.name, bulk.receive(hosts, pair, PROCESSOR, over));
            let send = move || fine(&pair.name, bulk.send(hosts, pair, PROCESSOR, over));
            work().spawn_scoped(scope, receive).expect("the system has threads");
            work().spawn_scoped(scope, send).expect("the system has threads");
        }
        for server in &self.servers {
            scope.spawn(move || {
                let done = server.run(hosts, pairs, PROCESSOR, over);
                fine(&server.command[0].to_string_lossy(), done.map(|_| ()));
            });
        }
        if let Some(main) = &self.main {
            scope.spawn(move || {
                let begins = self.wait_for_servers(hosts, over);
                if let Err(why) = begins {
                    let mut wrong = self.wrong.lock().expect("nobody panics with it");
                    wrong.push(why);
                    end.store(true, Ordering::Relaxed);
                    return;
                }
                let done = main.run(hosts, pairs, PROCESSOR, over);
                if let Ok(status) = &done {
                    *self.ended.lock().expect("nobody panics with it") = *status;
                }
                fine(&main.command[0].to_string_lossy(), done.map(|_| ()));
                end.store(true, Ordering::Relaxed);
            });
        }
    }

    /// Returns when the sockets of `--ready` listen, or else after the usual time. An error if the
    /// run ends before.
    fn wait_for_servers(&self, hosts: &Hosts, over: &AtomicBool) -> Result<(), String> {
        if self.ready.is_empty() && !self.servers.is_empty() {
            thread::sleep(HEAD_START);
        }
        for Ready { text, node, port } in &self.ready {
            let wrong = |cause| format!("--ready {text}: {cause}");
            while !hosts.listens(*node, *port).map_err(wrong)? {
                if over.load(Ordering::Relaxed) {
                    return Err(format!("--ready {text}: no socket listened there during the run"));
                }
                thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// The bulk data that was read, by connection.
    fn reads(&self, pairs: &[Pair], evidence: &Evidence) -> Vec<Reading> {
        let reading = |(pair, bulk): (&Pair, &Bulk)| {
            let bytes = bulk.received();
            Reading {
                name: pair.name.clone(),
                read_bytes: bytes,
                read_bps: bytes as f64 * 8.0 / evidence.seconds,
            }
        };
        pairs.iter().zip(&self.bulks).map(reading).collect()
    }

    /// An error if a program could not be started or a socket failed: there is no result.
    fn all_started(&self) -> Outcome {
        let wrong = self.wrong.lock().expect("nobody panics with it");
        if wrong.is_empty() { Ok(()) } else { Err(Fail::input(wrong.join("\n"))) }
    }

    /// The outcome of the command.
    fn failed(&self, evidence: &Evidence) -> Outcome {
        let ended = *self.ended.lock().expect("nobody panics with it");
        if let Some(status) = ended.filter(|status| !status.success()) {
            eprintln!("the program ended with {status}");
            return Err(Fail::Property);
        }
        if evidence.disturbed.is_empty() { Ok(()) } else { Err(Fail::Ended(exit::DISTURBED)) }
    }
}

/// Reports how the run went.
fn say(args: &EmulateArgs, done: &Emulated, reads: &[Reading]) {
    let Evidence { late, .. } = &done.evidence;
    let mut text = String::new();
    if !args.run.output.quiet {
        for Reading { name, read_bps, .. } in reads {
            let rate = output::number(read_bps / 8e6, 3);
            let _ = writeln!(text, "{name}: {rate} MB/s read by the program");
        }
        let us = |ns: u64| output::number(ns as f64 / 1e3, 1);
        let _ = writeln!(
            text,
            "late: {} us in the median, {} at 99 %, {} at 99.9 %, {} at most, of {} packets",
            us(late.p50_ns),
            us(late.p99_ns),
            us(late.p999_ns),
            us(late.max_ns),
            late.packets,
        );
        if done.evidence.host_lost_packets > 0 {
            let lost = done.evidence.host_lost_packets;
            let _ = writeln!(text, "hosts lost {lost} packets in their own devices");
        }
    }
    for why in &done.evidence.disturbed {
        let _ = writeln!(text, "disturbed: {why}");
    }
    if !done.evidence.disturbed.is_empty() {
        let what = "what was lost, sent and simulated is true; times and rates of real hosts are \
                    of a busy machine";
        let _ = writeln!(text, "{what}");
    }
    eprint!("{text}");
}
