// The picture of a card: the network of an entry at an instant of its run, drawn by the stage into
// an SVG while the page is built. The engine is that of the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { VARIABLES, coloursOf } from '../src/colours.ts';
import { Engine } from '../src/engine/module.ts';
import type { Checked, FilmPart, Picture } from '../src/engine/types.ts';
import type { Entry } from '../src/gallery.ts';
import { draw } from '../src/stage/draw.ts';
import { layout } from '../src/stage/layout.ts';
import { SvgPen } from '../src/stage/pen.ts';
import { LEAST_ROOM, NAMELESS, fitted, rowHeight, snug } from '../src/stage/place.ts';
import { type Held, type Shot, still } from '../src/stage/shot.ts';

/** The room of a picture, in pixels of a card. */
const WIDE = 300;
const HIGH = 160;
/** The least letters of names, in pixels: smaller ones are left out. */
const LETTERS = 9;
/** Flights on a link direction that are nearer than this share of it are one. */
const APART = 1 / 50;

let compiled: WebAssembly.Module | undefined;

/** The engine of the page, which is built before it. */
function engine(): Engine {
  const file = join(import.meta.dirname, '../src/engine/hopflow.wasm');
  compiled ??= new WebAssembly.Module(readFileSync(file) as BufferSource);
  return new Engine(compiled);
}

/** The run of a scenario at an instant. */
function at(source: { text: string; name: string }, from: number): Shot {
  const own = engine();
  own.ask({ ask: 'play', source });
  const part = own.ask<FilmPart>({ ask: 'film', from, until: from + 1 });
  return still(own.columns(part.flights, part.states), from);
}

/** Without flights that would be drawn on another one: they are bytes that nobody sees. */
function thinned({ held, eachFlight }: Shot): Shot {
  return {
    held,
    eachFlight(time, take) {
      const seen = new Set<string>();
      eachFlight(time, (direction, vc, kind, share, fate) => {
        const place = `${direction} ${Math.round(share / APART)}`;
        if (!seen.has(place)) take(direction, vc, kind, share, fate);
        seen.add(place);
      });
    },
  };
}

/** The most meters of credit. */
const METERS = 6;

/** What a card has room for: stacks of nodes with room above them, the most losses of any node, and
 *  few meters of credit. */
function sparse(picture: Picture, { held }: Shot, rooms: number[]): Picture {
  for (const node of [...held.queues.keys()]) {
    if (rooms[node] <= LEAST_ROOM) held.queues.delete(node);
  }
  const lost = (node: number) =>
    [...(held.drops.get(node)?.values() ?? [])].reduce((a, b) => a + b, 0);
  const [, ...others] = [...held.drops.keys()].sort((a, b) => lost(b) - lost(a));
  for (const node of others) held.drops.delete(node);
  const meters = picture.vcs.flatMap(({ hops }) => hops).filter(({ credit }) => credit !== null);
  if (meters.length <= METERS) return picture;
  const without = (vc: Picture['vcs'][0]) => ({
    ...vc,
    hops: vc.hops.map((hop) => ({ ...hop, credit: null })),
  });
  return { ...picture, vcs: picture.vcs.map(without) };
}

/** By node, the most that any VC has there. */
function peaks({ queues }: Held, nodes: number): number[] {
  const peak = (node: number) => Math.max(0, ...(queues.get(node)?.values() ?? []));
  return Array.from({ length: nodes }, (_, node) => peak(node));
}

/** The picture, and the names of all flows. */
export function card(entry: Entry): { picture: string; flows: string[] } {
  const source = { text: entry.scenario, name: entry.file };
  const { picture } = engine().ask<Checked>({ ask: 'check', source });
  if (!picture) throw new Error('the network is too large for a picture');
  const { vcs } = picture;
  const named = snug(picture, WIDE, HIGH);
  const readable = named.sizes.name * named.zoom >= LETTERS;
  const fit = readable ? named : fitted(picture, WIDE, HIGH, { most: 1, sizes: NAMELESS });
  const place = layout(fit, coloursOf(vcs, entry.flow));
  const time = entry.picturePs;
  const film = thinned(at(source, time));
  const drawn = sparse(fit.picture, film, place.rooms);
  const row = place.crowd ? 1 : rowHeight(place.rooms, peaks(film.held, picture.nodes.length));
  const pen = new SvgPen();
  const marks = { selected: null, locked: null };
  draw({ pen, picture: drawn, place, film, colours: VARIABLES, time, row, ...marks }, 1);
  const svg = pen.svg(place.width, place.height, 'none');
  return { picture: svg.trim(), flows: vcs.map(({ name }) => name) };
}
