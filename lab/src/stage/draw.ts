// Draws the network at an instant on a canvas: dots on links, stacks at nodes, meters of credit.

import { GREY, type Theme } from '../colours.ts';
import type { Deadlock, Picture } from '../engine/types.ts';
import { rate } from '../words.ts';
import { type Label, drawLabels } from './labels.ts';
import { type Layout, type Way, along, middles } from './layout.ts';
import { drainOf, faultAt } from './marks.ts';
import { type Pen, type Shape, SvgPen, shape } from './pen.ts';
import { words } from './place.ts';
import type { Shot } from './shot.ts';
import { METER } from './spots.ts';
import { drawStacks } from './stacks.ts';

/** Kinds of a flight: crates/hopflow-network/src/trace.rs. */
const DATA = 0;
const ACK = 1;
const CREDIT = 2;
const PAUSE = 7;
const LANE_CREDIT = 8;
const FORWARD_RM = 9;
const BACKWARD_RM = 10;

/** The fate of a flight: crates/hopflow-wasm/src/columns.rs. */
const CORRUPTED = 1;

/** The content of a frame, and the pen and colours that draw it. */
export interface Drawing {
  pen: Pen;
  picture: Picture;
  place: Layout;
  film: Shot;
  colours: Theme;
  time: number;
  selected: number | null;
  /** The deadlock at this instant. */
  locked: Deadlock | null;
  /** The height of a row of every stack. */
  row: number;
}

/** Draws one frame; `scale` is pixels of the canvas per unit of the picture. */
export function draw(drawing: Drawing, scale: number) {
  const { pen, place } = drawing;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, place.width, place.height);
  pen.translate(0, place.top);
  const labels: Label[] = [];
  drawLinks(drawing, labels);
  drawLocked(drawing);
  drawFlights(drawing);
  drawNodes(drawing, labels);
  if (!place.crowd) {
    drawStacks(drawing, labels);
    drawCredits(drawing);
  }
  drawLabels(pen, labels, drawing.colours);
}

/** The parts of a large network that never move, as a canvas keeps them: they are made once. */
interface Still {
  links: Shape;
  hosts: Shape;
  switches: Shape;
}
const stills = new WeakMap<Layout, Still>();

function still({ pen, picture, place }: Drawing): Still {
  const kept = stills.get(place);
  // An SVG has its own shapes.
  if (kept && !(pen instanceof SvgPen)) return kept;
  const made = { links: shape(pen), hosts: shape(pen), switches: shape(pen) };
  for (const way of place.ways) trace(made.links, way);
  for (const node of picture.nodes) {
    (node.kind === 'switch' ? made.switches : made.hosts).rect(node.x - 3, node.y - 3, 6, 6);
  }
  if (!(pen instanceof SvgPen)) stills.set(place, made);
  return made;
}

function trace(pen: Pick<Shape, 'moveTo' | 'lineTo'>, way: Way) {
  const [x, y] = along(way, 0);
  pen.moveTo(x, y);
  for (let k = 1; k < way.points.length; k++) {
    const [px, py] = along(way, way.lengths[k] / way.lengths[way.lengths.length - 1]);
    pen.lineTo(px, py);
  }
}

