// The state of the page: the scenario, the answers of the engine, and the instant of the film.

import { untrack } from 'svelte';

import * as engine from './engine/client.ts';
import { Refused } from './engine/module.ts';
import type {
  ChartData, Checked, Comparison, Control, Diagnostic, Marks, RunDocument,
} from './engine/types.ts';
import type { Entry } from './gallery.ts';
import type { Shared, Tab } from './share.ts';

/** Runs that take longer are shortened while a slider moves. */
const LIVE_MS = 60;
/** While a slider moves, a long run is cut to at least this share of its duration. */
const LIVE_SHARE_LEAST = 0.02;
/** A text is checked when no key was pressed for this long. */
const REST_MS = 250;

/** What is opened: a scenario alone, or the whole content of a link. */
type Opened = Pick<Shared, 'text' | 'name'> & Partial<Shared>;

/** The scenario under one control, as shown on the stage. */
export interface Scene {
  control: string | null;
  checked: Checked;
}

/** All controls: one of the scenario takes precedence over a built-in one of its name. */
export function controls(checked: Checked | null): Control[] {
  const own = checked?.ownControls ?? [];
  const builtIn = checked?.builtInControls ?? [];
  const free = builtIn.filter((one) => !own.some((other) => other.name === one.name));
  return [{ name: 'as-is', title: 'the scenario as it stands' }, ...own, ...free];
}

/** Whether the scenario runs as it stands. */
export function isAsIs(control: string | null): boolean {
  return control === null || control === 'as-is';
}

export class Lab {
  /** The text of the scenario. */
  text = $state('');
  name = $state('scenario.toml');
  /** The number of scenarios that were opened: for each the editor starts afresh. */
  opened = $state(0);
  control = $state<string | null>(null);
  entry = $state.raw<Entry | null>(null);
  /** The text of the entry, if it is the reader's own story. */
  story = $state.raw<string | null>(null);
  checked = $state.raw<Checked | null>(null);
  /** Controls that are shown side by side; if empty, the scenario alone. */
  beside = $state.raw<string[]>([]);
  /** The scenes on the stage: the scenario under each of the controls. */
  scenes = $state.raw<Scene[]>([]);
  diagnostics = $state.raw<Diagnostic[]>([]);
  /** The text that the diagnostics belong to. */
  diagnosed = $state('');
  message = $state('');
  result = $state.raw<RunDocument | null>(null);
  /** The control that the result belongs to. */
  ranUnder = $state<string | null>(null);
  charts = $state.raw<ChartData | null>(null);
  /** By control, the marks of a whole run; the scenario alone is under its own control. */
  marks = $state.raw<ReadonlyMap<string, Marks>>(new Map());
  /** The share of the run that is done, or null if none is under way. */
  share = $state<number | null>(null);
  /** Whether the result belongs to a shorter run than the scenario specifies. */
  short = $state(false);
  wallMs = $state(0);
  /** The instant of the film, in ps. */
  time = $state(0);
  playing = $state(false);
  tab = $state<Tab>('charts');
  /** The step that is open. */
  step = $state(0);
  /** Whether the numbers are shown, although the reader is asked to predict first. */
  revealed = $state(false);
  /** Simulated picoseconds per second. */
  pace = $state(1e6);
  private turn = 0;
  private shownAs = '';
  private markedText = '';
  private rest: ReturnType<typeof setTimeout> | undefined;

  /** The unit of counts: cells or packets. */
  get unit(): string {
    return this.checked?.unit ?? 'packets';
  }

  /** All that a link or a reload needs. */
  shared(): Shared {
    const { text, name, control, story } = this;
    const { tab, step, revealed, beside } = this;
    // A change of the clock alone is not a reason to store all this again.
    const view = { time: untrack(() => this.time), tab, step, revealed, beside };
    return { text, name, control, entry: this.entry?.id ?? null, story, view };
  }

  source() {
    return { text: this.text, name: this.name, control: this.control };
  }

  /** Opens a scenario, with a new network and a new film. */
  async open({ text, name, control = null, story = null, view }: Opened, entry: Entry | null) {
    this.story = story;
    this.opened++;
    this.entry = entry;
    this.name = name;
    this.control = control;
    this.time = view?.time ?? entry?.fromPs ?? 0;
    // An entry begins on its first tab; a file keeps the open one.
    this.tab = view?.tab ?? (entry ? 'charts' : this.tab);
    this.step = view?.step ?? 0;
    this.revealed = view?.revealed ?? false;
    this.playing = false;
    this.result = null;
    this.charts = null;
    this.checked = null;
    this.beside = view?.beside ?? [];
    this.scenes = [];
    this.marks = new Map();
    this.shownAs = '';
    // Places are counted with line ends of one unit.
    await this.change(text.replaceAll('\r\n', '\n'));
  }

  /** Takes a changed text. If it is wrong, the last right scenario stays. */
  async change(text: string, live = false) {
    clearTimeout(this.rest);
    this.text = text;
    await this.again(live);
  }

  /** Takes a text that is being written: it is checked when typing pauses. */
  typed(text: string) {
    clearTimeout(this.rest);
    this.turn++;
    this.text = text;
    this.rest = setTimeout(() => this.again(false), REST_MS);
  }

