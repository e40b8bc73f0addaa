"""A result in a notebook: a piece of HTML with pictures, whole and by itself."""

import xml.etree.ElementTree as tree

import hopflow


def test_the_piece_is_whole_and_stands_alone(traced):
    """It is well-formed, has the network and a chart for what was recorded as SVG, and takes
    nothing from elsewhere: no script, no address, no picture."""
    piece = traced._repr_html_()
    root = tree.fromstring(piece)
    pictures = [one for one in root.iter("svg") if one.get("class") != "swatch"]
    kinds = {one.get("class").split()[0] for one in pictures}
    assert {"chart", "topology"} <= kinds
    assert traced.digest in piece and traced.document["manifest"]["title"] in piece
    for outside in ("<script", "src=", "href=", "@import"):
        assert outside not in piece
    assert all(part.startswith("#clip-hopflow-") for part in piece.split("url(")[1:])
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids)) > 0 and all(traced.digest in one for one in ids)


def test_names_are_escaped():
    """A title is text, whatever it holds."""
    text = hopflow.template().text
    scenario = hopflow.loads(text).with_settings('title="<b>&\\"bold\\""')
    piece = hopflow.run(scenario)._repr_html_()
    assert "&lt;b&gt;&amp;" in piece and "<b>" not in piece


def test_style_stays_inside():
    """Every rule stands in the class of the piece, so that a notebook looks as it did."""
    piece = hopflow.run(hopflow.template())._repr_html_()
    style = piece.split("<style>")[1].split("</style>")[0]
    style = style.split("*/")[-1].strip()
    assert style.startswith(".hopflow-run {") and style.endswith("}")
    depth = 0
    for place, letter in enumerate(style):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth > 0 or letter == "}" or place < len(".hopflow-run "), place
    assert depth == 0
