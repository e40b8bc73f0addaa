// The colours of the page, from the style sheet.

const NAMES = ['ink', 'soft', 'rule', 'paper', 'wash', 'bad', 'fair', 'lock'] as const;
type Named = Record<(typeof NAMES)[number], string>;

/** The colour that is kept for the flow of a story. */
export const OF_STORY = 1;
/** The number of colours of flows; after them is the grey of all others. */
const FLOWS = 8;
export const GREY = FLOWS;

/** Colours by name, and those of flows with their grey. */
export type Theme = Named & { colours: string[] };

function named(get: (name: string) => string): Theme {
  const all = Object.fromEntries(NAMES.map((name) => [name, get(name)])) as Named;
  const colours = Array.from({ length: FLOWS }, (_, k) => get(`c${k}`));
  return { ...all, colours: [...colours, all.soft] };
}

/** The current colours, for drawing on a canvas. */
export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  return named((name) => style.getPropertyValue(`--${name}`).trim());
}

/** Colours that an SVG inside the page takes from its style sheet, light or dark. */
export const VARIABLES: Theme = named((name) => `var(--${name})`);

/** The colour of each flow, as a place in `Theme.colours`. The flow of the story has its own; in
 *  the order of the scenario every other one has a colour that no flow has, then all are grey. */
export function coloursOf(flows: { name: string }[], story: string | null): number[] {
  const own = flows.some(({ name }) => name === story);
  const free = Array.from({ length: FLOWS }, (_, k) => k).filter((k) => !own || k !== OF_STORY);
  return flows.map(({ name }) => (own && name === story ? OF_STORY : (free.shift() ?? GREY)));
}

/** Colours of lines that are no flows, such as controls: never that of the story. */
export function others({ colours }: Theme): string[] {
  return colours.filter((_, k) => k !== OF_STORY && k !== GREY);
}
