// Draws the network at an instant on a canvas: dots on links, stacks at nodes, meters of credit.

import type { Picture } from '../engine/types.ts';
import type { Film } from './film.ts';
import { type Pen, shape } from './pen.ts';

/** Kinds of a flight: crates/hopflow-network/src/trace.rs. */
const DATA = 0;
const ACK = 1;
const CREDIT = 2;
const PAUSE = 7;
const LANE_CREDIT = 8;
const FORWARD_RM = 9;
const BACKWARD_RM = 10;

const BOX = { height: 34, radius: 6 };
/** Above the picture, for stacks; and all that is added to its height. */
const TOP = 40;
export const MARGIN = 70;
/** From so many nodes on they are dots without names. */
const CROWD = 150;

export interface Theme {
  ink: string;
  soft: string;
  rule: string;
  paper: string;
  wash: string;
  bad: string;
  colours: string[];
}

/** The colours of the page, for the canvas. */
export function theme(element: Element): Theme {
  const style = getComputedStyle(element);
  const get = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: get('--ink'),
    soft: get('--soft'),
    rule: get('--rule'),
    paper: get('--paper'),
    wash: get('--wash'),
    bad: get('--bad'),
    colours: Array.from({ length: 8 }, (_, k) => get(`--c${k}`)),
  };
}

/** A way along a link direction. */
interface Way {
  /** Bends, from the sender to the receiver. */
  points: [number, number][];
  /** Length up to each bend. */
  lengths: number[];
  /** Aside, so that both directions are seen. */
  aside: number;
  /** How long a cell is drawn, so that cells back to back are told apart. */
  cell: number;
}

export interface Layout {
  width: number;
  height: number;
  ways: Way[];
  widths: number[];
  crowd: boolean;
  /** For each VC its colour. */
  colourOf: number[];
  /** For each node how high its stacks may be: up to the node above, or to the edge. */
  rooms: number[];
}

/** Half the gap between the two directions of a link. */
const ASIDE = 5;

/** A link between two nodes of one column goes round what stands between them. */
function aroundColumn(bends: [number, number][]): [number, number][] {
  const [[x, from], [other, to]] = bends;
  if (bends.length !== 2 || x !== other) return bends;
  const far = x + 12 + 0.6 * Math.abs(to - from);
  const step = 9 * Math.sign(to - from);
  return [bends[0], [far, from + step], [far, to - step], bends[1]];
}

/** How high stacks may be on each node. */
function rooms(picture: Picture): number[] {
  return picture.nodes.map((node) => {
    const above = picture.nodes
      .filter((other) => other.y < node.y && Math.abs(other.x - node.x) < 40)
      .map((other) => node.y - other.y - BOX.height);
    const edge = node.y + TOP - BOX.height / 2;
    return Math.max(8, Math.min(edge, ...above) - 16);
  });
}

export function layout(picture: Picture): Layout {
  const ways: Way[] = [];
  const crowd = picture.nodes.length > CROWD;
  let width = picture.width;
  for (const link of picture.links) {
    const first = picture.nodes[link.ends[0]];
    const forward = link.bends[0][0] === first.x && link.bends[0][1] === first.y;
    for (const side of [0, 1]) {
      const points = aroundColumn([...link.bends]);
      if (points.length > link.bends.length) width = Math.max(width, points[1][0] + 110);
      if ((side === 0) !== forward) points.reverse();
      const lengths = [0];
      for (let k = 1; k < points.length; k++) {
        const [dx, dy] = [points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]];
        lengths.push(lengths[k - 1] + Math.hypot(dx, dy));
      }
      const { cellTimePs, delayPs } = link.directions[side];
      const spacing = (lengths[lengths.length - 1] * cellTimePs) / (cellTimePs + delayPs);
      const cell = crowd ? 2 : Math.min(8, Math.max(1.2, spacing * 0.65));
      ways.push({ points, lengths, aside: crowd ? 0 : ASIDE, cell });
    }
  }
  const widths = picture.nodes.map((node) => Math.max(44, 8.4 * node.name.length + 22));
  const colourOf = picture.vcs.map((_, vc) => vc % 8);
  const { height } = picture;
  return { width, height, ways, widths, crowd, colourOf, rooms: rooms(picture) };
}

