// Answers of the engine, as crates/hopflow-wasm returns them.

import type { Columns } from './module.ts';

export interface Source {
  text: string;
  name?: string;
  settings?: string[];
  control?: string | null;
}

export interface Direction {
  name: string;
  rateBps: number;
  delayPs: number;
  cellTimePs: number;
  /** Whether it leads to the application of a host. */
  drain: boolean;
  /** The effects of its timeline, in order; empty if there are none. */
  faults: Fault[];
}

/** The state of a link direction from an instant on. */
export interface Fault {
  fromPs: number;
  /** No data starts. */
  blocked: boolean;
  /** The chances that data, and that credits, are corrupted. */
  data: number;
  credits: number;
}

/** A circle of links that wait for each other; the last waits for the first. */
export interface Deadlock {
  sincePs: number;
  waits: { direction: number; name: string; vc: string | null }[];
}

/** The marks of a whole run on the picture. */
export interface Marks {
  deadlock: Deadlock | null;
  /** By node, the most packets that any single VC ever had there. */
  peaks: number[];
}

export interface Picture {
  width: number;
  height: number;
  nodes: {
    name: string;
    kind: 'host' | 'switch' | 'application';
    x: number;
    y: number;
    /** For a host that takes less than its link brings, or stops for a time. */
    slow: { takesBps: number; linkBps: number } | null;
  }[];
  links: {
    ends: [number, number];
    label: string;
    bends: [number, number][];
    directions: [Direction, Direction];
  }[];
  vcs: { name: string; hops: { direction: number; credit: number | null }[] }[];
  endPs: number;
}

export interface Place {
  from: number;
  to: number;
  line: number;
  column: number;
  text: string;
}

export interface Diagnostic {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  hint: string | null;
  setting: string | null;
  labels: Place[];
}

export interface SizeRow {
  of: string;
  law: string;
  unit: string;
  needed: number;
  given: number | null;
  formula: string;
  isProposal: boolean;
}

/** A kind of link that is sized by name (`hopflow size --preset`). */
export interface Preset {
  name: string;
  packetBytes: number;
  /** Whether its packets have no other size. */
  fixedPacket: boolean;
  speeds: { name: string }[];
  vendors: { name: string; what: string }[];
}

export interface Presets {
  presets: Preset[];
  media: { name: string; source: string }[];
}

/** A link by its name. */
export interface Named {
  preset: string;
  speed: string;
  metres: number;
  medium: string;
  packetBytes: number | null;
  vendor: string | null;
  verify: boolean;
}

export interface Calculated {
  amount: number;
  unit: string;
  formula: string;
  notes: string[];
  public: {
    source: string; terms: string; value: number; ours: number; unit: string; why: string;
  }[];
  verified: {
    runs: { of: string; size: number; busy: number; dropped: number; isEnough: boolean }[];
    unit: string;
    byLoss: boolean;
    isConfirmed: boolean;
    verdict: string;
  } | null;
  /** The network that confirms the size. */
  scenario: string;
}

export interface Control {
  name: string;
  title: string | null;
}

export interface Checked {
  text: string;
  /** Values of the requested keys, as written in the text. */
  values: (string | null)[];
  title: string | null;
  notes: string | null;
  endPs: number;
  /** The unit of counts. */
  unit: 'cells' | 'packets';
  picture: Picture | null;
  /** The task, if the scenario has an `[expect]`. */
  exercise: { task: string | null } | null;
  warnings: Diagnostic[];
  ownControls: Control[];
  builtInControls: Control[];
  defaultControls: string[] | null;
  sizes: SizeRow[];
  sizeError: string | null;
}

/** The document of `hopflow run --format json` (docs/results.md); only what the page reads. */
export interface RunDocument {
  manifest: { digest: string; end_ps: number; complete: boolean };
  vcs: { name: string; throughput_bps: number; received_packets: number }[];
  violations: { text: string }[];
  [key: string]: unknown;
}

export interface Line {
  name: string;
  quantity: string;
  vc: string | null;
  node: string | null;
  link: string | null;
  unit: string;
  mean: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
}

export interface ChartData {
  fromPs: number;
  untilPs: number;
  buckets: number;
  lines: Line[];
  delays: { vc: string; points: [number, number][] }[];
}

export interface RunAnswer {
  document: RunDocument;
  charts: ChartData | null;
  marks: Marks;
  wallMs: number;
}

export interface FilmPart {
  statesPs: [number, number];
  knownPs: number;
  endPs: number;
  flights: number;
  states: number;
  columns: Columns;
}

/** The grade of an answer, as of `hopflow check --answer`; only what the page reads. */
export interface Grade {
  right: boolean;
  digest: string;
  marks: { right: boolean; text: string }[];
}

/** A request to a worker, which passes on to the engine what it does not do itself. */
export type Job =
  | { ask: 'load'; module: WebAssembly.Module }
  | { ask: 'check'; source: Source; keys: string[] }
  | { ask: 'run'; source: Source; charts: boolean; until: number | null }
  | { ask: 'charts'; from: number; until: number; buckets: number }
  | { ask: 'compare'; source: Source; controls: string[] }
  | { ask: 'presets' }
  | { ask: 'calculate'; named: Named }
  | { ask: 'grade'; source: Source }
  | { ask: 'play'; source: Source }
  | { ask: 'film'; from: number; until: number }
  | { ask: 'cancel' };

/** A quantity over a whole run: the mean of each part. */
export interface Curve {
  name: string;
  partPs: number;
  values: number[];
}

/** A row of `hopflow compare --format json` (docs/results.md); only what the page reads. */
export interface ControlRow {
  control: string;
  title: string | null;
  digest: string;
  throughput_bps: number;
  lost_packets: number;
  delay_mean_ps: number | null;
  delay_p99_ps: number | null;
  jain: number | null;
  needed_packets: number | null;
  vcs: {
    name: string;
    throughput_bps: number;
    delay_mean_ps: number | null;
    lost_packets: number;
  }[];
}

export interface Comparison {
  document: { controls: ControlRow[]; notes: { text?: string }[] };
  curves: { control: string; queues: Curve[]; rates: Curve[]; marks: Marks | null }[];
}

export interface Progress {
  share: number;
}
