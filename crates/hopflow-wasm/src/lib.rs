//! The engine in a browser's worker: questions in, answers out, all in one memory.
//!
//! ```text
//! page's worker                                module
//! at = input(length); write JSON there
//! status = ask(length)                  -->    a Request is answered
//! read output_length() bytes at output()  <--  JSON: the answer, or an Error
//! read column(k) as typed arrays        <--    rows, where the answer has some
//! ```
//! The thread that asks does all the work, and nothing is imported: no clock, no randomness, no
//! file. A run is a session of `hopflow` that advances step by step, so the worker reads its
//! messages between steps and stops on request. The results are those of the command, to the same
//! digest.
//!
//! A broken invariant ends the module (`panic = "abort"`); its message is then at [`last_words`],
//! and the worker starts again with a new instance.

mod answer;
mod calculate;
mod charts;
mod columns;
mod faults;
mod lab;
mod marks;
mod picture;
mod player;
mod request;
mod sizes;

use std::cell::RefCell;

pub use answer::Problem;
pub use columns::Columns;
pub use lab::Lab;
pub use request::Request;

/// The data that passes between the page and the module.
#[derive(Default)]
struct Desk {
    lab: Lab,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Calls `work` with the desk. Nothing here is reentrant, so the desk is always available.
fn desk<R>(work: impl FnOnce(&mut Desk) -> R) -> R {
    DESK.with(|desk| work(&mut desk.borrow_mut()))
}

/// Reserves room for a request of `length` bytes, and returns its address.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *const u8 {
    desk(|desk| {
        desk.input.clear();
        desk.input.resize(length, 0);
        desk.input.as_ptr()
    })
}

/// Answers the request of `length` bytes of JSON at [`input`]. Returns 0 if the answer is at
/// [`output`], 1 if a [`Problem`] is.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn ask(length: usize) -> u32 {
    desk(|desk| {
        let request = serde_json::from_slice(&desk.input[..length]);
        let answer = match request {
            Ok(request) => desk.lab.answer(request),
            Err(error) => Err(Problem::said(format!("the page asked for nothing known: {error}"))),
        };
        let status = u32::from(answer.is_err());
        desk.output = match answer {
            Ok(answer) => answer.to_string().into_bytes(),
            Err(problem) => serde_json::json!(problem).to_string().into_bytes(),
        };
        status
    })
}

/// The address of the last answer.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    desk(|desk| desk.output.as_ptr())
}

/// The length of the last answer in bytes.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    desk(|desk| desk.output.len())
}

/// The address of the values of a column of the last answer. The answer gives their number,
/// [`Columns`] their type.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn column(index: usize) -> *const u8 {
    desk(|desk| desk.lab.columns().at(index))
}

/// Must be called once, before all else: keeps the message of a panic at [`output`].
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        // A request is being answered, so the desk is borrowed: the message is stored elsewhere.
        LAST_WORDS.with(|words| *words.borrow_mut() = panic.to_string().into_bytes());
    }));
}

thread_local! {
    static LAST_WORDS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The address of the message of a panic.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> *const u8 {
    LAST_WORDS.with(|words| words.borrow().as_ptr())
}

/// The length of the message of a panic in bytes; 0: there was none.
#[expect(unsafe_code, reason = "the name that the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> usize {
    LAST_WORDS.with(|words| words.borrow().len())
}
