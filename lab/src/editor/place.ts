// The place of a caret in a scenario: the name of a table, a key, or a value. The text may be
// incomplete or wrong anywhere.

export type Spot =
  | { at: 'header'; from: number; to: number }
  | {
      at: 'key'; table: string[]; from: number; to: number; own: Own;
      /** Whether `=` follows. */
      equals: boolean;
      /** Whether it begins a line, and is not in braces. */
      top: boolean;
    }
  | { at: 'value'; path: string[]; from: number; to: number; quoted: boolean; own: Own };

/** Keys and plain values of a table. */
export type Own = Map<string, string>;

interface Region {
  from: number;
  to: number;
  spot: Spot;
}

const BARE = /[\w+-]/;
/** A line that begins a table, whatever is left open before it. */
const HEADER = /^[ \t]*\[\[?[ \t]*[A-Za-z"']/;

class Reader {
  readonly regions: Region[] = [];
  private at = 0;
  private readonly text: string;
  /** The table of the last header. */
  private path: string[] = [];
  private own: Own = new Map();

  constructor(text: string) {
    this.text = text;
  }

  read() {
    this.statements(0);
    return this.regions;
  }

  private get here(): string {
    return this.text[this.at] ?? '';
  }

  private line(from: number): number {
    const end = this.text.indexOf('\n', from);
    return end < 0 ? this.text.length : end;
  }

  private blanks() {
    while (this.here === ' ' || this.here === '\t' || this.here === '\r') this.at++;
  }

  /** Skips blanks, ends of lines and comments; returns whether a header follows. */
  private gap(): boolean {
    for (;;) {
      this.blanks();
      if (this.here === '#') this.at = this.line(this.at);
      if (this.here !== '\n') return false;
      this.at++;
      if (HEADER.test(this.text.slice(this.at, this.line(this.at)))) return true;
    }
  }

  private statements(from: number) {
    let began = from;
    while (this.at < this.text.length) {
      this.blanks();
      if (this.here === '\n') {
        this.at++;
      } else if (this.here === '#') {
        this.at = this.line(this.at);
      } else if (this.here === '[') {
        this.table(began, this.at);
        this.header();
        // Right after a header the caret is still in it.
        began = this.at + 1;
      } else {
        this.pair(this.path, this.own, true);
        this.rest();
      }
    }
    this.table(began, this.text.length + 1);
  }

  /** Skips the rest of a line after a statement, which should be a comment at most. */
  private rest() {
    // An unclosed table in braces ends where a header begins.
    if (this.text[this.at - 1] === '\n') return;
    while (this.at < this.text.length && this.here !== '\n' && this.here !== '#') this.at++;
  }

  /** The region between two headers: a new key may be at any blank part of it. */
  private table(from: number, to: number) {
    const spot: Spot = {
      at: 'key', table: this.path, from: -1, to: -1, equals: false, own: this.own, top: true,
    };
    this.regions.unshift({ from, to, spot });
  }

  private header() {
    const from = this.at;
    const end = this.line(from);
    const close = this.text.indexOf(']', from);
    const inner = this.text.slice(from, close < 0 || close > end ? end : close).replace(/^\[+/, '');
    this.path = inner.split('.').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
    this.own = new Map();
    this.at = close < 0 || close > end ? end : close + 1;
    if (this.here === ']') this.at++;
    this.regions.push({ from, to: this.at, spot: { at: 'header', from, to: this.at } });
    this.rest();
  }

  /** `a.b = value`, in a table or in braces. */
  private pair(table: string[], own: Own, top: boolean) {
    const parts: { from: number; to: number; name: string }[] = [];
    const begin = this.at;
    for (;;) {
      const from = this.at;
      if (this.here === '"' || this.here === "'") this.quoted();
      else while (BARE.test(this.here)) this.at++;
      const name = this.text.slice(from, this.at).replace(/^(["'])(.*)\1$/, '$2');
      parts.push({ from, to: this.at, name });
      if (this.here !== '.') break;
      this.at++;
    }
    const stop = this.at;
    this.blanks();
    const equals = this.here === '=';
    const names = parts.map((part) => part.name);
    const dotted = parts.length > 1;
    parts.forEach(({ from, to }, index) => {
      const path = [...table, ...names.slice(0, index)];
      const inner: Own = dotted ? new Map() : own;
      const last = index === parts.length - 1;
      const spot: Spot = {
        at: 'key', table: path, from, to, equals: equals || !last, own: inner,
        top: top && !dotted,
      };
      this.regions.push({ from, to, spot });
    });
    if (!equals) {
      if (stop === begin) this.at++;
      return;
    }
    this.at++;
    const from = this.at;
    this.blanks();
    const value = this.at;
    this.value([...table, ...names], own);
    if (!dotted) own.set(names[0], this.text.slice(value, this.at));
    if (this.at === value) {
      const path = [...table, ...names];
      const spot: Spot = { at: 'value', path, from: -1, to: -1, quoted: false, own };
      this.regions.push({ from, to: value, spot });
    }
  }

  private value(path: string[], own: Own) {
    const from = this.at;
    if (this.here === '"' || this.here === "'") {
      const closed = this.quoted();
      const spot: Spot = {
        at: 'value', path, from: from + 1, to: this.at - (closed ? 1 : 0), quoted: true, own,
      };
      this.regions.push({ from: spot.from, to: spot.to, spot });
    } else if (this.here === '{') {
      this.braces(path);
    } else if (this.here === '[') {
      this.list(path, own);
    } else {
      while (this.here && !/[\s,\]}#]/.test(this.here)) this.at++;
      if (this.at === from) return;
      const spot: Spot = { at: 'value', path, from, to: this.at, quoted: false, own };
      this.regions.push({ from, to: this.at, spot });
    }
  }

  private braces(path: string[]) {
    const own: Own = new Map();
    const blank = { table: path, from: -1, to: -1, equals: false, own, top: false };
    this.inside('}', { at: 'key', ...blank }, () => this.pair(path, own, false));
  }

  private list(path: string[], own: Own) {
    const blank = { path, from: -1, to: -1, quoted: false, own };
    this.inside(']', { at: 'value', ...blank }, () => this.value(path, own));
  }

  /** Reads brackets, one `part` after the other; `blank` is the spot between them. */
  private inside(close: string, blank: Spot, part: () => void) {
    const region: Region = { from: ++this.at, to: 0, spot: blank };
    this.regions.push(region);
    while (this.at < this.text.length && !this.gap() && this.here !== close && this.here !== '') {
      const before = this.at;
      if (this.here === ',') this.at++;
      else part();
      // Text that is not a part is skipped.
      if (this.at === before) this.at++;
    }
    region.to = this.at;
    if (this.here === close) this.at++;
  }

  /** Skips a string; returns whether it is closed. */
  private quoted(): boolean {
    const quote = this.here;
    const long = quote.repeat(3);
    if (this.text.startsWith(long, this.at)) {
      const end = this.text.indexOf(long, this.at + 3);
      this.at = end < 0 ? this.text.length : end + 3;
      return end >= 0;
    }
    const end = this.line(this.at);
    for (this.at++; this.at < end; this.at++) {
      if (this.here === quote) {
        this.at++;
        return true;
      }
      if (this.here === '\\' && quote === '"') this.at++;
    }
    this.at = end;
    return false;
  }
}

/** Whether the caret is in a comment or right after a finished value: no word begins there. */
function closed(text: string, from: number, caret: number, spot: Spot): boolean {
  const before = text.slice(Math.max(from, text.lastIndexOf('\n', caret - 1) + 1), caret);
  if (spot.at === 'key' && spot.top) return before.trim() !== '';
  if (spot.at === 'key') return !/(^|[{,\n])\s*$/.test(before);
  return !/(^|[[,\n])\s*$/.test(before);
}

/** The place of a caret; null if no word can be completed. */
export function place(text: string, caret: number): Spot | null {
  let best: Region | null = null;
  for (const region of new Reader(text).read()) {
    if (caret < region.from || caret > region.to) continue;
    if (!best || region.from >= best.from) best = region;
  }
  if (!best) return null;
  const { spot } = best;
  if (spot.from >= 0) return spot;
  if (closed(text, best.from, caret, spot)) return null;
  return { ...spot, from: caret, to: caret };
}
