// A chart for the width of the window: values under the pointer, zoom, and lines that are hidden.

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
    const step = stepOf(high - low, Math.max(5, Math.floor(width / 80)));
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
    const part = width < 500 ? 2 : 4;
    const count = Math.max(1, Math.floor(width / part)), size = (high - low) / count;
    line.integral = line.integral || integralOf(line, data.x);
    // `joins`: whether what is drawn so far ends where the next piece begins.
    let area = "", path = "", from = low, joins = false;
    const piece = (to) => {
      const first = before(line.x, from) + 1, last = before(line.x, to);
      const points = [[from, valueAt(line, from)]];
      for (let i = first; i <= last; i++) points.push([line.x[i], line.y[i]]);
      points.push([to, valueAt(line, to)]);
      let begun = false;
      for (const [x, y] of points) {
        if (y === undefined || x < from) continue;
        const place = at(x, y, line);
        if (!begun) path += (joins && x === from ? "L" : "M") + place;
        else if (line.kind === "step") path += "H" + place.replace(" ", "V");
        else path += "L" + place;
        begun = true;
      }
      joins = begun;
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
        mean += (mean || joins ? "L" : "M") + at(x + size / 2, middle, line);
      }
      area += over + under + "z";
      path += mean;
      joins = mean !== "";
      from = low + (last + 1) * size;
    }
    if (from < high) piece(high);
    if (area && !data.means) element("path", { class: "a s" + line.look, d: area }, group);
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
