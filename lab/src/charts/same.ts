// Lines of a chart that lie on each other: the reader sees one, and the chart names them.

import type { Curve } from '../engine/types.ts';

/** Values that differ by at most this share of the greatest value are one line on the chart. */
const WIDTH = 1 / 140;

function like(a: Curve, b: Curve, most: number): boolean {
  if (a.values.length !== b.values.length) return false;
  return a.values.every((value, k) => Math.abs(value - b.values[k]) <= WIDTH * most);
}

/** The names of lines that lie on each other, two or more at a time, in their order. */
export function same(lines: { name: string; curve: Curve }[]): string[][] {
  const most = Math.max(0, ...lines.flatMap(({ curve }) => curve.values));
  const groups: typeof lines[] = [];
  for (const line of lines) {
    const group = groups.find(([first]) => like(first.curve, line.curve, most));
    if (group) group.push(line);
    else groups.push([line]);
  }
  return groups.filter(({ length }) => length > 1).map((group) => group.map(({ name }) => name));
}
