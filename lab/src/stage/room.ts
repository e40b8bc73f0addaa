// The room of each view on the stage, and the picture that is fitted into it.

import type { Picture } from '../engine/types.ts';
import { type Fitted, fitted, rooms, snug } from './place.ts';

/** Stacks that have less room than this, in units, are hard to compare. */
const LOW = 36;
/** Views of less than this width in pixels are laid out as on a phone. */
const NARROW = 420;

/** As in the style sheet: one column, above which the stage stays in sight. */
export function isPhone(): boolean {
  return window.innerWidth < 704;
}

/** The number of views beside each other in a frame of a width; if it is 1, one is shown at a time:
 *  on a phone, and where views would have less than 230 pixels. */
export function columns(views: number, width: number): number {
  if (isPhone()) return 1;
  if (views === 4) return width > 1300 ? 4 : width >= 600 ? 2 : 1;
  return views * 230 <= width ? views : 1;
}

/** The picture of one of several views for a frame of a width, and the width of the view. */
export function fitView(picture: Picture, views: number, frame: number): [Fitted, number] {
  const tall = window.innerHeight;
  const many = views > 1;
  const across = columns(views, frame);
  const wide = frame / across - 8;
  const spare = many ? 0 : undefined;
  if (isPhone()) {
    // The stage stays in sight above the text; the names of controls are above it.
    const high = Math.max(120, (many ? 0.275 : 0.335) * tall);
    return [snug(picture, wide, high, { spare, counts: true }), wide];
  }
  const usual = Math.max(340, 0.6 * tall);
  // Two rows of views, and the keys below them, are on the first screen.
  const rows = across > 1 ? Math.ceil(views / across) : 1;
  const high = rows > 1 ? Math.max(200, 0.34 * tall) : many ? 0.9 * usual : usual;
  if (many && wide < NARROW) return [snug(picture, wide, high, { spare, counts: true }), wide];
  const fit = fitted(picture, wide, high, { spare });
  if (many || Math.min(...rooms(fit)) >= LOW) return [fit, wide];
  // Nodes above each other leave little room for stacks: the stage takes more of the window.
  return [fitted(picture, wide, Math.max(high, 0.78 * tall), { most: 1 }), wide];
}
