// Values under the pointer, zoom and hiding of lines, for every chart of the page.
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

  // A number as short as a range of this length allows.
  function digits(value, length) {
    const decimals = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(length / 10 || 1))));
    return value.toLocaleString("en", { maximumFractionDigits: decimals });
  }

  // A measured value with up to six significant digits, whole numbers in full.
  function measured(value) {
    if (Number.isInteger(value)) return value.toLocaleString("en");
    return value.toLocaleString("en", { maximumSignificantDigits: 6 });
  }

  // 1, 2 or 5 times a power of ten, so that about `count` steps fill `length`.
  function stepOf(length, count) {
    const power = 10 ** Math.floor(Math.log10(length / count));
    const rest = length / count / power;
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

  // Indices of the points of `line` between `low` and `high`, and a neighbour on each side;
  // of each of 720 columns the first, least, greatest and last.
  function visible(line, low, high) {
    const from = Math.max(0, before(line.x, low));
    const to = Math.min(line.x.length - 1, before(line.x, high) + 1);
    const kept = [];
    if (to - from < 2880) {
      for (let i = from; i <= to; i++) kept.push(i);
      return kept;
    }
    let column = -2, chosen = null;
    const close = () => { if (chosen) kept.push(...new Set(chosen.sort((a, b) => a - b))); };
    for (let i = from; i <= to; i++) {
      const here = Math.floor((720 * (line.x[i] - low)) / (high - low));
      if (here !== column) { close(); column = here; chosen = [i, i, i, i]; }
      if (line.y[i] < line.y[chosen[1]]) chosen[1] = i;
      if (line.y[i] > line.y[chosen[2]]) chosen[2] = i;
      chosen[3] = i;
    }
    close();
    return kept;
  }

  function chart(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const frame = figure.querySelector(".frame");
    const svg = frame.querySelector("svg");
    const readout = frame.querySelector(".readout");
    const hover = svg.querySelector(".hover");
    const xAxis = svg.querySelector(".x-axis");
    const groups = svg.querySelectorAll(".series > g");
    const uprights = svg.querySelector(".bands");
    const [left, top, width, height] = data.plot;
    const original = { axis: xAxis.innerHTML, lines: [...groups].map((g) => g.innerHTML) };
    const shown = data.lines.map(() => true);
    let [low, high] = data.x, cursor = null, drag = null;

    const xPlace = (x) => left + (width * (x - low)) / (high - low);
    const xValue = (place) => low + ((high - low) * (place - left)) / width;
    const yPlace = (y, line) => {
      const [from, to] = line.right ? data.right : data.y;
      return top + height - (height * (y - from)) / (to - from);
    };
    const fixed = (number) => +number.toFixed(1);
    const clamp = (value, from, to) => Math.max(from, Math.min(to, value));

    const tools = document.createElement("div");
    tools.className = "tools";
    tools.hidden = true;
    tools.innerHTML = '<button type="button">show all</button>';
    frame.appendChild(tools);
    tools.firstChild.addEventListener("click", () => zoom(data.x[0], data.x[1]));

    function drawAxis() {
      const title = [...xAxis.querySelectorAll(".label")].pop();
      xAxis.textContent = "";
      const step = stepOf(high - low, 7), bottom = top + height;
      element("path", { class: "axis", d: `M${left} ${bottom}h${width}` }, xAxis);
      for (let n = Math.ceil(low / step); n * step <= high; n++) {
        const x = fixed(xPlace(n * step));
        element("path", { class: "grid", d: `M${x} ${top}v${height}` }, xAxis);
        element("path", { class: "axis", d: `M${x} ${bottom}v5` }, xAxis);
        const text = element("text", { class: "tick", x, y: bottom + 10, dy: ".75em",
          "text-anchor": "middle" }, xAxis);
        text.textContent = digits(n * step, high - low);
      }
      if (title) xAxis.appendChild(title);
    }

    function drawLine(line, group) {
      const points = visible(line, low, high);
      group.textContent = "";
      if (line.kind === "points") {
        const dots = points.map((i) => [line.x[i], fixed(xPlace(line.x[i])),
          fixed(yPlace(line.y[i], line))]).filter(([x]) => x >= low && x <= high);
        element("path", { class: "d s" + line.look,
          d: dots.map(([, x, y]) => `M${x} ${y}h0`).join("") }, group);
        return;
      }
      if (line.kind === "bars") {
        const bars = data.lines.filter((one) => one.kind === "bars");
        const slot = data.slot, each = slot / bars.length;
        for (const i of points) {
          const from = line.x[i] - slot / 2 + bars.indexOf(line) * each;
          const y = [yPlace(line.y[i], line), yPlace(0, line)].sort((a, b) => a - b);
          element("rect", { class: "f s" + line.look, x: fixed(xPlace(from)), y: fixed(y[0]),
            width: fixed(xPlace(from + each) - xPlace(from)), height: fixed(y[1] - y[0]) }, group);
        }
        return;
      }
      let path = "";
      for (const i of points) {
        // Far outside the clip a place may be huge; a little outside is enough.
        const x = fixed(clamp(xPlace(line.x[i]), left - 4 * width, left + 5 * width));
        const y = fixed(yPlace(line.y[i], line));
        path += path === "" ? `M${x} ${y}` : line.kind === "step" ? `H${x}V${y}` : `L${x} ${y}`;
      }
      if (line.kind === "step" && path) path += `H${left + width}`;
      element("path", { class: "s s" + line.look, d: path }, group);
    }

    function zoom(from, to) {
      const least = (data.x[1] - data.x[0]) * 1e-6;
      if (to - from < least) return;
      low = Math.max(from, data.x[0]);
      high = Math.min(to, data.x[1]);
      const all = low === data.x[0] && high === data.x[1];
      tools.hidden = all;
      if (all) {
        xAxis.innerHTML = original.axis;
        groups.forEach((group, index) => { group.innerHTML = original.lines[index]; });
        uprights.removeAttribute("transform");
      } else {
        drawAxis();
        data.lines.forEach((line, index) => drawLine(line, groups[index]));
        const scale = (data.x[1] - data.x[0]) / (high - low);
        const shift = left + (width * (data.x[0] - low)) / (high - low) - scale * left;
        uprights.setAttribute("transform", `matrix(${scale} 0 0 1 ${shift} 0)`);
      }
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

    function point(at) {
      cursor = at;
      hover.textContent = "";
      const x = fixed(xPlace(at));
      element("path", { class: "cross", d: `M${x} ${top}v${height}` }, hover);
      readout.textContent = "";
      const head = document.createElement("div");
      head.textContent = `${data.label || "x"} ${digits(at, (high - low) / 20)} ${data.unit}`;
      readout.appendChild(head);
      data.lines.forEach((line, index) => {
        const i = shown[index] ? pointAt(line, at) : -1;
        if (i < 0) return;
        const place = line.kind === "step" ? at : line.x[i];
        if (place >= low && place <= high) {
          element("circle", { class: "dot s" + line.look, r: 3.4, cx: fixed(xPlace(place)),
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
  }

  charts.forEach(chart);
  if (charts.length > 0) {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Charts: point to read values; drag to zoom, Shift and drag to move, " +
      "double click to see all; click a name to hide its line. By keyboard: Tab to a chart, then " +
      "\u2190 \u2192, + \u2212, Shift with \u2190 \u2192, 0.";
    document.querySelector("main").before(hint);
  }
  addEventListener("beforeprint", () =>
    document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
})();