  /** Puts settings into the text, as `--set` does. */
  async set(settings: string[], live = false) {
    try {
      let before: string;
      let after: string;
      // Text that is written meanwhile is not lost: the settings are put into it.
      do {
        before = this.text;
        after = (await engine.check({ text: before, name: this.name, settings })).text;
      } while (this.text !== before);
      await this.change(after, live);
    } catch (error) {
      this.wrong(error);
      this.diagnosed = this.text;
    }
  }

  /** Opens the scenario of the entry with these settings; earlier changes are discarded. */
  async restart(settings: string[], control: string | null = null) {
    if (!this.entry) return;
    const { scenario } = this.entry;
    // A step that chooses a control shows it alone.
    if (control !== this.control) this.beside = [];
    this.control = control;
    try {
      const source = { text: scenario, name: this.name, settings };
      await this.change((await engine.check(source)).text);
    } catch (error) {
      this.wrong(error);
    }
  }

  private async again(live: boolean) {
    const turn = ++this.turn;
    const text = this.text;
    try {
      const keys = this.entry?.sliders.map((slider) => slider.key) ?? [];
      const checked = await engine.check(this.source(), keys);
      if (turn !== this.turn) return;
      this.checked = checked;
      await this.stage();
      if (turn !== this.turn) return;
      // Marks belong to one text; the scale stays until the run ends, so that nothing jumps.
      if (text !== this.markedText) {
        const own = this.marks.get(this.control ?? 'as-is');
        this.marks = new Map(own ? [[this.control ?? 'as-is', { ...own, deadlock: null }]] : []);
        this.markedText = text;
      }
      this.diagnostics = checked.warnings;
      this.diagnosed = text;
      this.message = '';
      const shape = JSON.stringify([checked.picture?.nodes, checked.picture?.links]);
      if (shape !== this.shownAs) {
        this.shownAs = shape;
        this.pace = this.entry?.pacePs ?? pace(checked);
      }
      await this.run(turn, live);
    } catch (error) {
      if (turn !== this.turn) return;
      this.wrong(error);
      this.diagnosed = text;
    }
  }

  /** Puts the scenario on the stage: alone, or under several controls. */
  private async stage() {
    const checked = this.checked;
    if (!checked) return;
    if (this.beside.length === 0) {
      this.scenes = [{ control: this.control, checked }];
      return;
    }
    const scenes: Scene[] = [];
    for (const control of this.beside) {
      scenes.push({ control, checked: await engine.check({ ...this.source(), control }) });
    }
    this.scenes = scenes;
  }

  /** Shows the scenario under several controls on one clock; without controls, alone. */
  async show(controls: string[]) {
    this.beside = controls;
    try {
      await this.stage();
    } catch (error) {
      this.wrong(error);
    }
  }

  /** Takes the marks for the stage from a comparison of a text. */
  compared(text: string, { curves }: Comparison) {
    if (text !== this.text) return;
    const marks = new Map(this.marks);
    for (const run of curves) if (run.marks) marks.set(run.control, run.marks);
    this.marks = marks;
  }

  private async run(turn: number, live: boolean) {
    const { control } = this;
    const end = this.checked?.endPs ?? 0;
    let until: number | null = null;
    if (live && this.wallMs > LIVE_MS) {
      until = Math.ceil(end * Math.max(LIVE_SHARE_LEAST, LIVE_MS / this.wallMs));
    }
    const progress = ({ share }: { share: number }) => {
      if (turn === this.turn) this.share = share;
    };
    try {
      const answer = await engine.run(this.source(), { charts: true, until, progress });
      if (turn !== this.turn) return;
      this.result = answer.document;
      this.ranUnder = control;
      this.charts = answer.charts;
      this.marks = new Map(this.marks).set(control ?? 'as-is', answer.marks);
      this.short = until !== null;
      if (until === null) this.wallMs = answer.wallMs;
    } catch (error) {
      if (error instanceof engine.Cancelled) return;
      throw error;
    } finally {
      if (turn === this.turn) this.share = null;
    }
  }

  /** Cancels the run under way. */
  async stop() {
    this.turn++;
    this.share = null;
    await engine.cancel();
  }

  private wrong(error: unknown) {
    this.share = null;
    if (error instanceof Refused) {
      this.diagnostics = error.diagnostics as Diagnostic[];
      this.message = error.message;
    } else {
      this.diagnostics = [];
      this.message = error instanceof Error ? error.message : String(error);
    }
  }
}

/** A pace at which the longest link is crossed in two seconds. */
function pace(checked: Checked): number {
  const directions = checked.picture?.links.flatMap((link) => link.directions) ?? [];
  const times = directions.map((direction) => direction.delayPs + direction.cellTimePs);
  const longest = Math.max(1, ...times);
  const cell = Math.max(1, ...directions.map((direction) => direction.cellTimePs));
  return Math.max(longest / 2, 4 * cell);
}

/** The value at a path such as `vcs/VC1/throughput_bps` of a document: lists are searched by name,
 *  or by place if no name fits. A path that is a number yields that number. */
export function at(document: unknown, path: string): number | null {
  if (Number.isFinite(Number(path))) return Number(path);
  const named = ['name', 'node', 'vc', 'link', 'port'];
  let here: any = document;
  for (const part of path.split('/')) {
    if (here === null || here === undefined) return null;
    here = Array.isArray(here)
      ? (here.find((one) => named.some((key) => one[key] === part)) ?? here[Number(part)])
      : here[part];
  }
  return typeof here === 'number' ? here : null;
}
