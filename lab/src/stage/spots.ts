// Places for stacks of bars and for meters of credit: where they cover no link and no node.

import type { Picture } from '../engine/types.ts';
import {
  APART, BOXED, type Fitted, LEAST_ROOM, STACK, type Sizes, boxWidth, countGap,
} from './place.ts';

/** A link direction as it is drawn. */
export interface Course {
  from: number;
  points: [number, number][];
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The place of the meters of a link direction. */
export interface MeterSpot extends Rect {
  /** Whether links run behind it. */
  onLink: boolean;
}

/** What a place costs that covers a node or another mark, or leaves the picture. */
const COVERS = 1000;
/** A stack of this height is easy to compare; more counts for nothing. */
const EASY = 48;
/** What each unit costs that a stack is lower. */
const LOW = 12;
/** Room around a place that no link crosses. */
const AIR = 4;
/** The most width of a meter, the distance of meters below each other, and their height. */
export const METER = { width: 34, step: 8, thick: 5 };

/** The length of a line inside a rectangle. */
function inside({ x, y, width, height }: Rect, from: [number, number], to: [number, number]) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  let [enters, leaves] = [0, 1];
  const sides = [
    [dx, x - from[0], x + width - from[0]],
    [dy, y - from[1], y + height - from[1]],
  ];
  for (const [d, low, high] of sides) {
    if (d === 0 && (low > 0 || high < 0)) return 0;
    if (d === 0) continue;
    enters = Math.max(enters, Math.min(low / d, high / d));
    leaves = Math.min(leaves, Math.max(low / d, high / d));
  }
  return Math.max(0, leaves - enters) * Math.hypot(dx, dy);
}

/** The length of all links inside a rectangle. */
function linksIn(rect: Rect, courses: Course[]): number {
  let sum = 0;
  for (const { points } of courses) {
    for (let k = 1; k < points.length; k++) sum += inside(rect, points[k - 1], points[k]);
  }
  return sum;
}

function wider({ x, y, width, height }: Rect, air: number): Rect {
  return { x: x - air, y: y - air, width: width + 2 * air, height: height + 2 * air };
}

function overlap(a: Rect, b: Rect): boolean {
  const across = a.x < b.x + b.width && b.x < a.x + a.width;
  return across && a.y < b.y + b.height && b.y < a.y + a.height;
}

function boxes({ picture, sizes }: Fitted): Rect[] {
  return picture.nodes.map(({ name, x, y }) => {
    const width = boxWidth(name, sizes);
    return { x: x - width / 2, y: y - sizes.box / 2, width, height: sizes.box };
  });
}

function leaves({ picture, top, height }: Fitted, { x, y, width, height: tall }: Rect): boolean {
  return x < 1 || x + width > picture.width - 1 || y < 1 - top || y + tall > height - top - 1;
}

/** By node, the number of VCs that may wait there. */
function waiting({ nodes, vcs }: Picture, courses: Course[]): number[] {
  const counts = nodes.map(() => 0);
  for (const { hops } of vcs) {
    const from = new Set(hops.map(({ direction }) => courses[direction].from));
    for (const node of from) counts[node]++;
  }
  return counts;
}

/** The width of a stack of bars with counts of three digits. */
function stackWidth(bars: number, sizes: Sizes): number {
  const { scale, word } = sizes;
  if (bars > APART) {
    const inner = Math.min(10, bars) * (BOXED.width + BOXED.gap) * scale;
    return Math.max(inner, 5.6 * word) + 2 * BOXED.edge;
  }
  const thick = STACK.width * scale;
  return (bars - 1) * (thick + countGap(sizes, 3)) + Math.max(thick, 0.62 * word * 3);
}

