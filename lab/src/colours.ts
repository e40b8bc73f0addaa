// The colours of the page, from the style sheet.

const NAMES = [
  'ink', 'soft', 'rule', 'idle', 'paper', 'wash', 'bad', 'stop', 'fair', 'lock',
] as const;
type Named = Record<(typeof NAMES)[number], string>;

/** The colour that is kept for the flow of a story. */
export const OF_STORY = 1;
/** The number of colours of flows; after them is the grey of all others. */
const FLOWS = 8;
export const GREY = FLOWS;

/** The most controls that are compared. */
const CONTROLS = 4;

/** Colours by name, those of flows with their grey, and those of controls. */
export type Theme = Named & { colours: string[]; controls: string[] };

function named(get: (name: string) => string): Theme {
  const all = Object.fromEntries(NAMES.map((name) => [name, get(name)])) as Named;
  const colours = Array.from({ length: FLOWS }, (_, k) => get(`c${k}`));
  const controls = Array.from({ length: CONTROLS }, (_, k) => get(`k${k}`));
  return { ...all, colours: [...colours, all.soft], controls };
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

/** The dashes of the lines of controls: lines that lie on each other are all visible. */
export const DASHES: (number[] | undefined)[] = [undefined, [10, 5], [3, 4], [12, 4, 3, 4]];
