// What the stage draws of a run at an instant: flights on links, and the contents of nodes.

import type { Columns } from '../engine/module.ts';

/** The state at an instant. */
export class Held {
  /** By node, by VC: packets held. */
  readonly queues = new Map<number, Map<number, number>>();
  /** By sending link direction, by VC: credits left. */
  readonly credits = new Map<number, Map<number, number>>();
  /** By sending link direction, by lane: closed until, in ps. */
  readonly shut = new Map<number, Map<number, number>>();
  /** By node: packets dropped so far. */
  readonly drops = new Map<number, Map<number, number>>();

  clear() {
    for (const kind of [this.queues, this.credits, this.shut, this.drops]) kind.clear();
  }

  /** `what` is as in column 7 of crates/hopflow-wasm/src/columns.rs. */
  set(what: number, place: number, whose: number, value: number) {
    const kind = [this.queues, this.credits, this.shut, this.drops][what];
    let row = kind.get(place);
    if (!row) kind.set(place, (row = new Map()));
    row.set(whose, value);
  }
}

/** Takes a flight on a link. */
export type TakeFlight = (
  direction: number, vc: number, kind: number, share: number, fate: number,
) => void;

/** A run at an instant. */
export interface Shot {
  held: Held;
  /** Calls `take` for each flight on a link at an instant. */
  eachFlight(time: number, take: TakeFlight): void;
}

/** The flights of a part of a film at an instant. */
export function flights(columns: Columns, time: number, take: TakeFlight) {
  const { start, end, direction, vc, kind, fate } = columns;
  for (let k = 0; k < start.length; k++) {
    if (start[k] <= time && time < end[k]) {
      take(direction[k], vc[k], kind[k], (time - start[k]) / (end[k] - start[k]), fate[k]);
    }
  }
}

/** The instant at which a part of a film begins. */
export function still(columns: Columns, at: number): Shot {
  const held = new Held();
  const { time, what, place, whose, value } = columns;
  for (let k = 0; k < time.length; k++) {
    if (time[k] <= at) held.set(what[k], place[k], whose[k], value[k]);
  }
  return { held, eachFlight: (instant, take) => flights(columns, instant, take) };
}
