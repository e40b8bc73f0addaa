// The look of the editor: the colours of the page, in light and dark.

import {
  HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser,
} from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

type State = { lhs: boolean; inString: boolean; inArray: number };

/** The mode for TOML, with separate styles for headers and for keys in braces. */
const mode = {
  ...toml,
  token(stream, state) {
    const { inString, inArray } = state as State;
    const lhs = (state as State).lhs || (stream.sol() && inArray === 0);
    if (!inString && !lhs && stream.match(/^[\w-]+(?=\s*=)/)) return 'propertyName';
    const header = lhs && !inString && stream.peek() === '[';
    const style = toml.token(stream, state);
    if (header && style === 'atom') return 'heading';
    return style === 'property' ? 'propertyName' : style;
  },
} as StreamParser<unknown>;

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--ink)', fontWeight: '700' },
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.atom], color: 'var(--fair)' },
]);

const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const sans = 'system-ui, sans-serif';
const faint = (colour: string) => `color-mix(in srgb, var(${colour}) 30%, transparent)`;
const selection = [
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground',
  '.cm-selectionBackground', '.cm-content ::selection',
].join(', ');
const box = { background: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--rule)' };

const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)', background: 'var(--wash)', border: '1px solid var(--rule)',
    borderRadius: '.4rem', fontSize: '.86rem', maxHeight: '70vh', overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: mono, lineHeight: '1.45', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '.5rem 0' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: faint('--rule') },
  '.cm-gutters': {
    background: 'var(--wash)', color: 'var(--soft)', borderRight: '1px solid var(--rule)',
  },
  [selection]: { background: faint('--c0') },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--rule)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--bad-wash)' },
  '.cm-tooltip': { ...box, borderRadius: '.4rem', maxWidth: 'min(36rem, 92vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { color: 'var(--ink)', padding: '.15rem .6rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--c0)', color: 'var(--on)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '.8' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '.4rem .7rem', maxWidth: '22rem', fontFamily: sans,
  },
  '.cm-diagnostic': { padding: '.3rem .7rem', fontFamily: sans },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--fair)' },
  '.cm-diagnosticAction': {
    background: 'var(--c0)', color: 'var(--on)', borderRadius: '.3rem', padding: '.1rem .5rem',
  },
  '.cm-lintRange': {
    backgroundImage: 'none', textDecoration: 'underline wavy 1.5px', textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--fair)' },
  '.cm-lintRange-active': { background: 'var(--bad-wash)' },
  '.cm-panels': { ...box, border: 'none' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--rule)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { background: 'var(--wash)' },
  '.cm-panel.cm-panel-lint button[name="close"]': { color: 'var(--ink)' },
});

export const look: Extension = [
  StreamLanguage.define(mode), syntaxHighlighting(colours), theme,
];
