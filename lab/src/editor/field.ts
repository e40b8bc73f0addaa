// The editor of a scenario: its text, its diagnostics, and the options at the caret.

import {
  autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, redo, undo } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { Annotation, EditorState, Text, type Extension } from '@codemirror/state';
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from '@codemirror/view';

import type { Diagnostic } from '../engine/types.ts';
import { changes } from './changes.ts';
import { complete, schema } from './complete.ts';
import { fixes } from './fixes.ts';
import { look } from './look.ts';

/** Set on a change that comes from outside: it is not reported. */
const outside = Annotation.define<boolean>();

/** Files are opened by the page, not put into the text. */
const files = EditorView.domEventHandlers({
  drop: (event) => (event.dataTransfer?.files.length ?? 0) > 0,
  focus: () => {
    schema();
    return false;
  },
});

export class Field {
  private readonly view: EditorView;
  private readonly typed: (text: string) => void;
  private name: string;

  constructor(
    parent: HTMLElement,
    start: { text: string; name: string },
    typed: (text: string) => void,
  ) {
    this.typed = typed;
    this.name = start.name;
    this.view = new EditorView({ parent, state: this.state(start.text) });
  }

  /** Shows a new text: the caret is at its start, and there is nothing to undo. */
  fresh(text: string, name: string) {
    this.name = name;
    this.view.setState(this.state(text));
  }

  /** Takes the text from outside. Caret and history stay. */
  take(text: string) {
    const next = Text.of(text.split(/\r\n?|\n/)).toString();
    const made = changes(this.text(), next);
    if (made.length > 0) {
      this.view.dispatch({ changes: made, annotations: outside.of(true) });
    }
  }

  /** Marks the findings in `text`; nothing is marked if the text has changed by now. */
  mark(findings: Diagnostic[], text: string) {
    if (text !== this.text()) return;
    const marks = findings
      .filter((finding) => finding.labels[0] && !finding.setting)
      .map((finding) => this.finding(finding, text));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Moves the caret, and the selection, into sight. */
  show(from: number, to = from) {
    const end = this.view.state.doc.length;
    this.view.focus();
    this.view.dispatch({
      selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
      effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
    });
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  /** The position of the caret. */
  caret(): number {
    return this.view.state.selection.main.head;
  }

  undo() {
    undo(this.view);
  }

  end() {
    this.view.destroy();
  }

  private finding(finding: Diagnostic, text: string): Mark {
    const { from, to } = finding.labels[0];
    const actions = fixes(finding, text).map((fix) => ({
      name: `Write ${fix.insert}`,
      apply: (view: EditorView, at: number) => {
        const moved = at - from;
        const change = { from: fix.from + moved, to: fix.to + moved, insert: fix.insert };
        view.dispatch({ changes: change, userEvent: 'input.fix' });
      },
    }));
    return {
      from, to, actions,
      severity: finding.severity,
      source: finding.code,
      message: finding.hint ? `${finding.message}: ${finding.hint}` : finding.message,
    };
  }

  private state(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.extensions() });
  }

  private extensions(): Extension[] {
    return [
      lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), EditorState.tabSize.of(2), look, files,
      autocompletion({ override: [complete], icons: false }),
      keymap.of([
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap,
        ...lintKeymap,
        { key: 'Mod-Shift-z', run: redo },
      ]),
      EditorView.contentAttributes.of({ 'aria-label': this.name, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        const typed = update.transactions.some((one) => one.docChanged && !one.annotation(outside));
        if (typed) this.typed(update.state.doc.toString());
      }),
    ];
  }
}
