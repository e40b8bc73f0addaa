// How charts look: the colours of the page.

import type uPlot from 'uplot';

/** The colours of lines. */
export function colours(): string[] {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: 8 }, (_, k) => style.getPropertyValue(`--c${k}`).trim());
}

function rule(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--rule').trim();
}

/** An axis whose numbers `format` writes; `size` is its room in pixels. */
export function axis(stroke: string, format: (v: number) => string, size: number): uPlot.Axis {
  return {
    stroke,
    grid: { stroke: rule(), width: 1 },
    ticks: { stroke: rule(), width: 1 },
    values: (_, splits) => splits.map(format),
    size,
  };
}