const spot: [number, number] = [0, 0];

/** Where a share of the way is. */
function along(way: Way, share: number): [number, number] {
  const { points, lengths, aside } = way;
  if (points.length === 2) {
    // Most links are straight.
    const [from, to] = points;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const off = aside === 0 ? 0 : aside / Math.max(1e-9, lengths[1]);
    spot[0] = from[0] + dx * share - dy * off;
    spot[1] = from[1] + dy * share + dx * off;
    return spot;
  }
  const far = share * lengths[lengths.length - 1];
  let k = 1;
  while (k + 1 < lengths.length && lengths[k] < far) k++;
  const [from, to] = [points[k - 1], points[k]];
  const piece = Math.max(1e-9, lengths[k] - lengths[k - 1]);
  const part = (far - lengths[k - 1]) / piece;
  const [dx, dy] = [(to[0] - from[0]) / piece, (to[1] - from[1]) / piece];
  spot[0] = from[0] + (to[0] - from[0]) * part - dy * aside;
  spot[1] = from[1] + (to[1] - from[1]) * part + dx * aside;
  return spot;
}

export interface Shown {
  time: number;
  selected: number | null;
}

/** Draws one frame; `scale` is pixels of the canvas for a unit of the picture. */
export function draw(
  pen: Pen,
  picture: Picture,
  place: Layout,
  film: Film | null,
  colours: Theme,
  shown: Shown,
  scale: number,
) {
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, place.width, place.height + MARGIN);
  pen.translate(0, TOP);
  drawLinks(pen, picture, place, film, colours, shown.time);
  if (film) drawFlights(pen, picture, place, film, colours, shown.time);
  drawNodes(pen, picture, place, colours, shown.selected);
  if (film && !place.crowd) {
    drawStacks(pen, picture, place, film, colours);
    drawCredits(pen, picture, place, film, colours);
  }
}

function trace(pen: Pen, way: Way) {
  const [x, y] = along(way, 0);
  pen.moveTo(x, y);
  for (let k = 1; k < way.points.length; k++) {
    const [px, py] = along(way, way.lengths[k] / way.lengths[way.lengths.length - 1]);
    pen.lineTo(px, py);
  }
}

function drawLinks(
  pen: Pen,
  picture: Picture,
  place: Layout,
  film: Film | null,
  colours: Theme,
  time: number,
) {
  pen.lineWidth = place.crowd ? 0.7 : 1.5;
  pen.strokeStyle = colours.rule;
  pen.beginPath();
  for (const way of place.ways) trace(pen, way);
  pen.stroke();
  const shut = film ? [...film.held.shut] : [];
  const closed = shut.filter(([, lanes]) => [...lanes.values()].some((until) => until > time));
  if (closed.length > 0) {
    pen.strokeStyle = colours.bad;
    pen.lineWidth = 3.5;
    pen.beginPath();
    for (const [direction] of closed) trace(pen, place.ways[direction]);
    pen.stroke();
  }
  if (place.crowd || picture.links.length > 24) return;
  pen.fillStyle = colours.soft;
  pen.font = '11px system-ui, sans-serif';
  pen.textAlign = 'center';
  const usual = commonLabel(picture);
  picture.links.forEach((link, index) => {
    if (link.label === usual) return;
    const way = place.ways[2 * index];
    const [x, y] = along(way, 0.5);
    const upright = way.points.length === 4 && way.points[1][0] === way.points[2][0];
    pen.textAlign = upright ? 'left' : 'center';
    pen.fillText(link.label, upright ? place.width - 98 : x, y + (upright ? 4 : 22));
  });
}

