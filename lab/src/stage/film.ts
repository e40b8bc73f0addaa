// A film of a run, as far as it is known: fetched ahead of the play head, dropped behind it.

import { Camera } from '../engine/client.ts';
import type { FilmPart, Picture, Source } from '../engine/types.ts';
import { Held, flights, type Shot, type TakeFlight } from './shot.ts';

/** The approximate number of flights in a part. */
const FLIGHTS = 8000;
/** The number of parts kept behind the play head, to step back. */
const KEPT = 12;

interface Part extends FilmPart {
  /** The first start and the last end of its flights. */
  first: number;
  last: number;
}

function part(raw: FilmPart): Part {
  let first = Infinity;
  let last = -Infinity;
  for (const start of raw.columns.start) if (start < first) first = start;
  for (const end of raw.columns.end) if (end > last) last = end;
  return { ...raw, first, last };
}

export class Film implements Shot {
  readonly held = new Held();
  /** Everything before this instant is known. */
  known = 0;
  readonly end: number;
  failed: Error | null = null;
  private camera: Camera;
  private parts: Part[] = [];
  private asked = false;
  private span: number;
  /** The part, and the state in it, that `held` has reached. */
  private at = { part: 0, state: 0, time: -1 };
  private generation = 0;

  constructor(
    private readonly source: Source,
    picture: Picture,
    private readonly changed: () => void,
  ) {
    this.end = picture.endPs;
    const times = picture.links.flatMap((link) => link.directions.map((d) => d.cellTimePs));
    this.span = 100 * Math.max(1, Math.min(...times));
    this.camera = new Camera(source);
  }

  close() {
    this.generation++;
    this.camera.end();
  }

  /** Makes sure that `[time, time + ahead)` will be known. */
  want(time: number, ahead: number) {
    if (this.failed) return;
    const [first] = this.parts;
    if (first && time < first.statesPs[0]) {
      // The instant is before the kept parts: the film starts again.
      this.camera.end();
      this.generation++;
      this.asked = false;
      this.parts = [];
      this.known = 0;
      this.at = { part: 0, state: 0, time: -1 };
      this.held.clear();
      this.camera = new Camera(this.source);
    }
    if (this.asked || this.known >= this.end || this.known > time + ahead) return;
    this.asked = true;
    const generation = this.generation;
    // The film jumps to an instant far ahead: only the state there is known then.
    const from = time > this.known + 4 * this.span ? time : this.known;
    if (from > this.known) {
      this.parts = [];
      this.at = { part: 0, state: 0, time: -1 };
      this.held.clear();
    }
    this.camera.film(from, Math.min(this.end, from + this.span)).then(
      (raw) => {
        if (generation !== this.generation) return;
        this.asked = false;
        this.take(part(raw), time);
        this.changed();
      },
      (error: Error) => {
        if (generation !== this.generation) return;
        this.failed = error;
        this.changed();
      },
    );
  }

  private take(got: Part, time: number) {
    this.parts.push(got);
    this.known = got.knownPs;
    const rows = got.flights + got.states / 2;
    const scale = Math.min(2, Math.max(0.25, FLIGHTS / Math.max(1, rows)));
    this.span = Math.max(1, this.span * scale);
    while (this.parts.length > KEPT && this.parts[1].statesPs[0] < time && this.at.part > 1) {
      this.parts.shift();
      this.at.part--;
    }
  }

  /** Brings `held` to an instant that is known. */
  seek(time: number) {
    if (this.parts.length === 0) return;
    if (time < this.at.time) {
      let index = this.parts.length - 1;
      while (index > 0 && this.parts[index].statesPs[0] > time) index--;
      this.at = { part: index, state: 0, time };
      this.held.clear();
    }
    for (;;) {
      const here = this.parts[this.at.part];
      const { time: times, what, place, whose, value } = here.columns;
      let k = this.at.state;
      while (k < times.length && times[k] <= time) {
        this.held.set(what[k], place[k], whose[k], value[k]);
        k++;
      }
      this.at.state = k;
      if (k < times.length || this.at.part + 1 >= this.parts.length) break;
      this.at = { part: this.at.part + 1, state: 0, time };
    }
    this.at.time = time;
  }

  eachFlight(time: number, take: TakeFlight) {
    for (const here of this.parts) {
      if (here.first <= time && here.last > time) flights(here.columns, time, take);
    }
  }

  /** The first instant after `time` at which something starts, arrives or changes. */
  next(time: number): number {
    let next = Infinity;
    for (const here of this.parts) {
      for (const column of [here.columns.start, here.columns.time]) {
        for (const at of column) if (at > time && at < next) next = at;
      }
    }
    // The unknown part is not skipped.
    return next < Infinity ? next : Math.max(time, Math.min(this.known, this.end));
  }
}
