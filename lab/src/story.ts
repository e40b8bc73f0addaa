// A story from its text: TOML between two lines of +++, then Markdown.
//
// The text before the first heading is the introduction; each heading of the second level begins a
// step. A line `> set: KEY=VALUE; KEY=VALUE` in it is a button that puts these settings into the
// scenario; a line `> control: NAME` makes the step choose a control. The scenario is a file that
// `scenario` names (entries of the gallery), or the first block of TOML in the text (stories that a
// teacher drops on the page).

import { Marked } from 'marked';
import { parse } from 'smol-toml';

import type { Entry } from './gallery.ts';

/** Units of times in stories, in ps. */
const UNITS: Record<string, number> = { s: 1e12, ms: 1e9, us: 1e6, ns: 1e3 };

/** HTML in a text is shown as text: a story from elsewhere cannot add elements. */
const marked = new Marked({
  renderer: {
    html({ text }) {
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    },
    link({ href, text }) {
      const safe = /^(https?:|#)/.test(href) ? href.replaceAll('"', '%22') : '#';
      return `<a href="${safe}" rel="noreferrer">${text}</a>`;
    },
    image: () => '',
  },
});

/** The HTML of a text; a number and the unit behind it stay on one line, and us are µs. */
function html(text: string): string {
  const units = /(\d) (?=(?:%|[kMGT]?b\/s|[nuµm]?s|[kc]?m|[kMG]B)(?![\w/]))/g;
  const parts = marked.parse(text, { async: false }).split(/(<code.*?<\/code>|<[^>]*>)/s);
  const joined = (words: string) =>
    words.replace(units, '$1\u00a0').replaceAll('\u00a0us', '\u00a0µs');
  return parts.map((one, k) => (k % 2 ? one : joined(one))).join('');
}

/** A time such as "100 us" in ps, or null if a story has none. */
function time(text: unknown): number | null {
  if (text === undefined) return null;
  const [, amount, unit] = /^([\d.]+) (s|ms|us|ns)$/.exec(String(text)) ?? [];
  if (unit === undefined) throw new Error(`${text} is not a time such as "100 us"`);
  return Number(amount) * UNITS[unit];
}

/** The keys of a story, and of its tables: the required ones, then the others. */
const KEYS = [
  'title', 'school', 'blurb', 'paper', 'order', 'scenario', 'flow', 'picture', 'from', 'pace',
  'controls', 'slider', 'number',
];
const TABLES: [string, string[], string[]][] = [
  ['slider', ['label', 'key', 'min', 'max', 'value'], ['step', 'unit', 'log']],
  ['number', ['label', 'ours'], ['per', 'unit', 'paper', 'where', 'what', 'claim']],
];

/** Throws an error for an unknown key. */
function known(what: string, table: Record<string, unknown>, keys: string[]) {
  const other = Object.keys(table).find((key) => !keys.includes(key));
  if (other === undefined) return;
  throw new Error(`${what} has no key ${other}; there are ${keys.join(', ')}`);
}

/** A story and the path of its scenario, or null if the text contains it. */
export function story(id: string, text: string): { entry: Entry; scenario: string | null } {
  const [, front, body] = /^\+\+\+\r?\n(.*?)\r?\n\+\+\+\r?\n(.*)$/s.exec(text) ?? [];
  if (front === undefined || body === undefined) {
    throw new Error('a story begins with a line of +++, TOML, and a line of +++');
  }
  const head = parse(front) as Record<string, any>;
  if (typeof head.title !== 'string') throw new Error('a story has a title = "..."');
  const [block, inside] = /^```toml\r?\n(.*?)^```\r?$/ms.exec(body) ?? [];
  if (head.scenario === undefined && inside === undefined) {
    throw new Error('a story has its scenario in a block that begins with ```toml');
  }
  known('the story', head, KEYS);
  for (const [kind, needed, allowed] of TABLES) {
    for (const table of head[kind] ?? []) {
      known(`[[${kind}]]`, table, [...needed, ...allowed]);
      for (const key of needed) {
        if (table[key] === undefined) throw new Error(`a [[${kind}]] needs ${needed.join(', ')}`);
      }
    }
  }
  const words = head.scenario === undefined ? body.replace(block ?? '', '') : body;
  const [introduction, ...steps] = words.split(/^## /m);
  const step = (part: string) => {
    const [title, ...rest] = part.split('\n');
    let settings: string[] = [];
    let control: string | null = null;
    const text = rest
      .join('\n')
      .replace(/^> set: (.*)$/gm, (_, list: string) => {
        settings = list.split(';').map((one) => one.trim());
        return '';
      })
      .replace(/^> control: (.*)$/gm, (_, name: string) => {
        control = name.trim();
        return '';
      });
    return { title: title.trim(), settings, control, html: html(text) };
  };
  const entry: Entry = {
    id,
    title: head.title,
    school: head.school ?? 'none',
    blurb: head.blurb ?? '',
    paper: head.paper ?? null,
    order: head.order ?? 0,
    flow: head.flow ?? null,
    picturePs: time(head.picture) ?? time(head.from) ?? 0,
    scenario: inside ?? '',
    file: `${id}.toml`,
    fromPs: time(head.from) ?? 0,
    pacePs: time(head.pace),
    controls: head.controls ?? [],
    sliders: head.slider ?? [],
    numbers: head.number ?? [],
    introduction: html(introduction),
    steps: steps.map(step),
  };
  return { entry, scenario: head.scenario ?? null };
}

/** Throws an error if the scenario does not have the flow of the story. */
export function checkFlow({ flow }: Entry, flows: string[]) {
  if (flow === null || flows.includes(flow)) return;
  throw new Error(`flow: no flow is named ${flow}; there are ${flows.join(', ')}`);
}

/** Throws an error for a step whose control the scenario does not know. */
export function checkControls(entry: Entry, known: string[]) {
  for (const { title, control } of entry.steps) {
    if (control === null || known.includes(control)) continue;
    const names = known.join(', ');
    throw new Error(`step "${title}": no control is named ${control}; there are ${names}`);
  }
}
