// The text that a diagnostic proposes instead, as a change.

import type { Diagnostic } from '../engine/types.ts';

export interface Fix {
  from: number;
  to: number;
  insert: string;
}

/** Words between backticks. */
function named(sentence: string): string[] {
  return [...sentence.matchAll(/`([^`]+)`/g)].map((match) => match[1]);
}

/** A word of the message that is at the label, and the word that is proposed for it. */
function word(finding: Diagnostic, piece: string, start: number): Fix[] {
  const hint = finding.hint ?? '';
  const meant = /^did you mean `([^`]+)`\?/.exec(hint) ?? /^write `([\w-]+)`$/.exec(hint);
  if (!meant) return [];
  const wrong = named(finding.message);
  // A key, a value, or one end of "A->B".
  for (const part of piece.matchAll(/(?:[^"'\s>-]|-(?!>))+(?: +(?:[^"'\s>-]|-(?!>))+)*/g)) {
    if (part[0] === meant[1] || !wrong.includes(part[0])) continue;
    const from = start + part.index;
    return [{ from, to: from + part[0].length, insert: meant[1] }];
  }
  return [];
}

/** Units that are converted: the proposal has another number. */
const CONVERTED = /^[\d.,_\s]+(m(in)?|h|d|[kmg]i|[kmg](cells?|packets?))/i;

/** A quantity with the right unit. An example with another number is not a proposal. */
function quantity(finding: Diagnostic, piece: string, start: number): Fix[] {
  const hint = finding.hint ?? '';
  if (!/^write "[^"]*"(, or "[^"]*" if bytes are meant)?$/.test(hint)) return [];
  const text = /^(["'])(.*)\1$/s.exec(piece)?.[2];
  if (text === undefined) return [];
  const number = (of: string) => parseFloat(of.replace(',', '.').replaceAll('_', ''));
  return [...hint.matchAll(/"([^"]*)"/g)]
    .map((match) => match[1])
    .filter((meant) => number(meant) === number(text) || CONVERTED.test(text))
    .map((insert) => ({ from: start + 1, to: start + 1 + text.length, insert }));
}

/** The changes that the hint of a diagnostic proposes; none if it proposes no text. */
export function fixes(finding: Diagnostic, text: string): Fix[] {
  const label = finding.labels[0];
  if (!label || finding.setting) return [];
  const piece = text.slice(label.from, label.to);
  const found = word(finding, piece, label.from);
  return found.length > 0 ? found : quantity(finding, piece, label.from);
}

/** The text after a change. */
export function mended(text: string, fix: Fix): string {
  return text.slice(0, fix.from) + fix.insert + text.slice(fix.to);
}
