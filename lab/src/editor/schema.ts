// The schema of scenarios: its keys, words and tables. It is a separate chunk.

import schema from '../../../docs/scenario.schema.json';

import type { Own } from './place.ts';

interface Node {
  $ref?: string;
  description?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
}

const definitions = schema.$defs as unknown as Record<string, Node>;
const root = schema as unknown as Node;

/** The forms of a node: references are followed, and each alternative is separate. */
function ways(node: Node): Node[] {
  if (node.$ref) return ways(definitions[node.$ref.replace('#/$defs/', '')]);
  return node.anyOf ? node.anyOf.flatMap(ways) : [node];
}

/** The tables that a node allows, alone or in a list. */
function tables(node: Node): Node[] {
  return ways(node).flatMap((way) => {
    if (way.properties) return [way];
    return way.items ? tables(way.items) : [];
  });
}

/** The tables at a path of keys. */
function at(path: string[]): Node[] {
  return path.reduce<Node[]>(
    (here, key) => here.flatMap((table) => {
      const next = table.properties?.[key];
      return next ? tables(next) : [];
    }),
    tables(root),
  );
}

/** How the value of a key is written. */
export type Form = 'words' | 'text' | 'flag' | 'number' | 'table' | 'tables' | 'list';

export interface Key {
  name: string;
  about: string;
  form: Form;
  required: boolean;
}

function form(node: Node): Form {
  const all = ways(node);
  const first = all[0];
  if (all.some((way) => way.enum)) return all.every((way) => way.enum) ? 'words' : 'text';
  const nested = (way: Node) => way.items && tables(way).length > 0;
  if (first.items) return all.every(nested) ? 'tables' : 'list';
  if (first.properties) return 'table';
  if (first.type === 'boolean') return 'flag';
  return first.type === 'string' ? 'text' : 'number';
}

/** The kinds that a key is for; none: all. */
function kinds(about: string): string[] {
  const list = /Only for: ([^.]*)\./.exec(about)?.[1];
  return list ? list.split(', ') : [];
}

/** The keys of the table at a path that it does not contain yet. */
export function keys(path: string[], own: Own): Key[] {
  const kind = own.get('kind')?.replace(/["']/g, '');
  const found = new Map<string, Key>();
  for (const table of at(path)) {
    for (const [name, node] of Object.entries(table.properties ?? {})) {
      const about = node.description ?? ways(node)[0].description ?? '';
      const only = kinds(about);
      if (own.has(name) || (kind && only.length > 0 && !only.includes(kind))) continue;
      const required = table.required?.includes(name) ?? false;
      if (!found.has(name)) found.set(name, { name, about, form: form(node), required });
    }
  }
  return [...found.values()];
}

/** The words that are allowed at a path of keys, and the description of the key. */
export function words(path: string[]): { words: string[]; flags: boolean; about: string } {
  const name = path[path.length - 1];
  const found = new Set<string>();
  let flags = false;
  let about = '';
  const look = (node: Node) => {
    for (const way of ways(node)) {
      way.enum?.forEach((word) => found.add(String(word)));
      if (way.type === 'boolean') flags = true;
      if (way.items) look(way.items);
    }
  };
  for (const table of at(path.slice(0, -1))) {
    const node = table.properties?.[name];
    if (!node) continue;
    about ||= node.description ?? '';
    look(node);
  }
  return { words: [...found], flags, about };
}

/** Headers of tables: `[record]`, `[[flow]]`, `[[flow.hop]]`, `[defaults.link]`. */
export function headers(): { name: string; about: string }[] {
  const found: { name: string; about: string }[] = [];
  const add = (path: string[], depth: number) => {
    for (const table of at(path)) {
      for (const [key, node] of Object.entries(table.properties ?? {})) {
        const how = form(node);
        if (how !== 'table' && how !== 'tables') continue;
        const whole = [...path, key];
        const name = how === 'tables' ? `[[${whole.join('.')}]]` : `[${whole.join('.')}]`;
        found.push({ name, about: node.description ?? ways(node)[0].description ?? '' });
        if (depth > 1) add(whole, depth - 1);
      }
    }
  };
  add([], 2);
  return found;
}
