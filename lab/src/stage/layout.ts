// The course of the links of a picture, and the node or link at a point of it.

import type { Picture } from '../engine/types.ts';
import { CROWD, type Fitted, type Sizes, WORDS, boxWidth, loopWidth, rooms } from './place.ts';
import { type MeterSpot, meterSpots, stackSpots } from './spots.ts';

/** A way along a link direction. */
export interface Way {
  /** The node at which it begins. */
  from: number;
  /** Bends, from the sender to the receiver. */
  points: [number, number][];
  /** Length up to each bend. */
  lengths: number[];
  /** The shift aside that makes both directions visible. */
  aside: number;
  /** The drawn length of a cell, so that cells back to back can be distinguished. */
  cell: number;
}

export interface Layout {
  width: number;
  /** Includes the room above and below. */
  height: number;
  /** Room above the topmost nodes. */
  top: number;
  ways: Way[];
  /** Directions that the timeline ever affects. */
  faulty: number[];
  widths: number[];
  sizes: Sizes;
  crowd: boolean;
  /** Whether words on links are readable. */
  labels: boolean;
  /** The colour of each VC: its place among those of the theme. */
  colourOf: number[];
  /** The room for counts beside the leftmost nodes. */
  left: number;
  /** The most height of the stacks of each node: up to the node above, or to the edge. */
  rooms: number[];
  /** How far the stacks of each node are moved aside, so that links do not run behind them. */
  asides: number[];
  /** The places of the meters of credit, by link direction; none if there are too many. */
  meters: Map<number, MeterSpot>;
}

/** The most VCs whose credits are shown. */
const METERED = 12;

/** Half the gap between the two directions of a link. */
const ASIDE = 5;

/** A link between two nodes of one column goes round the nodes between them. */
function aroundColumn(bends: [number, number][]): [number, number][] {
  const [[x, from], [other, to]] = bends;
  if (bends.length !== 2 || x !== other) return bends;
  const far = x + loopWidth(from, to);
  const step = 9 * Math.sign(to - from);
  return [bends[0], [far, from + step], [far, to - step], bends[1]];
}

/** A line beside another, to the right of its direction, with the same bends. */
function shifted(points: [number, number][], far: number): [number, number][] {
  const normal = (k: number): [number, number] => {
    const [dx, dy] = [points[k + 1][0] - points[k][0], points[k + 1][1] - points[k][1]];
    const length = Math.max(1e-9, Math.hypot(dx, dy));
    return [-dy / length, dx / length];
  };
  return points.map(([x, y], k) => {
    const [ax, ay] = normal(Math.max(0, k - 1));
    const [bx, by] = normal(Math.min(points.length - 2, k));
    const share = far / Math.max(0.3, 1 + ax * bx + ay * by);
    return [x + (ax + bx) * share, y + (ay + by) * share];
  });
}

/** The ways of a fitted picture; `colourOf`: the colour of each of its VCs. */
export function layout(fit: Fitted, colourOf: number[]): Layout {
  const { picture, top, height, labels, sizes, left } = fit;
  const aside = ASIDE * sizes.scale;
  const ways: Way[] = [];
  const crowd = picture.nodes.length > CROWD;
  let width = picture.width;
  for (const link of picture.links) {
    const first = picture.nodes[link.ends[0]];
    const forward = link.bends[0][0] === first.x && link.bends[0][1] === first.y;
    for (const side of [0, 1]) {
      let points = aroundColumn([...link.bends]);
      if (points.length > link.bends.length) {
        width = Math.max(width, points[1][0] + (labels ? WORDS : 14));
      }
      if ((side === 0) !== forward) points.reverse();
      const bent = points.length > 2 && !crowd;
      if (bent) points = shifted(points, aside);
      const lengths = [0];
      for (let k = 1; k < points.length; k++) {
        const [dx, dy] = [points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]];
        lengths.push(lengths[k - 1] + Math.hypot(dx, dy));
      }
      const { cellTimePs, delayPs } = link.directions[side];
      const spacing = (lengths[lengths.length - 1] * cellTimePs) / (cellTimePs + delayPs);
      const cell = crowd ? 2 : Math.min(8, Math.max(1.2, spacing * 0.65));
      const from = link.ends[side];
      ways.push({ from, points, lengths, aside: crowd || bent ? 0 : aside, cell });
    }
  }
  const widths = picture.nodes.map((node) => boxWidth(node.name, sizes));
  const courses = ways.map((way) => ({ from: way.from, points: drawnPoints(way) }));
  const stacks = crowd ? [] : stackSpots(fit, courses, rooms(fit));
  const metered = !crowd && picture.vcs.length <= METERED;
  const meters = metered ? meterSpots(fit, courses, stacks.map(({ rect }) => rect)) : new Map();
  const spots = {
    rooms: stacks.map(({ room }) => room),
    asides: stacks.map(({ aside }) => aside),
    meters,
  };
  const directions = picture.links.flatMap((link) => link.directions);
  const faulty = directions.flatMap((one, id) => (one.faults.length > 0 ? [id] : []));
  const looks = { widths, sizes, crowd, labels, left, colourOf };
  return { width, height, top, ways, faulty, ...spots, ...looks };
}

/** The bends of a way as they are drawn: a straight one is shifted aside. */
function drawnPoints(way: Way): [number, number][] {
  if (way.points.length > 2) return way.points;
  return [0, 1].map((share) => [...along(way, share)]);
}

const spot: [number, number] = [0, 0];

/** The point at a share of the way. */
export function along(way: Way, share: number): [number, number] {
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

/** The places of arrow heads: the middles of the long pieces of a way. */
export function middles({ lengths }: Way): number[] {
  const whole = lengths[lengths.length - 1];
  const pieces = lengths.slice(1).map((end, k) => ({ from: lengths[k], length: end - lengths[k] }));
  const longest = Math.max(...pieces.map((piece) => piece.length));
  const long = pieces.filter((piece) => piece.length >= 0.6 * longest);
  return long.map((piece) => (piece.from + piece.length / 2) / whole);
}

/** The middle of a link direction, as shares of the width and height. */
export function middle(place: Layout, direction: number): [number, number] {
  const [x, y] = along(place.ways[direction], 0.5);
  return [x / place.width, (y + place.top) / place.height];
}

/** The node or link at a point of the picture. */
export function under(
  picture: Picture,
  place: Layout,
  x: number,
  y: number,
): { node: number } | { link: number } | null {
  const at = y - place.top;
  const node = picture.nodes.findIndex((spec, k) => {
    const width = place.crowd ? 10 : place.widths[k];
    return Math.abs(spec.x - x) <= width / 2 && Math.abs(spec.y - at) <= place.sizes.box / 2;
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
