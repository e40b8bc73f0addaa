// The content of the stage as numbers and words: of the selected node or link, and of the whole
// picture, for readers who do not see it.

import type { Picture } from '../engine/types.ts';
import { digits, rate, time } from '../words.ts';
import type { Drawing } from './draw.ts';
import { faultAt, faultWords, slowWords } from './marks.ts';

export type Selected = { node: number } | { link: number };

/** A picture and its film at an instant. */
export type Shown = Pick<Drawing, 'picture' | 'film' | 'time' | 'locked'>;

/** A title, and rows of a name and an amount. */
interface Facts {
  title: string;
  rows: string[][];
}

/** The numbers of the selected node or link. */
export function facts(shown: Shown, selected: Selected): Facts {
  return 'node' in selected ? ofNode(shown, selected.node) : ofLink(shown, selected.link);
}

function ofNode({ picture, film, time: now }: Shown, index: number): Facts {
  const node = picture.nodes[index];
  const name = (vc: number) => picture.vcs[vc]?.name ?? 'none';
  const held = [...(film.held.queues.get(index) ?? [])].filter(([, n]) => n > 0);
  const drops = [...(film.held.drops.get(index) ?? [])];
  const slow = slowWords(picture, index, now);
  const rows = [
    ...(slow ? [['its application takes', slow]] : []),
    ...held.map(([vc, count]) => [`held of ${name(vc)}`, digits(count)]),
    ...drops.map(([vc, lost]) => [`lost of ${name(vc)}`, digits(lost)]),
  ];
  const kind = node.kind === 'application' ? 'host' : node.kind;
  return { title: `${kind} ${node.name}`, rows };
}

function ofLink({ picture, film, time: now, locked }: Shown, link: number): Facts {
  const rows: string[][] = [];
  picture.links[link].directions.forEach((direction, side) => {
    const id = 2 * link + side;
    rows.push([direction.name, `${rate(direction.rateBps)}, ${time(direction.delayPs)}`]);
    const fault = faultAt(picture, id, now);
    for (const words of fault ? faultWords(fault) : []) rows.push(['', words]);
    const closed = [...(film.held.shut.get(id) ?? [])].filter(([, until]) => until > now);
    for (const [lane] of closed) rows.push(['', `priority ${lane} is closed by a pause`]);
    const waits = locked?.waits ?? [];
    const at = waits.findIndex((wait) => wait.direction === id);
    if (at >= 0) rows.push(['', `deadlock: waits for ${waits[(at + 1) % waits.length].name}`]);
    for (const [vc, left] of film.held.credits.get(id) ?? []) {
      rows.push([`credit of ${picture.vcs[vc].name}`, digits(left)]);
    }
    let flying = 0;
    film.eachFlight(now, (on) => (flying += Number(on === id)));
    rows.push(['on its way', digits(flying)]);
  });
  return { title: 'link', rows };
}

/** The queues and the marks in words; `unit`: cells or packets. */
export function inWords({ picture, film, time: now }: Shown, unit: string): string {
  const held = [...film.held.queues].map(([node, byVc]) => {
    let all = 0;
    for (const count of byVc.values()) all += count;
    return all > 0 ? `${picture.nodes[node].name} holds ${all}` : '';
  });
  const where = held.filter(Boolean).join(', ') || `no ${unit.slice(0, -1)} waits`;
  return `At ${time(now)}: ${where}. ${faults(picture, now)}`.trim();
}

/** The faults of links now; the first six. */
function faults(picture: Picture, now: number): string {
  const directions = picture.links.flatMap((link) => link.directions);
  const words = directions.flatMap((direction, id) => {
    const fault = direction.faults.length > 0 ? faultAt(picture, id, now) : null;
    return fault ? [`${direction.name}: ${faultWords(fault).join(', ')}.`] : [];
  });
  return words.slice(0, 6).join(' ');
}
