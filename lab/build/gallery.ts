// Gallery entries: Markdown with TOML in front, made into modules when the page is built.
//
// `entry.md` gives everything, `entry.md?head` only what its card shows. A scenario is a file of the
// project, and what a paper prints is read from the project's claims: nothing is typed twice.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { marked } from 'marked';
import { parse } from 'smol-toml';
import type { Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');

interface Claim {
  id: string;
  where: string;
  what: string;
  expected?: string;
  number?: string;
}

/** All claims of all papers, by id. */
function claims(): Map<string, Claim> {
  const found = new Map<string, Claim>();
  const papers = join(root, 'papers');
  const read = (file: string) => {
    const list = (parse(readFileSync(file, 'utf8')).claim ?? []) as unknown as Claim[];
    for (const claim of list) found.set(claim.id, claim);
  };
  for (const paper of readdirSync(papers, { withFileTypes: true })) {
    if (!paper.isDirectory()) continue;
    for (const file of readdirSync(join(papers, paper.name), { withFileTypes: true })) {
      const path = join(papers, paper.name, file.name);
      if (file.name === 'claims.toml') read(path);
      if (file.isDirectory() && file.name === 'claims') {
        for (const part of readdirSync(path)) if (part.endsWith('.toml')) read(join(path, part));
      }
    }
  }
  return found;
}

let known: Map<string, Claim> | undefined;

/** A number of a paper with the claim's own words beside it. */
function withClaim(number: Record<string, unknown>, file: string): Record<string, unknown> {
  if (number.claim === undefined) return number;
  known ??= claims();
  const claim = known.get(String(number.claim));
  if (!claim) throw new Error(`${file}: no claim is named ${number.claim}`);
  const paper = claim.number ?? claim.expected;
  return { paper, where: claim.where, what: claim.what, ...number };
}

/** Units of times in entries, in ps. */
const UNITS: Record<string, number> = { s: 1e12, ms: 1e9, us: 1e6, ns: 1e3 };

/** A time such as "100 us" in ps, or null where an entry has none. */
function time(text: unknown, file: string): number | null {
  if (text === undefined) return null;
  const [, amount, unit] = /^([\d.]+) (s|ms|us|ns)$/.exec(String(text)) ?? [];
  if (unit === undefined) throw new Error(`${file}: ${text} is no time: "100 us"`);
  return Number(amount) * UNITS[unit];
}

/** An entry from its text. */
function entry(file: string): Record<string, unknown> {
  const text = readFileSync(file, 'utf8');
  const [, front, body] = /^\+\+\+\n(.*?)\n\+\+\+\n(.*)$/s.exec(text) ?? [];
  if (front === undefined) throw new Error(`${file}: an entry begins with +++, TOML, +++`);
  const head = parse(front) as Record<string, any>;
  const scenario = resolve(dirname(file), head.scenario);
  // What is before the first heading introduces; each heading begins a step.
  const [introduction, ...steps] = body.split(/^## /m);
  const step = (part: string) => {
    const [title, ...rest] = part.split('\n');
    let settings: string[] = [];
    const text = rest.join('\n').replace(/^> set: (.*)$/gm, (_, list: string) => {
      settings = list.split(';').map((one) => one.trim());
      return '';
    });
    return { title, settings, html: marked.parse(text, { async: false }) };
  };
  return {
    id: basename(file, '.md'),
    title: head.title,
    school: head.school,
    blurb: head.blurb,
    paper: head.paper ?? null,
    order: head.order,
    scenario: readFileSync(scenario, 'utf8'),
    file: basename(scenario),
    fromPs: time(head.from, file) ?? 0,
    pacePs: time(head.pace, file),
    controls: head.controls ?? [],
    sliders: head.slider ?? [],
    numbers: (head.number ?? []).map((one: Record<string, unknown>) => withClaim(one, file)),
    introduction: marked.parse(introduction, { async: false }),
    steps: steps.map(step),
  };
}

export function gallery(): Plugin {
  return {
    name: 'hopflow-gallery',
    load(id) {
      const [file, query] = id.split('?');
      if (!file.endsWith('.md')) return null;
      this.addWatchFile(file);
      const all = entry(file);
      if (query === 'head') {
        const { id, title, school, blurb, paper, order } = all;
        return `export default ${JSON.stringify({ id, title, school, blurb, paper, order })}`;
      }
      return `export default ${JSON.stringify(all)}`;
    },
  };
}
