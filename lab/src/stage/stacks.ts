// The packets that nodes hold and have lost: bars of one scale above each node, and their counts.

import { GREY } from '../colours.ts';
import type { Drawing } from './draw.ts';
import type { Label } from './labels.ts';
import { APART, BOXED, BREAK, LEAST_ROOM, STACK, barHeight, countGap, words } from './place.ts';
import type { Shot } from './shot.ts';

/** A bar of a stack. */
export interface Bar {
  node: number;
  vc: number;
  count: number;
  height: number;
}

/** The bars at an instant, by node; `row` is the height of a row, the same for all. */
export function bars(film: Shot, row: number): Map<number, Bar[]> {
  const found = new Map<number, Bar[]>();
  for (const [node, held] of film.held.queues) {
    const waits = [...held].filter(([, count]) => count > 0).sort(([a], [b]) => a - b).slice(0, 10);
    const here = waits.map(([vc, count]) => ({ node, vc, count, height: barHeight(count, row) }));
    if (here.length > 0) found.set(node, here);
  }
  return found;
}

/** The edge of paper around a bar. */
const EDGE = 1.5;

/** Draws the bars; their numbers are added to the labels. */
export function drawStacks(drawing: Drawing, labels: Label[]) {
  const { picture, place, film, colours, row } = drawing;
  const { box, word } = place.sizes;
  const font = words(place.sizes);
  const count = (text: string, x: number, y: number, align: CanvasTextAlign = 'center') =>
    labels.push({ text, x, y, font, colour: colours.soft, align });
  const first = Math.min(...picture.nodes.map(({ x }) => x));
  for (const [node, here] of bars(film, row)) {
    const { x, y } = picture.nodes[node];
    // A number would cover the name of the node above.
    const close = place.rooms[node] <= LEAST_ROOM;
    if (here.length > APART) drawBox(drawing, node, here, close, count);
    else drawApart(drawing, node, here, close, count);
    if (!close || x !== first || place.left === 0) continue;
    count(total(here), x - place.widths[node] / 2 - 3, y + word / 3, 'right');
  }
  const bold = words(place.sizes, '600 ');
  for (const [node, byVc] of film.held.drops) {
    const spec = picture.nodes[node];
    let all = 0;
    for (const count of byVc.values()) all += count;
    const under = (word + 3) * (spec.slow ? 2 : 1);
    const at = { x: spec.x, y: spec.y + box / 2 + under };
    labels.push({ text: `${all} lost`, ...at, font: bold, colour: colours.bad, align: 'center' });
  }
}

function total(here: Bar[]): string {
  return String(here.reduce((sum, { count }) => sum + count, 0));
}

function colourOf({ place, colours }: Drawing, vc: number): string {
  return colours.colours[place.colourOf[vc] ?? GREY];
}

type Count = (text: string, x: number, y: number) => void;

/** A few bars, each with its count above it. */
function drawApart(drawing: Drawing, node: number, here: Bar[], close: boolean, label: Count) {
  const { pen, picture, place, colours, row } = drawing;
  const { box, scale } = place.sizes;
  const thick = STACK.width * scale;
  const digits = Math.max(...here.map(({ count }) => String(count).length));
  const gap = close ? STACK.gap * scale : countGap(place.sizes, digits);
  const spec = picture.nodes[node];
  const wide = here.length * (thick + gap) - gap;
  let x = spec.x + place.asides[node] - wide / 2;
  const base = spec.y - box / 2 - 4;
  // Bars beside their node stand on a shelf that begins there.
  const reach = Math.abs(place.asides[node]) + wide / 2;
  if (!close && reach > place.widths[node] / 2) {
    const [left, right] = [Math.min(x, spec.x), Math.max(x + wide, spec.x)];
    pen.fillStyle = colours.soft;
    pen.fillRect(left, base + EDGE, right - left, 1.2);
  }
  for (const { vc, count, height } of here) {
    if (!close) {
      // An edge of paper parts it from the links behind it.
      pen.fillStyle = colours.paper;
      pen.fillRect(x - EDGE, base - height - EDGE, thick + 2 * EDGE, height + 2 * EDGE);
    }
    pen.fillStyle = colourOf(drawing, vc);
    // One by one, if rows are high enough to be distinguished.
    if (row >= 2) {
      for (let k = 0; k < count; k++) {
        pen.fillRect(x, base - (k + 1) * row, thick, row - 1);
      }
    } else {
      pen.fillRect(x, base - height, thick, height);
      if (count > BREAK) {
        pen.fillStyle = colours.wash;
        pen.fillRect(x - 1, base - 0.75 * height, thick + 2, 2.5);
      }
    }
    if (!close) label(String(count), x + thick / 2, base - height - 3);
    x += thick + gap;
  }
}

/** Many bars in one box with their sum: nobody takes them for dots on the links behind it. */
function drawBox(drawing: Drawing, node: number, here: Bar[], close: boolean, count: Count) {
  const { pen, picture, place, colours } = drawing;
  const { box, word, scale } = place.sizes;
  const [thick, gap] = [BOXED.width * scale, BOXED.gap * scale];
  const label = close ? '' : `${total(here)} in all`;
  const inner = here.length * (thick + gap) - gap;
  const wide = Math.max(inner, 0.56 * word * label.length) + 2 * BOXED.edge;
  const highest = Math.max(...here.map(({ height }) => height));
  const tall = highest + (close ? 4 : word + 6);
  const spec = picture.nodes[node];
  const middle = spec.x + place.asides[node];
  const foot = spec.y - box / 2 - (close ? 0 : 4);
  pen.beginPath();
  pen.roundRect(middle - wide / 2, foot - tall, wide, tall, 3);
  pen.fillStyle = colours.paper;
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = colours.idle;
  pen.stroke();
  let x = middle - inner / 2;
  for (const { vc, height } of here) {
    pen.fillStyle = colourOf(drawing, vc);
    pen.fillRect(x, foot - (close ? 1 : 3) - height, thick, height);
    x += thick + gap;
  }
  if (label) count(label, middle, foot - highest - 5);
}
