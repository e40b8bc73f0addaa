// Numbers and lines: how short a number may be, where a line is at a place, its integral, and where
// it turns too often to be drawn.

const SVG = "http://www.w3.org/2000/svg";

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
