// A chart saved as a picture of its own.

// The style that a picture carries itself, because it has no style sheet.
const STYLED = { fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px",
  "stroke-opacity": "1", "stroke-dasharray": "none", "stroke-dashoffset": "0px",
  "stroke-linecap": "butt", "stroke-linejoin": "miter", "paint-order": "normal", opacity: "1",
  display: "inline", "font-size": "16px", "font-weight": "400", "font-family": "",
  "text-anchor": "start" };

function styled(svg) {
  const copy = svg.cloneNode(true), from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((one, i) => {
    const style = getComputedStyle(from[i]), text = one.tagName === "text";
    for (const key in STYLED) {
      const value = style.getPropertyValue(key);
      if (value !== STYLED[key] && (text || !/^(font|text)/.test(key))) {
        one.setAttribute(key, value);
      }
    }
    one.removeAttribute("class");
    one.removeAttribute("style");
  });
  copy.querySelectorAll("rect, path, text, circle").forEach((one) => {
    if (one.getAttribute("display") === "none") one.remove();
  });
  return copy;
}

// The chart with its title above, its legend below it, and the page's colour behind.
function alone(figure, svg) {
  const body = getComputedStyle(document.body), legend = figure.querySelector(".legend");
  const wide = Math.round(svg.clientWidth), tall = Math.round(svg.clientHeight);
  const below = legend ? legend.offsetHeight : 0, font = body.fontFamily;
  const height = 30 + below + tall + 6;
  const root = element("svg", { xmlns: SVG, width: wide, height,
    viewBox: `0 0 ${wide} ${height}` });
  element("rect", { width: wide, height, fill: body.backgroundColor }, root);
  const write = (x, y, size, weight, words) => {
    element("text", { x, y, fill: body.color, "font-family": font, "font-size": size,
      "font-weight": weight }, root).textContent = words;
  };
  const title = figure.querySelector("h3");
  write(4, 19, 16, 600, title ? title.textContent : document.title);
  const place = (copy, x, y, width, height) => {
    for (const [key, value] of Object.entries({ x, y, width, height })) {
      copy.setAttribute(key, value);
    }
    copy.removeAttribute("style");
    root.appendChild(copy);
  };
  const origin = legend && legend.getBoundingClientRect();
  for (const item of legend ? legend.children : []) {
    const box = item.getBoundingClientRect(), swatch = item.querySelector("svg");
    if (item.querySelector('[aria-pressed="false"]')) continue;
    const x = box.left - origin.left, y = 30 + box.top - origin.top;
    if (swatch) place(styled(swatch), x + 3, y + (box.height - 12) / 2, 26, 12);
    write(x + (swatch ? 36 : 3), y + box.height / 2 + 5, 13.6, 400, item.textContent);
  }
  place(styled(svg), 0, 30 + below, wide, tall);
  return new XMLSerializer().serializeToString(root);
}

function keep(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Saves the chart as it is seen now, zoom and hidden lines included; PNG at twice the size.
function save(figure, svg, kind) {
  const hover = svg.querySelector(".hover");
  if (hover) hover.textContent = "";
  const picture = alone(figure, svg), name = (figure.id || "network") + "." + kind;
  const file = new Blob([picture], { type: "image/svg+xml" });
  if (kind === "svg") return keep(file, name);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => keep(blob, name), "image/png");
  };
  image.src = "data:image/svg+xml," + encodeURIComponent(picture);
}
