// The packets that nodes hold and have lost: bars of one scale above each node, and their counts.

import { GREY } from '../colours.ts';
import type { Drawing } from './draw.ts';
import { BREAK, LEAST_ROOM, barHeight, words } from './place.ts';
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

/** The most bars that stand apart, each with its count. */
const APART = 3;
const STACK = { width: 9, gap: 12 };
/** Bars of a box, and the room around them. */
const BOXED = { width: 6, gap: 2, edge: 4 };

export function drawStacks(drawing: Drawing) {
  const { pen, picture, place, film, colours, row } = drawing;
  const { box, word } = place.sizes;
  pen.font = words(place.sizes);
  pen.textAlign = 'center';
  const first = Math.min(...picture.nodes.map(({ x }) => x));
  for (const [node, here] of bars(film, row)) {
    const { x, y } = picture.nodes[node];
    // A number would cover the name of the node above.
    const close = place.rooms[node] <= LEAST_ROOM;
    if (here.length > APART) drawBox(drawing, node, here, close);
    else drawApart(drawing, node, here, close);
    if (!close || x !== first || place.left === 0) continue;
    pen.fillStyle = colours.soft;
    pen.textAlign = 'right';
    pen.fillText(total(here), x - place.widths[node] / 2 - 3, y + word / 3);
    pen.textAlign = 'center';
  }
  pen.fillStyle = colours.bad;
  pen.font = words(place.sizes, '600 ');
  for (const [node, byVc] of film.held.drops) {
    const spec = picture.nodes[node];
    let all = 0;
    for (const count of byVc.values()) all += count;
    const under = (word + 3) * (spec.slow ? 2 : 1);
    pen.fillText(`${all} lost`, spec.x, spec.y + box / 2 + under);
  }
}

function total(here: Bar[]): string {
  return String(here.reduce((sum, { count }) => sum + count, 0));
}

function colourOf({ place, colours }: Drawing, vc: number): string {
  return colours.colours[place.colourOf[vc] ?? GREY];
}

/** A few bars, each with its count above it. */
function drawApart(drawing: Drawing, node: number, here: Bar[], close: boolean) {
  const { pen, picture, place, colours, row } = drawing;
  const { box, word, scale } = place.sizes;
  const thick = STACK.width * scale;
  const digits = Math.max(...here.map(({ count }) => String(count).length));
  // Counts beside each other do not touch.
  const gap = Math.max(STACK.gap * scale, close ? 0 : 0.62 * word * digits + 4 - thick);
  let x = picture.nodes[node].x - (here.length * (thick + gap) - gap) / 2;
  const base = picture.nodes[node].y - box / 2 - 4;
  for (const { vc, count, height } of here) {
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
    pen.fillStyle = colours.soft;
    if (!close) pen.fillText(String(count), x + thick / 2, base - height - 3);
    x += thick + gap;
  }
}

/** Many bars in one box with their sum: nobody takes them for dots on the links behind it. */
function drawBox(drawing: Drawing, node: number, here: Bar[], close: boolean) {
  const { pen, picture, place, colours } = drawing;
  const { box, word, scale } = place.sizes;
  const [thick, gap] = [BOXED.width * scale, BOXED.gap * scale];
  const label = close ? '' : `${total(here)} in all`;
  const inner = here.length * (thick + gap) - gap;
  const wide = Math.max(inner, 0.56 * word * label.length) + 2 * BOXED.edge;
  const highest = Math.max(...here.map(({ height }) => height));
  const tall = highest + (close ? 4 : word + 6);
  const spec = picture.nodes[node];
  const foot = spec.y - box / 2 - (close ? 0 : 4);
  pen.beginPath();
  pen.roundRect(spec.x - wide / 2, foot - tall, wide, tall, 3);
  pen.fillStyle = colours.paper;
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = colours.idle;
  pen.stroke();
  let x = spec.x - inner / 2;
  for (const { vc, height } of here) {
    pen.fillStyle = colourOf(drawing, vc);
    pen.fillRect(x, foot - (close ? 1 : 3) - height, thick, height);
    x += thick + gap;
  }
  pen.fillStyle = colours.soft;
  if (label) pen.fillText(label, spec.x, foot - highest - 5);
}