/** What most links are, if two or more are alike: it is told once, below the picture. */
export function commonLabel(picture: Picture): string | null {
  const counts = new Map<string, number>();
  for (const link of picture.links) counts.set(link.label, (counts.get(link.label) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1]);
  return usual && usual[1] > 1 ? usual[0] : null;
}

function drawFlights(
  pen: Pen,
  _picture: Picture,
  place: Layout,
  film: Film,
  colours: Theme,
  time: number,
) {
  // One path for each look: squares are data, rings are credits.
  const size = place.crowd ? 2 : 6;
  const data = colours.colours.map(() => shape(pen));
  const rings = colours.colours.map(() => shape(pen));
  const other = shape(pen);
  const pauses = shape(pen);
  film.eachFlight(time, (direction, vc, kind, share) => {
    const [x, y] = along(place.ways[direction], share);
    const colour = vc < place.colourOf.length ? place.colourOf[vc] : 0;
    if (kind === DATA) {
      const length = place.ways[direction].cell;
      data[colour].rect(x - length / 2, y - size / 2, length, size);
    } else if (kind === CREDIT || kind === ACK || kind === LANE_CREDIT) {
      rings[colour].rect(x - size / 2.4, y - size / 2.4, size / 1.2, size / 1.2);
    } else if (kind === FORWARD_RM || kind === BACKWARD_RM) {
      other.rect(x - size / 2, y - size / 4, size, size / 2);
    } else if (kind === PAUSE) {
      pauses.rect(x - size * 0.6, y - size * 0.6, size * 1.2, size * 1.2);
    } else {
      other.rect(x - size / 3, y - size / 3, size / 1.5, size / 1.5);
    }
  });
  colours.colours.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fill(data[k]);
    pen.fillStyle = colours.paper;
    pen.fill(rings[k]);
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.stroke(rings[k]);
  });
  pen.fillStyle = colours.ink;
  pen.fill(other);
  pen.fillStyle = colours.bad;
  pen.fill(pauses);
}

function drawNodes(
  pen: Pen,
  picture: Picture,
  place: Layout,
  colours: Theme,
  selected: number | null,
) {
  if (place.crowd) {
    const [hosts, switches] = [shape(pen), shape(pen)];
    for (const node of picture.nodes) {
      (node.kind === 'switch' ? switches : hosts).rect(node.x - 3, node.y - 3, 6, 6);
    }
    pen.fillStyle = colours.soft;
    pen.fill(hosts);
    pen.fillStyle = colours.ink;
    pen.fill(switches);
    return;
  }
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.font = '600 13px system-ui, sans-serif';
  picture.nodes.forEach((node, index) => {
    const width = place.widths[index];
    pen.beginPath();
    const radius = node.kind === 'switch' ? BOX.radius : BOX.height / 2;
    pen.roundRect(node.x - width / 2, node.y - BOX.height / 2, width, BOX.height, radius);
    pen.fillStyle = colours.paper;
    pen.fill();
    pen.lineWidth = selected === index ? 3 : 1.5;
    pen.strokeStyle = selected === index ? colours.colours[0] : colours.soft;
    pen.stroke();
    pen.fillStyle = colours.ink;
    pen.fillText(node.name, node.x, node.y + 0.5);
  });
  pen.textBaseline = 'alphabetic';
}

/** Rows of a stack: a cell each up to here, then the height is a scale. */
const STACK = { cell: 3, most: 16, width: 9, gap: 9, tall: 100 };

/** Cells one by one, then a height for each doubling; where there is little room, less for each. */
function stackHeight(count: number, room: number): number {
  const height = count <= STACK.most
    ? count * STACK.cell
    : STACK.cell * (STACK.most + 2 * Math.log2(count / STACK.most));
  return height <= room / 2 || room >= STACK.tall ? height : room * (1 - Math.exp(-height / room));
}