function drawLinks(drawing: Drawing, labels: Label[]) {
  const { pen, picture, place, film, colours, time } = drawing;
  pen.lineWidth = place.crowd ? 0.7 : 1.5;
  pen.strokeStyle = place.crowd ? colours.rule : colours.idle;
  const faulty = place.faulty.filter((direction) => faultAt(picture, direction, time));
  if (place.crowd && faulty.length === 0) {
    pen.stroke(still(drawing).links);
  } else {
    pen.beginPath();
    place.ways.forEach((way, direction) => {
      if (!faulty.includes(direction)) trace(pen, way);
    });
    pen.stroke();
  }
  drawFaults(drawing, faulty);
  const shut = [...film.held.shut];
  const closed = shut.filter(([, lanes]) => [...lanes.values()].some((until) => until > time));
  if (closed.length > 0) {
    pen.strokeStyle = colours.stop;
    pen.lineWidth = 3.5;
    pen.beginPath();
    for (const [direction] of closed) trace(pen, place.ways[direction]);
    pen.stroke();
  }
  // A compressed picture has no room for words.
  if (place.crowd || picture.links.length > 24 || !place.labels) return;
  const font = words(place.sizes);
  const usual = commonLabel(picture);
  picture.links.forEach((link, index) => {
    if (link.label === usual) return;
    const way = place.ways[2 * index];
    const [x, y] = along(way, 0.5);
    const upright = way.points.length === 4 && way.points[1][0] === way.points[2][0];
    labels.push({
      text: link.label,
      x: upright ? place.width - 98 : x,
      y: y + (upright ? 4 : 22),
      font,
      colour: colours.soft,
      align: upright ? 'left' : 'center',
    });
  });
}

/** Links that an event blocks are dashed and crossed out; those that corrupt cells are dotted. */
function drawFaults({ pen, picture, place, colours, time }: Drawing, faulty: number[]) {
  for (const direction of faulty) {
    const way = place.ways[direction];
    const blocked = faultAt(picture, direction, time)?.blocked === true;
    pen.strokeStyle = blocked ? colours.ink : colours.fair;
    pen.lineWidth = 2.5;
    pen.setLineDash(blocked ? [8, 6] : [2, 4]);
    pen.beginPath();
    trace(pen, way);
    pen.stroke();
    pen.setLineDash([]);
    if (!blocked) continue;
    const [x, y] = along(way, 0.5);
    const size = 7;
    pen.lineWidth = 3.5;
    pen.beginPath();
    for (const side of [-1, 1]) {
      pen.moveTo(x - size, y - side * size);
      pen.lineTo(x + size, y + side * size);
    }
    pen.stroke();
  }
}

/** The links of a circle that waits for itself, with arrow heads to the next one of each. */
function drawLocked({ pen, place, colours, locked }: Drawing) {
  if (!locked) return;
  pen.strokeStyle = colours.lock;
  pen.fillStyle = colours.lock;
  pen.lineWidth = place.crowd ? 2 : 6;
  const size = place.crowd ? 4 : 9;
  for (const { direction } of locked.waits) {
    const way = place.ways[direction];
    pen.beginPath();
    trace(pen, way);
    pen.stroke();
    for (const share of middles(way)) {
      const [x, y] = along(way, share);
      const [fromX, fromY] = along(way, share - 0.02);
      const far = Math.max(1e-9, Math.hypot(x - fromX, y - fromY));
      const [dx, dy] = [((x - fromX) / far) * size, ((y - fromY) / far) * size];
      pen.beginPath();
      pen.moveTo(x + 1.5 * dx, y + 1.5 * dy);
      pen.lineTo(x - dx - dy, y - dy + dx);
      pen.lineTo(x - dx + dy, y - dy - dx);
      pen.lineTo(x + 1.5 * dx, y + 1.5 * dy);
      pen.fill();
    }
  }
}

/** The label of most links, if two or more have it: it is shown once, below the picture. */
export function commonLabel(picture: Picture): string | null {
  const counts = new Map<string, number>();
  for (const link of picture.links) counts.set(link.label, (counts.get(link.label) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1]);
  return usual && usual[1] > 1 ? usual[0] : null;
}

