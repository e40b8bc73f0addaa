// The page: its charts, their buttons, hints, and tables that are wider than the window.

const charts = document.querySelectorAll("figure.plot");
charts.forEach(chart);
document.querySelectorAll("figure.plot, figure.drawing").forEach((figure) => {
  // Of a picture for wide pages and one for narrow pages, the one that is shown.
  const pictures = [...figure.querySelectorAll("svg.chart, svg.topology")];
  const shown = () => pictures.find((svg) => svg.clientWidth > 0) || pictures[0];
  const box = document.createElement("div");
  box.className = "save";
  for (const kind of ["svg", "png"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind.toUpperCase();
    button.title = `Save this picture as ${kind.toUpperCase()}`;
    button.addEventListener("click", () => save(figure, shown(), kind));
    box.appendChild(button);
  }
  figure.prepend(box);
});
// At the first chart, in the words of the reader's device.
if (charts.length > 0) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = matchMedia("(pointer: coarse)").matches
    ? "Charts: touch to read values; touch a name to hide its line."
    : "Charts: point to read values; drag to zoom, Shift and drag to move, " +
    "double click to see all; click a name to hide its line. By keyboard: Tab to a chart, then " +
    "\u2190 \u2192, + \u2212, Shift with \u2190 \u2192, 0.";
  (charts[0].closest(".grid, .beside") || charts[0]).before(hint);
}
// A table that is wider than the window says so.
document.querySelectorAll(".table").forEach((box) => {
  const hint = document.createElement("p");
  hint.className = "sideways";
  hint.textContent = "The table is wider than the window: scroll it sideways \u2192";
  const title = box.querySelector("caption");
  if (title) title.append(hint);
  else box.before(hint);
  new ResizeObserver(() => { hint.hidden = box.scrollWidth <= box.clientWidth + 2; })
    .observe(box);
});
addEventListener("beforeprint", () =>
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