function drawStacks(
  pen: Pen,
  picture: Picture,
  place: Layout,
  film: Film,
  colours: Theme,
) {
  pen.font = '10px system-ui, sans-serif';
  pen.textAlign = 'center';
  for (const [node, held] of film.held.queues) {
    const spec = picture.nodes[node];
    const waits = [...held].filter(([, count]) => count > 0).sort(([a], [b]) => a - b).slice(0, 10);
    if (waits.length === 0) continue;
    const wide = waits.length * (STACK.width + STACK.gap) - STACK.gap;
    let x = spec.x - wide / 2;
    const base = spec.y - BOX.height / 2 - 4;
    const alone = waits.length <= 3;
    let highest = 0;
    let sum = 0;
    for (const [vc, count] of waits) {
      pen.fillStyle = colours.colours[place.colourOf[vc] ?? 0];
      const top = stackHeight(count, place.rooms[node]);
      if (top === count * STACK.cell) {
        for (let k = 0; k < count; k++) {
          pen.fillRect(x, base - (k + 1) * STACK.cell, STACK.width, STACK.cell - 1);
        }
      } else {
        pen.fillRect(x, base - top, STACK.width, top);
      }
      pen.fillStyle = colours.soft;
      if (alone) pen.fillText(String(count), x + STACK.width / 2, base - top - 3);
      x += STACK.width + STACK.gap;
      highest = Math.max(highest, top);
      sum += count;
    }
    // Numbers of many would run together: the sum stands for them.
    if (!alone) pen.fillText(`${sum} in all`, spec.x, base - highest - 3);
  }
  pen.fillStyle = colours.bad;
  pen.font = '600 11px system-ui, sans-serif';
  for (const [node, byVc] of film.held.drops) {
    const spec = picture.nodes[node];
    let all = 0;
    for (const count of byVc.values()) all += count;
    pen.fillText(`${all} lost`, spec.x, spec.y + BOX.height / 2 + 14);
  }
}

function drawCredits(
  pen: Pen,
  picture: Picture,
  place: Layout,
  film: Film,
  colours: Theme,
) {
  if (picture.vcs.length > 12) return;
  const rows = new Map<number, number>();
  picture.vcs.forEach((vc, index) => {
    for (const hop of vc.hops) {
      if (hop.credit === null) continue;
      const left = film.held.credits.get(hop.direction)?.get(index) ?? hop.credit;
      const way = place.ways[hop.direction];
      const row = rows.get(hop.direction) ?? 0;
      rows.set(hop.direction, row + 1);
      const [x, y] = along({ ...way, aside: ASIDE }, 0);
      const [ahead] = along({ ...way, aside: ASIDE }, 1);
      const side = ahead >= x ? 1 : -1;
      const from = x + side * (place.widths[nodeAt(picture, way)] / 2 + 6);
      const top = y + 10 + row * 8;
      const width = 34;
      pen.fillStyle = colours.rule;
      pen.fillRect(side > 0 ? from : from - width, top, width, 5);
      pen.fillStyle = colours.colours[place.colourOf[index]];
      const share = Math.min(1, left / Math.max(1, hop.credit));
      pen.fillRect(side > 0 ? from : from - width, top, width * share, 5);
    }
  });
}

/** The node at which a way begins. */
function nodeAt(picture: Picture, way: Way): number {
  const [x, y] = way.points[0];
  return picture.nodes.findIndex((node) => node.x === x && node.y === y);
}

/** What is under a point of the picture. */
export function under(
  picture: Picture,
  place: Layout,
  x: number,
  y: number,
): { node: number } | { link: number } | null {
  const at = y - TOP;
  const node = picture.nodes.findIndex((spec, k) => {
    const width = place.crowd ? 10 : place.widths[k];
    return Math.abs(spec.x - x) <= width / 2 && Math.abs(spec.y - at) <= BOX.height / 2;
  });
  if (node >= 0) return { node };
  let best = 9;
  let found = -1;
  place.ways.forEach((way, direction) => {
    for (let share = 0; share <= 1; share += 0.02) {
      const [px, py] = along(way, share);
      const far = Math.hypot(px - x, py - at);
      if (far < best) [best, found] = [far, direction >> 1];
    }
  });
  return found >= 0 ? { link: found } : null;
}
