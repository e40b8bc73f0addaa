// The engine's module: questions as JSON, answers as JSON, rows as typed arrays.

/** What the module exports (crates/hopflow-wasm/src/lib.rs). */
interface Exports {
  memory: WebAssembly.Memory;
  begin(): void;
  input(length: number): number;
  ask(length: number): number;
  output(): number;
  output_length(): number;
  column(index: number): number;
  last_words(): number;
  last_words_length(): number;
}

/** Rows of a part of a film: see `Columns` in crates/hopflow-wasm/src/columns.rs. */
export interface Columns {
  start: Float64Array;
  end: Float64Array;
  direction: Uint32Array;
  vc: Uint32Array;
  kind: Uint8Array;
  fate: Uint8Array;
  time: Float64Array;
  what: Uint8Array;
  place: Uint32Array;
  whose: Uint32Array;
  value: Float64Array;
}

/** Why there is no answer. */
export class Refused extends Error {
  diagnostics: unknown[];

  constructor(message: string, diagnostics: unknown[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

export class Engine {
  private readonly exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.exports.begin();
  }

  /** Asks, and waits for the answer. */
  ask<Answer>(request: object): Answer {
    const question = new TextEncoder().encode(JSON.stringify(request));
    const at = this.exports.input(question.length);
    new Uint8Array(this.exports.memory.buffer, at, question.length).set(question);
    let refused: boolean;
    try {
      refused = this.exports.ask(question.length) !== 0;
    } catch (error) {
      const words = this.text(this.exports.last_words(), this.exports.last_words_length());
      throw new Error(words || String(error));
    }
    const text = this.text(this.exports.output(), this.exports.output_length());
    const answer = JSON.parse(text);
    if (refused) throw new Refused(answer.message, answer.diagnostics);
    return answer as Answer;
  }

  /** The columns of the last answer, copied out of the module's memory. */
  columns(flights: number, states: number): Columns {
    const { memory, column } = this.exports;
    const f64 = (k: number, n: number) => new Float64Array(memory.buffer, column(k), n).slice();
    const u32 = (k: number, n: number) => new Uint32Array(memory.buffer, column(k), n).slice();
    const u8 = (k: number, n: number) => new Uint8Array(memory.buffer, column(k), n).slice();
    return {
      start: f64(0, flights),
      end: f64(1, flights),
      direction: u32(2, flights),
      vc: u32(3, flights),
      kind: u8(4, flights),
      fate: u8(5, flights),
      time: f64(6, states),
      what: u8(7, states),
      place: u32(8, states),
      whose: u32(9, states),
      value: f64(10, states),
    };
  }

  /** Bytes of the module's memory, which never shrinks. */
  held(): number {
    return this.exports.memory.buffer.byteLength;
  }

  private text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }
}
