// The marks on the stage: a circle that waits for itself, links that an event blocks or that
// lose cells, and slow hosts.

import type { Deadlock, Fault, Picture } from '../engine/types.ts';
import { digits, rate, time } from '../words.ts';

/** The effect of the timeline on a link direction at an instant, and its end. */
export interface Now extends Fault {
  untilPs: number | null;
}

export function faultAt(picture: Picture, direction: number, at: number): Now | null {
  const { faults } = picture.links[direction >> 1].directions[direction & 1];
  let found = -1;
  while (found + 1 < faults.length && faults[found + 1].fromPs <= at) found++;
  if (found < 0) return null;
  const now = faults[found];
  if (!now.blocked && now.data === 0 && now.credits === 0) return null;
  return { ...now, untilPs: faults[found + 1]?.fromPs ?? null };
}

/** The deadlock, if it exists at an instant. */
export function lockedAt(deadlock: Deadlock | null | undefined, at: number): Deadlock | null {
  return deadlock && deadlock.sincePs <= at ? deadlock : null;
}

/** The circle in words. */
export function lockedWords({ sincePs, waits }: Deadlock): string {
  const names = waits.map(({ name, vc }) => (vc === null ? name : `${name} (${vc})`));
  const whole = [...names, names[0]];
  return `Deadlock since ${time(sincePs)}: ${whole.join(' waits for ')}.`;
}

function percent(chance: number): string {
  return `${digits(100 * chance)} %`;
}

/** The faults of a link direction now, in words, each with its end if it has one. */
export function faultWords(now: Now): string[] {
  const until = now.untilPs === null ? 'to the end' : `until ${time(now.untilPs)}`;
  const said: string[] = [];
  if (now.blocked) said.push(`blocked by an event, ${until}: no data starts`);
  if (now.data > 0) said.push(`${percent(now.data)} of data is corrupted, ${until}`);
  if (now.credits > 0) said.push(`${percent(now.credits)} of credits are corrupted, ${until}`);
  return said;
}

/** The rate that a slow host takes, and whether its application has stopped. */
export function slowWords(picture: Picture, node: number, at: number): string | null {
  const { slow } = picture.nodes[node];
  if (!slow) return null;
  const takes = slow.takesBps < slow.linkBps
    ? `${rate(slow.takesBps)} of the ${rate(slow.linkBps)} that its link brings`
    : rate(slow.takesBps);
  const drain = drainOf(picture, node);
  const now = drain === null ? null : faultAt(picture, drain, at);
  if (!now?.blocked) return takes;
  const until = now.untilPs === null ? 'to the end' : `until ${time(now.untilPs)}`;
  return `nothing ${until}; else ${takes}`;
}

/** The direction from a host to its application. */
export function drainOf(picture: Picture, node: number): number | null {
  const found = picture.links.flatMap(({ ends, directions }) =>
    directions.map((direction, side) => direction.drain && ends[side] === node));
  return found.includes(true) ? found.indexOf(true) : null;
}

/** The marks that a picture may ever have: they are explained below it. */
export function kinds(picture: Picture): { blocked: boolean; lossy: boolean; slow: boolean } {
  const faults = picture.links.flatMap((link) => link.directions.flatMap((one) => one.faults));
  return {
    blocked: faults.some((fault) => fault.blocked),
    lossy: faults.some((fault) => fault.data > 0 || fault.credits > 0),
    slow: picture.nodes.some((node) => node.slow !== null),
  };
}
