// Completion of tables, keys and words, by the schema, which is fetched when first needed.

import {
  startCompletion, type Completion, type CompletionContext, type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

import { place, type Spot } from './place.ts';
import type { Form, Key } from './schema.ts';

type Schema = typeof import('./schema.ts');

let loading: Promise<Schema> | undefined;

/** The schema; null if it cannot be fetched now. */
export async function schema(): Promise<Schema | null> {
  loading ??= import('./schema.ts');
  try {
    return await loading;
  } catch {
    loading = undefined;
    return null;
  }
}

/** A description: text between backticks is code. */
function info(about: string): () => HTMLElement {
  return () => {
    const box = document.createElement('div');
    about.split('`').forEach((part, index) => {
      const piece = document.createElement(index % 2 === 1 ? 'code' : 'span');
      piece.textContent = part;
      box.append(piece);
    });
    return box;
  };
}

/** The text that follows a key, and the offset of the caret in it. */
const VALUES: Record<Form, [string, number]> = {
  words: [' = ""', 4],
  text: [' = ""', 4],
  flag: [' = ', 3],
  number: [' = ', 3],
  table: [' = {  }', 5],
  tables: [' = [{  }]', 6],
  list: [' = [""]', 5],
};

function put(key: Key, spot: Extract<Spot, { at: 'key' }>) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const [value, caret] = spot.equals ? ['', 0] : VALUES[key.form];
    view.dispatch({
      changes: { from, to, insert: key.name + value },
      selection: { anchor: from + key.name.length + caret },
      userEvent: 'input.complete',
    });
    if (!spot.equals && ['words', 'flag', 'table'].includes(key.form)) startCompletion(view);
  };
}

function headers(from: number, to: number, known: Schema): CompletionResult {
  const options = known.headers().map(({ name, about }) => ({
    label: name, type: 'namespace', info: info(about),
  }));
  return { from, to, options, validFor: /^\[{0,2}[\w.-]*$/ };
}

function keys(spot: Extract<Spot, { at: 'key' }>, known: Schema): CompletionResult {
  const options: Completion[] = known.keys(spot.table, spot.own)
    .filter((key) => !spot.top || spot.equals || !['table', 'tables'].includes(key.form) ||
      spot.table.length > 0)
    .map((key) => ({
      label: key.name,
      detail: key.required ? 'required' : undefined,
      type: 'property',
      boost: key.required ? 1 : 0,
      info: info(key.about),
      apply: put(key, spot),
    }));
  if (spot.top && !spot.equals) {
    const tables = headers(spot.from, spot.to, known).options;
    options.push(...tables.map((one) => ({ ...one, boost: -1 })));
  }
  return { from: spot.from, to: spot.to, options, validFor: /^[\w-]*$/ };
}

function words(spot: Extract<Spot, { at: 'value' }>, known: Schema): CompletionResult | null {
  const { words, flags, about } = known.words(spot.path);
  const labels = spot.quoted ? words : words.map((word) => `"${word}"`);
  if (flags && !spot.quoted) labels.push('true', 'false');
  if (labels.length === 0) return null;
  const options = labels.map((label, index) => ({
    label, type: 'enum', boost: -index, info: info(about),
  }));
  return { from: spot.from, to: spot.to, options, validFor: /^"?[\w+-]*$/ };
}

/** The options at the caret. */
export async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const spot = place(context.state.doc.toString(), context.pos);
  if (!spot) return null;
  const asked = context.explicit || spot.from < context.pos || (spot.at === 'value' && spot.quoted);
  if (!asked) return null;
  const known = await schema();
  if (!known || context.aborted) return null;
  if (spot.at === 'header') return headers(spot.from, spot.to, known);
  return spot.at === 'key' ? keys(spot, known) : words(spot, known);
}
