// The colours of the page, from the style sheet.

const NAMES = ['ink', 'soft', 'rule', 'paper', 'wash', 'bad', 'fair', 'lock'] as const;
type Named = Record<(typeof NAMES)[number], string>;

/** Colours by name, and those of lines. */
export type Theme = Named & { colours: string[] };

/** The current colours, for drawing on a canvas. */
export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const named = Object.fromEntries(NAMES.map((name) => [name, get(name)])) as Named;
  return { ...named, colours: Array.from({ length: 8 }, (_, k) => get(`c${k}`)) };
}
