// Charts for the width of the window, values under the pointer, zoom, hiding of lines, and saving.
// The page is complete without it. Nothing is loaded from anywhere.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const charts = document.querySelectorAll("figure.plot");

  function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(made);
    return made;
  }

  const fixed = (number) => +number.toFixed(1);
  const clamp = (value, from, to) => Math.max(from, Math.min(to, value));

  // A number as short as a range of this length allows.
  function digits(value, length) {
    const decimals = clamp(1 - Math.floor(Math.log10(length / 10 || 1)), 0, 12);
    return value.toLocaleString("en", { maximumFractionDigits: decimals });
  }

  // A measured value with up to six significant digits, whole numbers in full.
  function measured(value) {
    if (Number.isInteger(value)) return value.toLocaleString("en");
    return value.toLocaleString("en", { maximumSignificantDigits: 6 });
  }

  // The least of 1, 2 and 5 times a power of ten of which at most `count` fill `length`.
  function stepOf(length, count) {
    const power = 10 ** Math.floor(Math.log10(length / count) + 1e-9);
    const rest = length / count / power - 1e-9;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
  }

  // Index of the last x at or before `at`, -1 if there is none.
  function before(x, at) {
    let low = 0, high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] <= at) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  // The point of `line` to show for the place `at`: the value held, or the nearest point.
  function pointAt(line, at) {
    const last = before(line.x, at);
    if (line.kind === "step") return last;
    const next = last + 1;
    if (next >= line.x.length) return last;
    return last < 0 || line.x[next] - at < at - line.x[last] ? next : last;
  }

  // The value of a joined line at `at`; undefined where the line is not.
  function valueAt(line, at) {
    const i = before(line.x, at), from = line.x[i], to = line.x[i + 1];
    if (i < 0 || line.kind === "step") return line.y[i];
    if (to === undefined) return at > from ? undefined : line.y[i];
    return line.y[i] + ((line.y[i + 1] - line.y[i]) * (at - from)) / (to - from);
  }

  // The integral of a joined line as a function: of its points, or of the means in the page
  // where points were left out.
  function integralOf(line, [low, high]) {
    const x = [], sum = [];
    let all = 0;
    if (line.mean) {
      const part = (high - low) / line.mean.length;
      line.mean.forEach((mean, i) => {
        x.push(low + i * part);
        sum.push(all);
        all += (mean || 0) * part;
      });
    } else {
      line.x.forEach((at, i) => {
        const y = line.kind === "step" ? line.y[i - 1] : (line.y[i - 1] + line.y[i]) / 2;
        if (i > 0) all += y * (at - line.x[i - 1]);
        x.push(at);
        sum.push(all);
      });
      const end = Math.max(high, x[x.length - 1]);
      if (line.kind === "step") all += line.y[line.y.length - 1] * (end - x[x.length - 1]);
    }
    x.push(Math.max(high, x[x.length - 1] || 0));
    sum.push(all);
    return (at) => {
      const i = clamp(before(x, at), 0, x.length - 2), length = x[i + 1] - x[i];
      return length > 0 ? sum[i] + ((sum[i + 1] - sum[i]) * (at - x[i])) / length : sum[i];
    };
  }

  // First and last of each run of buckets in which the line turns too often to be drawn.
  function denseRuns(line, low, size, count) {
    const turns = new Uint32Array(count), runs = [];
    let up = null;
    const first = Math.max(0, before(line.x, low));
    for (let i = first; i + 1 < line.x.length && line.x[i] <= low + size * count; i++) {
      if (line.y[i] === line.y[i + 1]) continue;
      const rises = line.y[i] < line.y[i + 1];
      if (up !== null && up !== rises) turns[Math.floor((line.x[i] - low) / size)]++;
      up = rises;
    }
    turns.forEach((many, bucket) => {
      if (many < 2) return;
      const run = runs[runs.length - 1];
      if (run && bucket - run[1] <= 6) run[1] = bucket; else runs.push([bucket, bucket]);
    });
    return runs.filter(([from, to]) => to - from >= 6);
  }

  function chart(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const frame = figure.querySelector(".frame");
    const svg = frame.querySelector("svg");
    const readout = frame.querySelector(".readout");
    const part = (name) => svg.querySelector(name);
    const hover = part(".hover"), xAxis = part(".x-axis"), bands = part(".bands");
    const groups = svg.querySelectorAll(".series > g");
    const [full, tall] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
    const [left, top, plotted, height] = data.plot;
    const title = xAxis.querySelector(".label");
    const shown = data.lines.map(() => true);
    let width = plotted, [low, high] = data.x, cursor = null, drag = null;

    const xPlace = (x) => left + (width * (x - low)) / (high - low);
    const xValue = (place) => low + ((high - low) * (place - left)) / width;
    const yPlace = (y, line) => {
      const [from, to] = line.right ? data.right : data.y;
      return top + height - (height * (y - from)) / (to - from);
    };
    const at = (x, y, line) =>
      fixed(clamp(xPlace(x), left - 4 * width, left + 5 * width)) + " " + fixed(yPlace(y, line));

    const tools = document.createElement("div");
    tools.className = "tools";
    tools.hidden = true;
    tools.innerHTML = '<button type="button">show all</button>';
    frame.appendChild(tools);
    tools.firstChild.addEventListener("click", () => zoom(data.x[0], data.x[1]));

    function drawAxis() {
      xAxis.textContent = "";
      const step = stepOf(high - low, Math.max(3, Math.floor(width / 80)));
      const bottom = top + height;
      element("path", { class: "axis", d: `M${left} ${bottom}h${width}` }, xAxis);
      for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) {
        const x = fixed(xPlace(n * step));
        element("path", { class: "grid", d: `M${x} ${top}v${height}` }, xAxis);
        element("text", { class: "tick", x, y: bottom + 17, "text-anchor": "middle" }, xAxis)
          .textContent = digits(n * step + 0, step);
      }
      title.setAttribute("x", left + width / 2);
      xAxis.appendChild(title);
    }

    // A joined line: pieces of a path, and bands with their means where it is too dense.
    function drawJoined(line, group) {
      const count = Math.max(1, Math.floor(width / 4)), size = (high - low) / count;
      line.integral = line.integral || integralOf(line, data.x);
      let area = "", path = "", from = low;
      const piece = (to) => {
        const first = before(line.x, from) + 1, last = before(line.x, to);
        const points = [[from, valueAt(line, from)]];
        for (let i = first; i <= last; i++) points.push([line.x[i], line.y[i]]);
        points.push([to, valueAt(line, to)]);
        let begun = false;
        for (const [x, y] of points) {
          if (y === undefined || x < from) continue;
          const place = at(x, y, line);
          if (!begun) path += "M" + place;
          else if (line.kind === "step") path += "H" + place.replace(" ", "V");
          else path += "L" + place;
          begun = true;
        }
      };
      for (const [first, last] of denseRuns(line, low, size, count)) {
        if (low + first * size > from) piece(low + first * size);
        let over = "", under = "", mean = "";
        for (let bucket = first; bucket <= last; bucket++) {
          const x = low + bucket * size, end = x + size, entry = valueAt(line, x);
          let least = entry ?? Infinity, most = entry ?? -Infinity;
          for (let i = before(line.x, x) + 1; i < line.x.length && line.x[i] < end; i++) {
            least = Math.min(least, line.y[i]);
            most = Math.max(most, line.y[i]);
          }
          if (least > most) continue;
          const middle = clamp((line.integral(end) - line.integral(x)) / size, least, most);
          over += (over ? "L" : "M") + at(x, most, line) + "L" + at(end, most, line);
          under = "L" + at(end, least, line) + "L" + at(x, least, line) + under;
          mean += (mean ? "L" : "M") + at(x + size / 2, middle, line);
        }
        area += over + under + "z";
        path += mean;
        from = low + (last + 1) * size;
      }
      if (from < high) piece(high);
      if (area) element("path", { class: "a s" + line.look, d: area }, group);
      const drawn = element("path", { class: "s s" + line.look, d: path }, group);
      if (line.style) drawn.setAttribute("style", line.style);
    }

    function drawLine(line, group) {
      group.textContent = "";
      const from = Math.max(0, before(line.x, low)), to = before(line.x, high);
      if (line.kind === "points") {
        let d = "";
        for (let i = from; i <= to; i++) {
          if (line.x[i] >= low) d += "M" + at(line.x[i], line.y[i], line) + "h0";
        }
        element("path", { class: "d s" + line.look, d }, group);
      } else if (line.kind === "bars") {
        const all = data.lines.filter((one) => one.kind === "bars");
        const each = data.slot / all.length;
        for (let i = from; i <= Math.min(to + 1, line.x.length - 1); i++) {
          const x = line.x[i] - data.slot / 2 + all.indexOf(line) * each;
          const y = [yPlace(line.y[i], line), yPlace(0, line)].sort((a, b) => a - b);
          element("rect", { class: "f s" + line.look, x: fixed(xPlace(x)), y: fixed(y[0]),
            width: fixed(xPlace(x + each) - xPlace(x)), height: fixed(y[1] - y[0]) }, group);
        }
      } else if (line.x.length > 0) {
        drawJoined(line, group);
      }
    }

    // Shaded ranges, reference lines and marks, with their labels.
    function drawBand(band) {
      const look = band.look === null ? "" : " s" + band.look, upright = band.along === "x";
      const within = ([from, to], [least, most]) =>
        [from === null ? least : Math.max(from, least), to === null ? most : Math.min(to, most)];
      const own = within(band.range, upright ? [low, high] : data.y);
      const span = within(band.span || [null, null], upright ? data.y : [low, high]);
      if (own[0] > own[1] || span[0] > span[1]) return;
      const [x, y] = upright ? [own, span] : [span, own];
      const [x0, x1] = x.map(xPlace).map(fixed), [y1, y0] = y.map((v) => fixed(yPlace(v, band)));
      const tall = fixed(y1 - y0), wide = fixed(x1 - x0);
      if (span[0] === span[1] && !upright) {
        const middle = fixed((y0 + y1) / 2), foot = (at) => `M${x0 - 5} ${at}h10`;
        element("path", tall < 4
          ? { class: "point" + look, d: `M${x0} ${middle - 6}l6 6l-6 6l-6-6z` }
          : { class: "whisker" + look, d: `M${x0} ${y0}v${tall}` + foot(y0) + foot(y1) }, bands);
      } else if (own[0] < own[1]) {
        element("rect", { class: "band" + look, x: x0, y: y0, width: wide, height: tall }, bands);
      } else {
        element("path", { class: "mark" + look, d: `M${x0} ${y1}L${x1} ${y0}` }, bands);
      }
      if (band.label) {
        element("text", { class: "note-of" + look, "text-anchor": "end",
          x: clamp(x1, left + 36, left + width) - 3, y: Math.max(y0 - 3, top + 11) }, bands)
          .textContent = band.label;
      }
    }

    function draw() {
      drawAxis();
      data.lines.forEach((line, index) => drawLine(line, groups[index]));
      bands.textContent = "";
      data.bands.forEach(drawBand);
    }

    // Lays the chart out for a picture of `wide` units, so that texts keep their size.
    function layOut(wide) {
      wide = Math.max(260, Math.round(wide));
      if (wide === svg.viewBox.baseVal.width && svg.classList.contains("fit")) return;
      width = plotted + wide - full;
      svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
      svg.classList.add("fit");
      part("clipPath rect").setAttribute("width", width);
      svg.querySelectorAll(".y-axis > .grid").forEach((line) =>
        line.setAttribute("d", line.getAttribute("d").replace(/h[\d.]+$/, "h" + width)));
      const right = part(".right");
      if (right) right.setAttribute("transform", `translate(${wide - full})`);
      draw();
      clear();
    }
    const fit = () => { if (svg.clientWidth > 0) layOut(svg.clientWidth); };

    function zoom(from, to) {
      const least = (data.x[1] - data.x[0]) * 1e-6;
      if (to - from < least) return;
      low = Math.max(from, data.x[0]);
      high = Math.min(to, data.x[1]);
      tools.hidden = low === data.x[0] && high === data.x[1];
      draw();
      if (cursor !== null) point(clamp(cursor, low, high));
    }

    function pan(by) {
      const span = high - low;
      const from = clamp(low + by, data.x[0], data.x[1] - span);
      zoom(from, from + span);
    }

    function clear() {
      cursor = null;
      hover.textContent = "";
      readout.hidden = true;
    }

    function point(place) {
      cursor = place;
      hover.textContent = "";
      const x = fixed(xPlace(place));
      element("path", { class: "cross", d: `M${x} ${top}v${height}` }, hover);
      readout.textContent = "";
      const head = document.createElement("div");
      head.textContent = `${data.label || "x"} ${digits(place, (high - low) / 20)} ${data.unit}`;
      readout.appendChild(head);
      data.lines.forEach((line, index) => {
        const i = shown[index] ? pointAt(line, place) : -1;
        if (i < 0) return;
        const here = line.kind === "step" ? place : line.x[i];
        if (here >= low && here <= high) {
          element("circle", { class: "dot s" + line.look, r: 3.4, cx: fixed(xPlace(here)),
            cy: fixed(yPlace(line.y[i], line)) }, hover);
        }
        const row = document.createElement("div");
        row.className = "s" + line.look;
        row.innerHTML = '<span class="key"></span><span></span> <b></b>';
        row.children[1].textContent = line.name;
        row.children[2].textContent = `${measured(line.y[i])} ${line.unit}`;
        readout.appendChild(row);
      });
      readout.hidden = false;
      const scale = svg.clientWidth / svg.viewBox.baseVal.width;
      const room = svg.clientWidth - readout.offsetWidth;
      const beside = x * scale + 14;
      readout.style.left = (beside <= room ? beside :
        Math.max(0, x * scale - 14 - readout.offsetWidth)) + "px";
    }

    const placeOf = (event) => {
      const box = svg.getBoundingClientRect();
      const place = ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width;
      return clamp(place, left, left + width);
    };

    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      drag = { from: placeOf(event), pan: event.shiftKey, low, high };
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      const place = placeOf(event);
      if (drag && drag.pan) {
        pan(drag.low - low + ((drag.from - place) * (high - low)) / width);
        return;
      }
      point(xValue(place));
      if (drag) {
        element("rect", { class: "select", x: Math.min(place, drag.from), y: top,
          width: Math.abs(place - drag.from), height }, hover);
      }
    });
    svg.addEventListener("pointerup", (event) => {
      if (!drag) return;
      const place = placeOf(event), { from } = drag, panned = drag.pan;
      drag = null;
      if (panned || Math.abs(place - from) < 6) return;
      zoom(xValue(Math.min(place, from)), xValue(Math.max(place, from)));
    });
    svg.addEventListener("pointerleave", () => { if (!drag) clear(); });
    svg.addEventListener("pointercancel", () => { drag = null; clear(); });
    svg.addEventListener("dblclick", () => zoom(data.x[0], data.x[1]));
    frame.addEventListener("blur", clear);
    frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const span = high - low, middle = cursor === null ? (low + high) / 2 : cursor;
      const around = (factor) => zoom(middle - (middle - low) * factor,
        middle + (high - middle) * factor);
      const step = (way) => event.shiftKey ? pan(way * span / 5)
        : point(clamp(middle + way * span / 100, low, high));
      const keys = {
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        "+": () => around(0.5), "=": () => around(0.5), "-": () => around(2),
        "0": () => zoom(data.x[0], data.x[1]),
        Escape: () => { zoom(data.x[0], data.x[1]); clear(); },
      };
      if (!keys[event.key] || event.target !== frame) return;
      event.preventDefault();
      keys[event.key]();
    });
    figure.querySelectorAll(".legend button").forEach((button) => {
      button.addEventListener("click", () => {
        const index = +button.dataset.line;
        shown[index] = !shown[index];
        button.setAttribute("aria-pressed", shown[index]);
        groups[index].style.display = shown[index] ? "" : "none";
        if (cursor !== null) point(cursor);
      });
    });
    new ResizeObserver(fit).observe(frame);
    addEventListener("beforeprint", () => layOut(660));
    addEventListener("afterprint", fit);
    fit();
  }

  // What a picture by itself has to say, because it has no style sheet.
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

  charts.forEach(chart);
  document.querySelectorAll("figure.plot, figure.drawing").forEach((figure) => {
    const svg = figure.querySelector("svg.chart, svg.topology");
    const box = document.createElement("div");
    box.className = "save";
    for (const kind of ["svg", "png"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = kind.toUpperCase();
      button.title = `Save this picture as ${kind.toUpperCase()}`;
      button.addEventListener("click", () => save(figure, svg, kind));
      box.appendChild(button);
    }
    figure.prepend(box);
  });
  if (charts.length > 0) {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Charts: point to read values; drag to zoom, Shift and drag to move, " +
      "double click to see all; click a name to hide its line. By keyboard: Tab to a chart, then " +
      "\u2190 \u2192, + \u2212, Shift with \u2190 \u2192, 0.";
    document.querySelector("main").before(hint);
  }
  // A table that is wider than the window says so.
  document.querySelectorAll(".table").forEach((box) => {
    const hint = document.createElement("p");
    hint.className = "sideways";
    hint.textContent = "The table is wider than the window: scroll it sideways \u2192";
    box.before(hint);
    new ResizeObserver(() => { hint.hidden = box.scrollWidth <= box.clientWidth + 2; })
      .observe(box);
  });
  addEventListener("beforeprint", () =>
    document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
})();
