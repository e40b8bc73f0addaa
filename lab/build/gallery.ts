// Gallery entries: Markdown with TOML in front, made into modules when the page is built.
//
// `entry.md` yields everything, `entry.md?head` only the content of its card. A scenario is a file
// of the project, printed numbers are read from the project's claims, and the picture of a card is
// drawn from a run: nothing is typed twice.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { parse } from 'smol-toml';
import type { Plugin } from 'vite';

import type { Entry, Head, PaperNumber } from '../src/gallery.ts';
import { checkFlow, story } from '../src/story.ts';
import { card } from './card.ts';

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
function withClaim(number: PaperNumber, file: string): PaperNumber {
  if (number.claim === undefined) return number;
  known ??= claims();
  const claim = known.get(String(number.claim));
  if (!claim) throw new Error(`${file}: no claim is named ${number.claim}`);
  const paper = claim.number ?? claim.expected;
  return { paper, where: claim.where, what: claim.what, ...number };
}

/** An entry from its text. */
function entry(file: string): Entry {
  try {
    const { entry, scenario } = story(basename(file, '.md'), readFileSync(file, 'utf8'));
    if (scenario === null) throw new Error('an entry names the file of its scenario');
    const path = resolve(dirname(file), scenario);
    const numbers = entry.numbers.map((number) => withClaim(number, file));
    return { ...entry, scenario: readFileSync(path, 'utf8'), file: basename(path), numbers };
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
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
        const { picture, flows } = card(all);
        checkFlow(all, flows);
        const head: Head = { id, title, school, blurb, paper, order, picture };
        return `export default ${JSON.stringify(head)}`;
      }
      return `export default ${JSON.stringify(all)}`;
    },
  };
}
