// Fits the picture of a network into the room of the page: it is stretched if there is more room,
// compressed as far as names do not overlap if there is less, and only then scaled down.

import type { Picture } from '../engine/types.ts';

/** Boxes of nodes. */
export const BOX = { height: 34, radius: 6 };
/** The room below the picture, for losses and rates of nodes; and above it, for stacks. */
const FOOT = 38;
const HEAD = 52;
/** The largest zoom: a name of 13 units is 20 pixels then. */
const ZOOM = 1.5;
/** The largest factors by which a picture is stretched. */
const WIDER = 6;
const HIGHER = 1.9;
/** From this number of nodes on they are dots without names. */
export const CROWD = 150;

export function boxWidth(name: string): number {
  return Math.max(44, 8.4 * name.length + 22);
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
}

/** The least shares of its width and height at which names, and stacks, do not overlap. */
function least(picture: Picture): [number, number] {
  const { nodes } = picture;
  if (nodes.length > CROWD) return [0.6, 0.6];
  let [across, down] = [0.55, 0.5];
  for (let a = 0; a < nodes.length; a++) {
    for (let b = 0; b < a; b++) {
      const dx = Math.abs(nodes[a].x - nodes[b].x);
      const dy = Math.abs(nodes[a].y - nodes[b].y);
      const wide = (boxWidth(nodes[a].name) + boxWidth(nodes[b].name)) / 2;
      if (dy < BOX.height && dx > 0) across = Math.max(across, (wide + 44) / dx);
      if (dx < wide && dy > 0) down = Math.max(down, (BOX.height + 24) / dy);
    }
  }
  return [Math.min(1, across), Math.min(1, down)];
}

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The picture for a room of a size in pixels; `most` is the largest zoom. */
export function fitted(
  picture: Picture,
  roomWide: number,
  roomHigh: number,
  most: number = ZOOM,
): Fitted {
  const { width, height } = picture;
  const fixed = HEAD + FOOT;
  const xs = picture.nodes.map((node) => node.x);
  const ys = picture.nodes.map((node) => node.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [upper, lower] = [Math.min(...ys), Math.max(...ys)];
  const [wide, high] = [right - left, lower - upper];
  // The margins beside the outermost nodes, which their boxes need, do not grow.
  const half = (x: number) =>
    Math.max(...picture.nodes.filter((node) => node.x === x).map((n) => boxWidth(n.name) / 2 + 8));
  const [before, after] = [half(left), half(right)];
  const natural = Math.min(roomWide / (width || 1), roomHigh / (height + fixed));
  const labels = natural >= 0.75;
  // Links within a column go round beside it.
  const straight = picture.links.filter(({ bends }) => bends.length === 2);
  const loops = straight.filter(({ bends }) => bends[0][0] === bends[1][0]).map(({ bends }) => {
    const over = bends[0][0] + loopWidth(bends[0][1], bends[1][1]) + (labels ? WORDS : 14);
    return over - right - after;
  });
  const beside = before + after + Math.max(0, ...loops);
  const edge = BOX.height;
  const [thin, flat] = least(picture);
  const pressed = Math.min(
    roomWide / (beside + wide * thin),
    roomHigh / (edge + high * flat + fixed),
  );
  const zoom = natural >= 1 ? Math.min(most, natural) : Math.max(natural, Math.min(1, pressed));
  const across = wide > 0 ? between((roomWide / zoom - beside) / wide, thin, WIDER) : 1;
  const down = high > 0 ? between((roomHigh / zoom - edge - fixed) / high, flat, HIGHER) : 1;
  const x = (at: number) => before + (at - left) * across;
  const y = (at: number) => edge / 2 + (at - upper) * down;
  // A single row has the rest of the room above it, for its stacks.
  const spare = between(roomHigh / zoom - edge - high * down - fixed, 0, 70);
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
    top: HEAD + spare,
    height: edge + high * down + fixed + spare,
    zoom,
    labels,
  };
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

/** The most height of the stacks of each node: up to the node above, or to the edge. */
export function rooms(picture: Picture, top: number): number[] {
  return picture.nodes.map((node) => {
    const above = picture.nodes
      .filter((other) => other.y < node.y && Math.abs(other.x - node.x) < 40)
      .map((other) => node.y - other.y - BOX.height);
    const edge = node.y + top - BOX.height / 2;
    return Math.max(6, Math.min(edge, ...above) - 16);
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
