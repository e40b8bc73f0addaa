//! Frames of coders: their bits are their quality.

use hopflow::Summary;
use hopflow::record::VideoSummary;

use crate::output::{Columns, Table, cell, number};

/// One row for each VC whose source is a coder.
pub(super) fn table(summary: &Summary) -> Table {
    let columns: Columns<(&str, &VideoSummary)> = &[
        ("VC", |(vc, _)| (*vc).to_owned()),
        ("#frames", |(_, video)| cell(video.frames)),
        ("#bits a frame", |(_, video)| number(video.frame_bits_mean, 1)),
        ("#least", |(_, video)| video.frame_bits_least.map_or_else(String::new, cell)),
        ("#most", |(_, video)| cell(video.frame_bits_most)),
        ("#change a frame", |(_, video)| number(video.frame_bits_change, 1)),
    ];
    let vcs = summary.vcs.iter();
    let vcs = vcs.filter_map(|vc| Some((vc.name.as_str(), vc.video.as_ref()?)));
    let part = |video: &VideoSummary| video.frame_bits_change / video.frame_bits_mean.max(1.0);
    let ranks = vcs.clone().map(|(_, video)| [part(video), 0.0]);
    let table = Table::of(columns, vcs).worst("the least steady", "video", ranks);
    table.without(summary.vcs_left_out)
}
