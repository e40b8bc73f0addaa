// The look of charts: the colours of the page, and the width of their place.

import type uPlot from 'uplot';

import { theme } from '../colours.ts';

/** An axis whose numbers `format` writes; `size` is its size in pixels. */
export function axis(format: (v: number) => string, size: number): uPlot.Axis {
  const { rule, soft } = theme();
  return {
    stroke: soft,
    grid: { stroke: rule, width: 1 },
    ticks: { stroke: rule, width: 1 },
    values: (_, splits) => splits.map(format),
    size,
  };
}

/** The value of a line in the legend, or a dash where the cursor gives none. */
export function valued(format: (v: number) => string) {
  return (_: uPlot, v: number | null) => (v === null ? '–' : format(v));
}

/** Hooks that mark a chart on which no cursor gives an instant: its legend has none either. */
export function idle(): Pick<uPlot.Hooks.Arrays, 'init' | 'setCursor'> {
  const mark = (u: uPlot) => u.root.classList.toggle('idle', (u.cursor.idx ?? null) === null);
  return { init: [mark], setCursor: [mark] };
}

/** An action that draws a chart into a place, and again whenever its data changes. */
export function plot<Data>(height: number, draw: (place: HTMLElement, data: Data) => uPlot) {
  return (place: HTMLElement, data: Data) => {
    let made = draw(place, data);
    const watch = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height }));
    watch.observe(place);
    return {
      update(data: Data) {
        made.destroy();
        made = draw(place, data);
      },
      destroy() {
        watch.disconnect();
        made.destroy();
      },
    };
  };
}