/** The stacks of all nodes: how far each is moved aside, its most height, and its place. */
export function stackSpots(fit: Fitted, courses: Course[], rooms: number[]) {
  const { picture, top, sizes } = fit;
  const around = boxes(fit);
  const bars = waiting(picture, courses);
  /** The stacks so far, as high as they may grow. */
  const placed: Rect[] = [];
  return picture.nodes.map(({ kind, x, y }, node) => {
    const width = stackWidth(Math.max(1, bars[node]), sizes);
    const base = y - sizes.box / 2 - 4;
    /** The place and cost of the stack if it is moved aside. */
    const moved = (aside: number) => {
      const left = x + aside - width / 2;
      const above = around.filter((box) =>
        box.y < y - sizes.box && box.x < left + width + 4 && left - 4 < box.x + box.width);
      const edge = y + top - sizes.box / 2;
      const gaps = above.map((box) => base + 4 - box.y - box.height);
      const room = Math.min(edge, ...gaps) - sizes.word - 11;
      const high = (most: number) => {
        const height = Math.min(most, Math.max(LEAST_ROOM, room)) + sizes.word + 4;
        return { x: left, y: base - height, width, height };
      };
      const [rect, whole] = [high(EASY), high(Infinity)];
      const hit =
        leaves(fit, rect) ||
        around.some((box, k) => k !== node && overlap(box, rect)) ||
        placed.some((other) => overlap(other, whole));
      const low = LOW * Math.max(0, EASY - room);
      const cost = linksIn(rect, courses) + low + (hit ? COVERS : 0) + 0.4 * Math.abs(aside);
      return { aside, room: Math.max(LEAST_ROOM, room), rect, whole, cost };
    };
    const still = moved(0);
    // Few links meet at a host. Without room for numbers bars stay on the head of their node.
    if (kind !== 'switch' || rooms[node] <= LEAST_ROOM) return { ...still, room: rooms[node] };
    const far = (around[node].width + width) / 2;
    const shares = [0.25, 0.5, 0.75, 1, 1.2];
    const others = shares.flatMap((share) => [moved(share * far), moved(-share * far)]);
    const best = others.reduce((best, one) => (one.cost < best.cost ? one : best), still);
    placed.push(best.whole);
    return best;
  });
}

/** The places of the meters of credit, by link direction. */
export function meterSpots(fit: Fitted, courses: Course[], stacks: Rect[]): Map<number, MeterSpot> {
  const { picture, sizes } = fit;
  const { scale } = sizes;
  const spots = new Map<number, MeterSpot>();
  const counts = new Map<number, number>();
  for (const hop of picture.vcs.flatMap(({ hops }) => hops)) {
    if (hop.credit !== null) counts.set(hop.direction, (counts.get(hop.direction) ?? 0) + 1);
  }
  const taken = [...boxes(fit).map((box) => wider(box, 2)), ...stacks];
  for (const [direction, count] of counts) {
    const { from, points } = courses[direction];
    const [[x, y], [nextX, nextY]] = points;
    const long = points.slice(1).reduce((sum, [px, py], k) =>
      sum + Math.hypot(px - points[k][0], py - points[k][1]), 0);
    // On a short link they do not reach the next node.
    const width = Math.min(METER.width, 0.3 * long);
    const height = (count * METER.step - METER.step + METER.thick) * scale;
    const side = nextX >= x ? 1 : -1;
    const half = boxWidth(picture.nodes[from].name, sizes) / 2;
    const begin = side > 0 ? x + half + 6 : x - half - 6 - width;
    const far = Math.max(1e-9, Math.hypot(nextX - x, nextY - y));
    const [ux, uy] = [(nextX - x) / far, (nextY - y) / far];
    const off = (Math.abs(uy) * width + Math.abs(ux) * height) / 2 + AIR + 7 * scale;
    const beside = [0.35, 0.8, 1.5].flatMap((share) =>
      [off, -off].map((off) => {
        const at = half + share * width;
        return [x + at * ux - off * uy - width / 2, y + at * uy + off * ux - height / 2];
      }),
    );
    const tried = [
      [begin, y + 10 * scale],
      [begin, y - 10 * scale - height],
      ...beside,
      [x - width / 2, y + sizes.box / 2 + 6],
    ];
    let best: MeterSpot | null = null;
    let least = Infinity;
    tried.forEach(([left, up], k) => {
      const rect = { x: left, y: up, width, height };
      const links = linksIn(wider(rect, AIR * scale), courses);
      const hits = taken.filter((one) => overlap(one, wider(rect, 1))).length;
      const cost = links + 2 * k + COVERS * (hits + Number(leaves(fit, rect)));
      if (cost < least) [least, best] = [cost, { ...rect, onLink: links > 0 }];
    });
    if (!best) continue;
    spots.set(direction, best);
    taken.push(best);
  }
  return spots;
}
