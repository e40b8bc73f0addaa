// The words of a legend: what all its lines share is in the title, the entries have the rest.

import type { Line } from '../engine/types.ts';

type Named = Pick<Line, 'name' | 'vc' | 'node' | 'link'>;

/** The one value that all lines have, or null. */
function common(lines: Named[], of: 'vc' | 'node' | 'link'): string | null {
  const [first] = lines;
  return first && lines.every((line) => line[of] === first[of]) ? first[of] : null;
}

/** What all lines share, to follow the quantity in the title: " at S". */
export function shared(lines: Named[]): string {
  const [vc, node, link] = [common(lines, 'vc'), common(lines, 'node'), common(lines, 'link')];
  // A link says at which node it begins.
  const place = link ? ` on ${link}` : node ? ` at ${node}` : '';
  return (vc ? ` of ${vc}` : '') + place;
}

/** The entry of each line: its VC and its place, without what is shared. */
export function entries(lines: Named[]): string[] {
  const vcs = common(lines, 'vc') === null;
  const of = lines.some(({ link }) => link) ? 'link' : 'node';
  const places = common(lines, of) === null;
  return lines.map(({ name, vc, node, link }) => {
    const words = [...(vcs ? [vc] : []), ...(places ? [link ?? node] : [])].filter(Boolean);
    return words.length > 0 ? words.join(', ') : (vc ?? name);
  });
}
