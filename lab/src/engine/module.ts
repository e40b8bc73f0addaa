// The engine's module: questions as JSON, answers as JSON, rows as typed arrays.

/** The exports of the module (crates/hopflow-wasm/src/lib.rs). */
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

/** Columns in their order: see `Columns` in crates/hopflow-wasm/src/columns.rs. */
const FLIGHTS = {
  start: Float64Array, end: Float64Array, direction: Uint32Array, vc: Uint32Array,
  kind: Uint8Array, fate: Uint8Array,
};
const STATES = {
  time: Float64Array, what: Uint8Array, place: Uint32Array, whose: Uint32Array,
  value: Float64Array,
};
const COLUMNS = { ...FLIGHTS, ...STATES };

/** Rows of a part of a film. */
export type Columns = {
  [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]>;
};

/** The reason why there is no answer. */
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
    const columns = Object.entries(COLUMNS).map(([name, Kind], k) => {
      const rows = name in FLIGHTS ? flights : states;
      return [name, new Kind(memory.buffer, column(k), rows).slice()];
    });
    return Object.fromEntries(columns);
  }

  /** The size of the module's memory in bytes, which never shrinks. */
  held(): number {
    return this.exports.memory.buffer.byteLength;
  }

  private text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }
}
