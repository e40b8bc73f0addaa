// The module returns what the command prints: for every example, and for the first hundredth (at
// least 1,000 cells) of every scenario of a paper, or for all of it with HOPFLOW_LAB_ALL=1.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { Engine } from '../src/engine/module.ts';
import type { Checked, RunDocument } from '../src/engine/types.ts';
import { document, root, scenarios, text } from './native.ts';

const all = process.env.HOPFLOW_LAB_ALL === '1';
const wasm = new WebAssembly.Module(
  readFileSync(join(root, 'lab/src/engine/hopflow.wasm')) as BufferSource,
);

for (const file of scenarios()) {
  test(`digest of ${file}`, () => {
    test.setTimeout(all ? 3_600_000 : 300_000);
    const engine = new Engine(wasm);
    const source = { text: text(file), name: file };
    const { endPs, picture } = engine.ask<Checked>({ ask: 'check', source });
    let until = endPs;
    if (!all && !file.startsWith('examples/')) {
      const directions = picture?.links.flatMap((link) => link.directions) ?? [];
      const cell = Math.max(1, ...directions.map((direction) => direction.cellTimePs));
      until = Math.min(endPs, Math.max(Math.ceil(endPs / 100), 1000 * cell));
    }
    engine.ask({ ask: 'run', source, charts: false, until });
    // Steps of different lengths.
    for (let now = 0, k = 1; now < until; k++) {
      const next = now + Math.ceil((until * k) / 40);
      now = engine.ask<{ nowPs: number }>({ ask: 'step', until: next }).nowPs;
    }
    const here = engine.ask<RunDocument>({ ask: 'finish' });
    const cut = until < endPs ? ['--duration', `${until} ps`, '--warm-up', '0 s'] : [];
    const there = document([join(root, file), ...cut]);
    expect(here.manifest.digest).toBe(there.manifest.digest);
    if (until === endPs) expect(here).toEqual(there);
  });
}

test('there are examples and papers', () => {
  expect(scenarios().filter((file) => file.startsWith('examples/')).length).toBeGreaterThan(15);
  expect(scenarios().filter((file) => file.startsWith('papers/')).length).toBeGreaterThan(30);
});

test('a panic has a message, and the page continues with a new instance', () => {
  const engine = new Engine(wasm);
  expect(() => engine.ask({ ask: 'finish' })).toThrow('there is no run');
  expect(() => engine.ask({ ask: 'unknown' })).toThrow('nothing known');
});
