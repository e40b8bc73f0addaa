//! The end of a process to which the system gives no more memory or threads, as under `ulimit -v`,
//! `ulimit -u`, or without overcommitment of memory.
//!
//! Whether a run fits is estimated before it begins (`memory.rs`). An allocation may fail all the
//! same: the estimate does not count files that are read, pages of charts, or addresses that are
//! reserved. The standard library then prints `memory allocation of N bytes failed` and aborts, and
//! stable Rust has no hook for that. A handler of the signal of the abort needs no memory: it ends
//! the process with a code that the help lists. What the command was building stays under its other
//! name, and `hopflow doctor --clean` removes it.
//!
//! Another process that watches this one could say more. It would cost its start, and would have to
//! pass on signals, so there is none.
//!
//! Every abort ends so, whatever its cause: the handler does not learn it. A stack that overflows
//! and a panic during another one end with the same code, each after a message that says so.
//!
//! Not covered: the end by the system itself (SIGKILL), where memory was promised that is not
//! there.

use crate::exit;

/// From here on an abort ends the process with a code of its own.
#[cfg(unix)]
pub(crate) fn end_with_a_code() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let always = Arc::new(AtomicBool::new(true));
    let code = i32::from(exit::STARVED);
    let (abort, register) =
        (signal_hook::consts::SIGABRT, signal_hook::flag::register_conditional_shutdown);
    // Where this is refused, an abort is what it always was.
    let _ = register(abort, code, always);
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub(crate) fn end_with_a_code() {}

/// What to say of a panic that only says that the system refused a thread; `None` of any other.
/// Most threads have a builder, whose refusal is an error; those of a scope panic.
pub(crate) fn refused_thread(panic: &str) -> Option<String> {
    let (_, why) = panic.split_once("failed to spawn thread: ")?;
    let why = why.lines().next().unwrap_or_default();
    Some(format!(
        "the system refuses another thread ({why}): raise the limit of processes or of memory \
         (`ulimit -u`, `ulimit -v`), or give fewer --threads"
    ))
}

/// The exit code of a panic, after its message.
pub(crate) fn code_of_panic(panic: &str) -> u8 {
    if let Some(why) = refused_thread(panic) {
        eprintln!("error: {why}");
        return exit::STARVED;
    }
    eprintln!("internal fault: {panic}");
    eprintln!(
        "This is a mistake in hopflow {}, not in your input. Please report it with the scenario, \
         the command and this message.",
        env!("CARGO_PKG_VERSION")
    );
    exit::FAULT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the panic of the standard library for a thread that is refused is no mistake of
    /// hopflow: its message is replaced by the limits to raise. Every other panic is one.
    #[test]
    fn a_refused_thread_is_no_mistake_of_hopflow() {
        let said = "panicked at library/std/src/thread/scoped.rs:206:46:\nfailed to spawn thread: \
                    Os { code: 11, kind: WouldBlock, message: \"Resource unavailable\" }";
        let why = refused_thread(said).unwrap();
        assert!(why.contains("WouldBlock") && why.contains("ulimit -v"), "{why}");
        assert_eq!(refused_thread("panicked at a.rs:1:1:\nan empty buffer"), None);
    }
}
