//! Mistakes in `[expect]`.

use hopflow_scenario::Code;

use super::Case;

pub(crate) const CASES: &[Case] = &[
    (Code::EXPECTS_NOTHING, "", "[expect]\ntask = \"Fill the link.\""),
    (Code::EXPECTS_NOTHING, "", "[expect]\ndigest = []"),
    (Code::EXPECTS_NOTHING, "", "[expect]\nvalues = []"),
    (Code::EXPECTS_NOTHING, "", "[[expect.values]]\npath = \"vcs/f1/throughput_bps\""),
    (Code::BAD_DIGEST, "", "[expect]\ndigest = \"0123456789abcde\""),
    (Code::BAD_DIGEST, "", "[expect]\ndigest = [\"0123456789abcdef\", \"0x23456789abcdef\"]"),
    (Code::BOUNDS, "", "[[expect.values]]\npath = \"end_ps\"\nleast = 2\nmost = 1.5"),
    (Code::MISSING_KEY, "", "[[expect.values]]\nleast = 2"),
    (Code::UNKNOWN_KEY, "", "[expect]\ndigest = \"0123456789abcdef\"\nanswer = 3"),
    (Code::UNKNOWN_KEY, "", "[[expect.values]]\npath = \"end_ps\"\nleast = 1\nmax = 2"),
    (Code::WRONG_TYPE, "", "[expect]\ndigest = 123456789"),
    (Code::WRONG_TYPE, "", "[[expect.values]]\npath = \"end_ps\"\nleast = \"9 Mb/s\""),
    (Code::WRONG_TYPE, "", "[expect.values]\npath = \"end_ps\"\nleast = 1"),
    (Code::OUT_OF_RANGE, "", "[[expect.values]]\npath = \"end_ps\"\nmost = 1e999"),
];
