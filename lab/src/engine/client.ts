// The page's side of the workers: one runs, the others film. All share one compiled module.

import { Refused } from './module.ts';
import type {
  Calculated, ChartData, Checked, Comparison, FilmPart, Grade, Job, Named, Presets, Progress,
  RunAnswer, Source,
} from './types.ts';
import wasmAddress from './hopflow.wasm?url';

/** A run that was cancelled for a later one. */
export class Cancelled extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  progress?: (progress: Progress) => void;
}

class Desk {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor() {
    this.worker.onmessage = (message) => this.take(message.data);
  }

  ask<Answer>(job: Job, progress?: (progress: Progress) => void): Promise<Answer> {
    const id = this.next++;
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, progress });
      this.worker.postMessage({ id, job });
    });
  }

  end() {
    this.worker.terminate();
    for (const one of this.waiting.values()) one.reject(new Cancelled());
    this.waiting.clear();
  }

  private take(answer: any) {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if (answer.progress) {
      waiting.progress?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.cancelled) waiting.reject(new Cancelled());
    else if (answer.refused) {
      waiting.reject(new Refused(answer.refused.message, answer.refused.diagnostics));
    } else if (answer.failed) waiting.reject(new Error(answer.failed));
    else waiting.resolve(answer.value);
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

function load(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(wasmAddress));
  return compiled;
}

async function desk(): Promise<Desk> {
  const module = await load();
  const made = new Desk();
  await made.ask({ ask: 'load', module });
  return made;
}

let runner: Promise<Desk> | undefined;

/** The worker that runs; the page loads it by the first call, before any other question. */
export async function running(): Promise<Desk> {
  runner ??= desk();
  return runner;
}

/** `keys`: keys of `--set` whose values are requested. */
export async function check(source: Source, keys: string[] = []): Promise<Checked> {
  return (await running()).ask<Checked>({ ask: 'check', source, keys });
}

export async function run(
  source: Source,
  options: { charts: boolean; until?: number | null; progress?: (progress: Progress) => void },
): Promise<RunAnswer> {
  const { charts, until = null, progress } = options;
  return (await running()).ask<RunAnswer>({ ask: 'run', source, charts, until }, progress);
}

/** Cancels a run. */
export async function cancel(): Promise<void> {
  await (await running()).ask({ ask: 'cancel' });
}

/** The charts of the last run between two instants. */
export async function charts(from: number, until: number, buckets: number): Promise<ChartData> {
  return (await running()).ask<ChartData>({ ask: 'charts', from, until, buckets });
}

export function compare(source: Source, controls: string[]): Promise<Comparison> {
  return alone<Comparison>({ ask: 'compare', source, controls });
}

/** The links that may be sized by name. */
export async function presets(): Promise<Presets> {
  return (await running()).ask<Presets>({ ask: 'presets' });
}

/** The size of a link by its name. Runs that confirm it do not hold up those of the page. */
export async function calculate(named: Named): Promise<Calculated> {
  const job: Job = { ask: 'calculate', named };
  return named.verify ? alone<Calculated>(job) : (await running()).ask<Calculated>(job);
}

/** Runs the scenario as it stands and grades it by its `[expect]`. */
export function grade(source: Source): Promise<Grade> {
  return alone<Grade>({ ask: 'grade', source });
}

/** Asks a question with one long answer in a separate worker, which can be ended. */
async function alone<Answer>(job: Job): Promise<Answer> {
  const own = await desk();
  try {
    return await own.ask<Answer>(job);
  } finally {
    own.end();
  }
}

/** A camera on one scenario. */
export class Camera {
  private readonly desk: Promise<Desk>;

  constructor(source: Source) {
    this.desk = desk().then(async (made) => {
      await made.ask({ ask: 'play', source });
      return made;
    });
  }

  async film(from: number, until: number): Promise<FilmPart> {
    return (await this.desk).ask<FilmPart>({ ask: 'film', from, until });
  }

  end() {
    this.desk.then((made) => made.end(), () => undefined);
  }
}
