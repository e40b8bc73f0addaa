// Fits the picture of a network into the room of the page: it is stretched if there is more room,
// compressed as far as names do not overlap if there is less, and only then scaled down.

import type { Picture } from '../engine/types.ts';

/** The sizes of nodes and words, in units of the picture. */
export interface Sizes {
  /** The height of a box and its corners; the room beside its name, and its least width. */
  box: number;
  corner: number;
  pad: number;
  narrow: number;
  /** The letters of names, and of all other words. */
  name: number;
  word: number;
  /** The least gaps between boxes, above each other and beside each other. */
  down: number;
  across: number;
  /** The room above the picture, for stacks; and below it, for losses and rates of nodes. */
  head: number;
  foot: number;
  /** Dots, bars and gaps are this much larger. */
  scale: number;
}

const ROOMY: Sizes = {
  box: 34, corner: 6, pad: 22, narrow: 44, name: 13, word: 11, down: 24, across: 44,
  head: 52, foot: 38, scale: 1,
};

/** Boxes that are hardly larger than their names, with letters of `name` units; `air` is the share
 *  of the room around names that is kept. */
function tight(name: number, air: number): Sizes {
  const word = Math.max(9, name - 2);
  const edge = Math.max(0.4, air);
  return {
    box: name + 7 * air, corner: 5, pad: 11, narrow: 2 * name, name, word,
    down: 8 * air, across: 22,
    head: (name + word + 12) * edge, foot: (2 * word + 10) * edge, scale: name / 13,
  };
}

/** Nodes without names, for a picture that has no room for them. */
export const NAMELESS: Sizes = {
  box: 5, corner: 1, pad: 0, narrow: 5, name: 0, word: 10, down: 1, across: 12,
  head: 22, foot: 6, scale: 0.8,
};

/** The font of all words that are not names. */
export function words({ word }: Sizes, weight = ''): string {
  return `${weight}${word}px system-ui, sans-serif`;
}

/** The largest zoom: a name of 13 units is 20 pixels then. */
const ZOOM = 1.5;
/** The largest factors by which a picture is stretched. */
const WIDER = 6;
const HIGHER = 1.9;
/** A small room is used up to its edges. */
const SMALL_HIGHER = 3;
/** The room for bars above the topmost switches, beside that for a number. */
const CROWN = 34;
/** The share of the room below a picture that one line of words needs. */
const ONE_LINE = 0.65;
/** The most room above a picture, which its stacks may use. */
const SPARE = 70;
/** From this number of nodes on they are dots without names. */
export const CROWD = 150;

export function boxWidth(name: string, sizes: Sizes): number {
  const broad = name.match(/[mwMW]/g)?.length ?? 0;
  const letters = 0.645 * name.length + (name.length > 2 ? 0.4 * broad : 0);
  return Math.max(sizes.narrow, letters * sizes.name + sizes.pad);
}

/** Room for the words of a link that goes round. */
export const WORDS = 110;

/** The distance from its column of a link between two of its nodes. */
export function loopWidth(from: number, to: number): number {
  return 12 + Math.min(90, 0.6 * Math.abs(to - from));
}

export interface Fitted {
  picture: Picture;
  /** Room above the topmost row of nodes and below the lowest. */
  top: number;
  height: number;
  /** Pixels per unit, if the width stays that of the picture. */
  zoom: number;
  /** Whether words on links are readable. */
  labels: boolean;
  sizes: Sizes;
  /** The room for counts beside the leftmost nodes. */
  left: number;
}

/** How a picture is fitted. */
interface Fit {
  /** The largest zoom. */
  most?: number;
  sizes?: Sizes;
  /** The most room above the picture beside that for its stacks. */
  spare?: number;
  /** Room for counts beside the leftmost nodes. */
  left?: number;
  /** The most that it is stretched down. */
  higher?: number;
}

