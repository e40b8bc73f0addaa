//! Nodes, link directions and flows, found by the names that a file gives them.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::DirectionId;

use crate::Code;
use crate::diagnostic::Sink;
use crate::link::Links;
use crate::naming::short;
use crate::node::{Nodes, there_are};
use crate::value::nearest;

/// Names that `[record]` may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'m> {
    pub(crate) nodes: &'m Nodes,
    pub(crate) links: &'m Links,
    pub(crate) flows: &'m BTreeMap<String, usize>,
}

impl Names<'_> {
    /// A direction written `"A->B"` or `"A->B#2"`.
    pub(crate) fn direction(
        &self,
        text: &str,
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<DirectionId> {
        let Some((from, to)) = text.split_once("->") else {
            let message = format!("`{}` is not a link direction", short(text));
            sink.error(Code::NO_SUCH_LINK, span, message).hint("write `\"FROM->TO\"`");
            return None;
        };
        self.links.find([from.trim(), to.trim()], span, self.nodes, sink)
    }
}

/// The flow of this name.
pub(crate) fn find_flow(
    name: &str,
    span: &Range<usize>,
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<usize> {
    let found = flows.get(name).copied();
    if found.is_none() {
        let message = format!("no flow is named `{}`", short(name));
        let error = sink.error(Code::UNKNOWN_NAME, span, message);
        if let Some(near) = nearest(name, flows.keys().map(String::as_str)) {
            error.hint(format!("did you mean `{near}`?"));
        } else if !flows.is_empty() {
            error.hint(there_are(flows.keys().map(String::as_str)));
        }
    }
    found
}