function drawFlights({ pen, place, film, colours, time }: Drawing) {
  // One path per look: squares are data, rings are credits.
  const size = place.crowd ? 2 : 6 * place.sizes.scale;
  const data = colours.colours.map(() => shape(pen));
  const rings = colours.colours.map(() => shape(pen));
  const other = shape(pen);
  const pauses = shape(pen);
  const spoilt = shape(pen);
  film.eachFlight(time, (direction, vc, kind, share, fate) => {
    const [x, y] = along(place.ways[direction], share);
    if (fate === CORRUPTED && share > 0.5) {
      const half = size * 0.7;
      spoilt.moveTo(x - half, y - half);
      spoilt.lineTo(x + half, y + half);
      spoilt.moveTo(x - half, y + half);
      spoilt.lineTo(x + half, y - half);
      return;
    }
    // Credits of a lane are those of no flow.
    const colour = vc < place.colourOf.length ? place.colourOf[vc] : GREY;
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
  pen.fillStyle = colours.stop;
  pen.fill(pauses);
  pen.strokeStyle = colours.bad;
  pen.lineWidth = 2;
  pen.stroke(spoilt);
}

function drawNodes(drawing: Drawing, labels: Label[]) {
  const { pen, picture, place, colours, selected, time } = drawing;
  if (place.crowd) {
    const { hosts, switches } = still(drawing);
    pen.fillStyle = colours.soft;
    pen.fill(hosts);
    pen.fillStyle = colours.ink;
    pen.fill(switches);
    return;
  }
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const { box, corner, name, word } = place.sizes;
  pen.font = `600 ${name}px system-ui, sans-serif`;
  const named = name > 0;
  picture.nodes.forEach((node, index) => {
    const width = place.widths[index];
    pen.beginPath();
    const radius = node.kind === 'switch' ? corner : box / 2;
    pen.roundRect(node.x - width / 2, node.y - box / 2, width, box, radius);
    pen.fillStyle = colours.paper;
    pen.fill();
    pen.lineWidth = selected === index ? 3 : 1.5;
    pen.strokeStyle = selected === index ? colours.ink : colours.soft;
    if (node.slow) {
      pen.strokeStyle = selected === index ? colours.ink : colours.fair;
      pen.lineWidth = 3;
      pen.setLineDash([5, 4]);
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colours.ink;
    if (named) pen.fillText(node.name, node.x, node.y + 0.5);
  });
  const font = words(place.sizes);
  picture.nodes.forEach((node, index) => {
    if (!node.slow) return;
    const drain = drainOf(picture, index);
    const stopped = drain !== null && faultAt(picture, drain, time)?.blocked === true;
    const colour = stopped ? colours.bad : colours.fair;
    const text = stopped ? 'takes nothing now' : `takes ${rate(node.slow.takesBps)}`;
    labels.push({ text, x: node.x, y: node.y + box / 2 + word + 3, font, colour, align: 'center' });
  });
}

/** The credits that are left: a bar of each VC at the beginning of a link. */
function drawCredits({ pen, picture, place, film, colours }: Drawing) {
  const { scale } = place.sizes;
  const rows = new Map<number, number>();
  picture.vcs.forEach((vc, index) => {
    for (const hop of vc.hops) {
      const spot = place.meters.get(hop.direction);
      if (hop.credit === null || !spot) continue;
      const left = film.held.credits.get(hop.direction)?.get(index) ?? hop.credit;
      const row = rows.get(hop.direction) ?? 0;
      rows.set(hop.direction, row + 1);
      if (row === 0 && spot.onLink) {
        // A plate parts the meters from the links behind them.
        pen.fillStyle = colours.paper;
        pen.fillRect(spot.x - 2, spot.y - 2, spot.width + 4, spot.height + 4);
      }
      const top = spot.y + row * METER.step * scale;
      const share = Math.min(1, left / Math.max(1, hop.credit));
      // It grows in the direction of its link.
      const { points } = place.ways[hop.direction];
      const leftward = points[1][0] < points[0][0];
      pen.fillStyle = colours.rule;
      pen.fillRect(spot.x, top, spot.width, METER.thick * scale);
      pen.fillStyle = colours.colours[place.colourOf[index]];
      const begin = leftward ? spot.x + spot.width * (1 - share) : spot.x;
      pen.fillRect(begin, top, spot.width * share, METER.thick * scale);
    }
  });
}