/** The least shares of its width and height at which names, and stacks, do not overlap. */
function least(picture: Picture, sizes: Sizes): [number, number] {
  const { nodes } = picture;
  if (nodes.length > CROWD) return [0.6, 0.6];
  const roomy = sizes === ROOMY;
  const least = sizes.name > 0 ? 0.2 : 0.05;
  let [across, down] = roomy ? [0.55, 0.5] : [least, least];
  for (let a = 0; a < nodes.length; a++) {
    for (let b = 0; b < a; b++) {
      const dx = Math.abs(nodes[a].x - nodes[b].x);
      const dy = Math.abs(nodes[a].y - nodes[b].y);
      const wide = (boxWidth(nodes[a].name, sizes) + boxWidth(nodes[b].name, sizes)) / 2;
      if (dy < sizes.box && dx > 0) across = Math.max(across, (wide + sizes.across) / dx);
      if (dx < wide && dy > 0) down = Math.max(down, (sizes.box + sizes.down) / dy);
    }
  }
  // Letters may be larger than the picture has room for: then it is stretched.
  return roomy ? [Math.min(1, across), Math.min(1, down)] : [across, down];
}

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The picture for a room of a size in pixels. */
export function fitted(
  picture: Picture,
  roomWide: number,
  roomHigh: number,
  { most = ZOOM, sizes = ROOMY, spare = SPARE, left: side = 0, higher = HIGHER }: Fit = {},
): Fitted {
  const { width, height } = picture;
  // Only a slow host has two lines below it: its rate and its losses.
  const lines = picture.nodes.some(({ slow }) => slow) ? 1 : ONE_LINE;
  const fixed = sizes.head + sizes.foot * lines;
  const xs = picture.nodes.map((node) => node.x);
  const ys = picture.nodes.map((node) => node.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [upper, lower] = [Math.min(...ys), Math.max(...ys)];
  const [wide, high] = [right - left, lower - upper];
  // The margins beside the outermost nodes, which their boxes need, do not grow.
  const half = (x: number) =>
    Math.max(...nodesAt(picture, x).map((n) => boxWidth(n.name, sizes) / 2 + 8));
  // The same margin on the right keeps the picture in the middle.
  const [before, after] = [half(left) + side, half(right) + side];
  const natural = Math.min(roomWide / (width || 1), roomHigh / (height + fixed));
  const labels = natural >= 0.75;
  // Links within a column go round beside it.
  const straight = picture.links.filter(({ bends }) => bends.length === 2);
  const loops = straight.filter(({ bends }) => bends[0][0] === bends[1][0]).map(({ bends }) => {
    const over = bends[0][0] + loopWidth(bends[0][1], bends[1][1]) + (labels ? WORDS : 14);
    return over - right - after;
  });
  const beside = before + after + Math.max(0, ...loops);
  const edge = sizes.box;
  const [thin, flat] = least(picture, sizes);
  const pressed = Math.min(
    roomWide / (beside + wide * thin),
    roomHigh / (edge + high * flat + fixed),
  );
  const small = Math.min(1, pressed);
  const usual = natural >= 1 ? Math.min(most, natural) : Math.max(natural, small);
  const zoom = sizes === ROOMY ? usual : small;
  const across = wide > 0 ? between((roomWide / zoom - beside) / wide, thin, WIDER) : 1;
  const tall = roomHigh / zoom - edge - fixed;
  // The topmost switches have room for bars above them, before the picture is stretched down.
  const topmost = picture.nodes.some(({ kind, y }) => kind === 'switch' && y === upper);
  const crown = topmost && high > 0 ? between(tall - high * flat, 0, CROWN) : 0;
  const down = high > 0 ? between((tall - crown) / high, flat, higher) : 1;
  const x = (at: number) => before + (at - left) * across;
  const y = (at: number) => edge / 2 + (at - upper) * down;
  // A single row has the rest of the room above it, for its stacks.
  const rest = tall - crown - high * down;
  const above = crown + between(rest, 0, high > 0 ? spare : SPARE);
  return {
    picture: {
      ...picture,
      width: before + after + wide * across,
      height: edge + high * down,
      nodes: picture.nodes.map((node) => ({ ...node, x: x(node.x), y: y(node.y) })),
      links: picture.links.map((link) => ({
        ...link,
        bends: link.bends.map(([bx, by]) => [x(bx), y(by)]),
      })),
    },
    top: sizes.head + above,
    height: edge + high * down + fixed + above,
    zoom,
    labels,
    sizes,
    left: side,
  };
}

function nodesAt(picture: Picture, x: number) {
  return picture.nodes.filter((node) => node.x === x);
}

/** The least height of names in pixels, and the largest letters that are tried for it, in units. */
const READABLE = 11;
const LARGEST = 40;

/** The picture for a small room: names have letters of 11 pixels, or as near as the room allows. */
export function snug(
  picture: Picture,
  roomWide: number,
  roomHigh: number,
  { spare = SPARE, counts = false } = {},
): Fitted {
  const name = (fit: Fitted) => fit.sizes.name * fit.zoom;
  const fit = (size: number, air: number, left = 0) => {
    const sizes = tight(size, air);
    const options = { most: 1, sizes, spare, left, higher: SMALL_HIGHER };
    return fitted(picture, roomWide, roomHigh, options);
  };
  let last: [number, number] = [13, 1];
  let best = fit(13, 1);
  for (const air of [1, 0.5, 0.1]) {
    for (let size = 13; size <= LARGEST && name(best) < READABLE; size++) {
      const next = fit(size, air);
      if (name(next) > name(best)) [best, last] = [next, [size, air]];
    }
  }
  const first = Math.min(...best.picture.nodes.map(({ x }) => x));
  const room = rooms(best);
  const close = best.picture.nodes.some(({ x }, k) => x === first && room[k] <= LEAST_ROOM);
  // Counts that have no room above their nodes are beside them.
  const beside = counts && close ? fit(...last, 3 * best.sizes.word) : best;
  return name(beside) >= Math.min(READABLE, name(best)) ? beside : best;
}

/** The height of a stack per packet, if there is room. */
const ROW = 3;
/** The least height at which a bar is visible. */
const LEAST = 1.5;

/** The most packets that a bar represents; one of more is drawn broken. Else a queue of 40,000
 *  would leave one of 80 without a height. */
export const BREAK = 512;

/** The height of a bar: in proportion to its packets, up to the break. */
export function barHeight(count: number, row: number): number {
  return Math.max(LEAST, row * Math.min(count, BREAK));
}

/** The most bars that stand apart, each with its count. */
export const APART = 3;
export const STACK = { width: 9, gap: 12 };
/** Bars of a box, and the room around them. */
export const BOXED = { width: 6, gap: 2, edge: 4 };

/** The gap between bars for which counts of some digits do not touch. */
export function countGap({ word, scale }: Sizes, digits: number): number {
  return Math.max(STACK.gap * scale, 0.62 * word * digits + 4 - STACK.width * scale);
}

/** The height of stacks where there is no room for more: without numbers. */
export const LEAST_ROOM = 6;

/** The most height of the stacks of each node: up to the node above, or to the edge, with room for
 *  the number on a stack. */
export function rooms({ picture, top, sizes }: Fitted): number[] {
  const reach = (name: string) => Math.max(40, boxWidth(name, sizes) / 2 + 12);
  return picture.nodes.map((node) => {
    const above = picture.nodes
      .filter((other) => other.y < node.y && Math.abs(other.x - node.x) < reach(other.name))
      .map((other) => node.y - other.y - sizes.box);
    const edge = node.y + top - sizes.box / 2;
    return Math.max(LEAST_ROOM, Math.min(edge, ...above) - sizes.word - 11);
  });
}

/** The height of a row of every stack: the least for which every node has room in the whole run. */
export function rowHeight(room: number[], peaks: number[] | undefined): number {
  if (!peaks) return ROW;
  let row = ROW;
  peaks.forEach((peak, node) => {
    if (peak > 0) row = Math.min(row, room[node] / Math.min(peak, BREAK));
  });
  return row;
}
