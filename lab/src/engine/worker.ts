// A worker around one instance of the engine. It looks for messages between the steps of a run, so
// a run that is not needed any more ends after the current step.

import { Engine, Refused } from './module.ts';
import type { ChartData, FilmPart, Job, Marks, RunDocument } from './types.ts';

/** How long a step of a run should take. */
const STEP_MS = 25;
const BUCKETS = 480;

let module: WebAssembly.Module | undefined;
let engine: Engine | undefined;
/** The run under way; a later one replaces it. */
let latest = 0;

function need(): Engine {
  if (!module) throw new Error('the engine is not loaded');
  engine ??= new Engine(module);
  return engine;
}

/** Lets messages in. */
function breathe(): Promise<void> {
  return new Promise((resume) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resume();
    port2.postMessage(0);
  });
}

class Cancelled extends Error {}

async function run(id: number, job: Extract<Job, { ask: 'run' }>) {
  latest = id;
  const engine = need();
  const began = performance.now();
  const { endPs, charted } = engine.ask<{ endPs: number; charted: boolean }>(job);
  let span = endPs / 64;
  let now = 0;
  while (now < endPs) {
    const from = performance.now();
    const next = Math.min(endPs, Math.ceil(now + span));
    now = engine.ask<{ nowPs: number }>({ ask: 'step', until: next }).nowPs;
    const took = Math.max(0.1, performance.now() - from);
    span = Math.max(1, span * Math.min(2, Math.max(0.1, STEP_MS / took)));
    if (now < endPs) {
      postMessage({ id, progress: { share: now / endPs } });
      await breathe();
      if (latest !== id) throw new Cancelled();
    }
  }
  const document = engine.ask<RunDocument>({ ask: 'finish' });
  const marks = engine.ask<Marks>({ ask: 'marks' });
  const answer = job.charts || charted
    ? engine.ask<ChartData>({ ask: 'charts', from: 0, until: endPs, buckets: BUCKETS })
    : null;
  return { document, charts: answer, marks, wallMs: performance.now() - began };
}

async function answer(id: number, job: Job): Promise<unknown> {
  switch (job.ask) {
    case 'load':
      module = job.module;
      need();
      return null;
    case 'run':
      return run(id, job);
    case 'film': {
      const until = Math.ceil(job.until);
      const part = need().ask<FilmPart>({ ask: 'film', from: Math.floor(job.from), until });
      part.columns = need().columns(part.flights, part.states);
      return part;
    }
    case 'cancel':
      latest = id;
      return null;
    default:
      return need().ask(job);
  }
}

// For tests: bytes that the engine holds.
Object.assign(self, { hopflowHeld: () => engine?.held() ?? 0 });

onmessage = async (message: MessageEvent<{ id: number; job: Job }>) => {
  const { id, job } = message.data;
  try {
    const value = await answer(id, job);
    const columns = (value as FilmPart | null)?.columns;
    const moved = columns ? Object.values(columns).map((column) => column.buffer) : [];
    postMessage({ id, value }, { transfer: moved as Transferable[] });
  } catch (error) {
    if (error instanceof Cancelled) {
      postMessage({ id, cancelled: true });
    } else if (error instanceof Refused) {
      const { message, diagnostics } = error;
      postMessage({ id, refused: { message, diagnostics } });
    } else {
      // The instance is in an unknown state after a panic: the next request uses a new one.
      engine = undefined;
      postMessage({ id, failed: error instanceof Error ? error.message : String(error) });
    }
  }
};
