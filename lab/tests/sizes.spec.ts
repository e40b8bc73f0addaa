// The sizes of the page, and those that docs/lab.md prints.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { expect, test } from '@playwright/test';

import { root } from './native.ts';

const dist = join(root, 'lab/dist');
const assets = readdirSync(join(dist, 'assets'));
const file = (name: string) => readFileSync(join(dist, name));
const packed = (name: string) => gzipSync(file(name), { level: 9 }).length;
const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0);

/** The files of the first view, without the engine. */
function firstView(): string[] {
  const html = file('index.html').toString();
  const named = assets.filter((name) => html.includes(name) || name.startsWith('worker'));
  return ['index.html', ...named.map((name) => `assets/${name}`)];
}

test('the first view is small', () => {
  expect(firstView().length).toBeGreaterThan(3);
  expect(sum(firstView().map(packed))).toBeLessThan(120_000);
  const others = assets.filter((name) => !name.endsWith('.wasm'));
  expect(sum(others.map((name) => packed(`assets/${name}`)))).toBeLessThan(400_000);
});

test('docs/lab.md prints the sizes of the page', () => {
  // To compress the engine by brotli takes ten seconds of a quiet machine.
  test.slow();
  const [engine, ...more] = assets.filter((name) => name.endsWith('.wasm'));
  expect(more).toEqual([]);
  const bytes = file(`assets/${engine}`);
  const all = readdirSync(dist, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile());
  const whole = sum(files.map((one) => statSync(join(one.parentPath, one.name)).size));
  const gzip = packed(`assets/${engine}`);
  const amount = '([\\d.]+)';
  const text = readFileSync(join(root, 'docs/lab.md'), 'utf8').replace(/\s+/g, ' ');
  /** Sentences of the page, and the sizes in them in bytes. */
  const printed: [string, number[]][] = [
    [
      `engine \\| ${amount} MB; ${amount} MB gzip; ${amount} MB brotli`,
      [bytes.length, gzip, brotliCompressSync(bytes).length],
    ],
    [
      `first view without the engine, with the pictures of the gallery \\| ${amount} kB gzip`,
      [sum(firstView().map(packed))],
    ],
    [`to the binary: ${amount} MB, of which the engine is ${amount} MB`, [whole, bytes.length]],
    [`The engine has ${amount} MB, and ${amount} MB with gzip`, [bytes.length, gzip]],
  ];
  for (const [sentence, sizes] of printed) {
    const unit = sentence.includes('kB') ? 1e3 : 1e6;
    const found = new RegExp(sentence).exec(text);
    expect(found, `docs/lab.md has no "${sentence}"`).not.toBeNull();
    sizes.forEach((size, k) => {
      // Another compiler makes other bytes; a twentieth is a change that readers should know of.
      const said = Number(found?.[k + 1]) * unit;
      const words = `docs/lab.md: "${found?.[0]}"; number ${k + 1} is ${(size / unit).toFixed(2)}`;
      expect(Math.abs(said - size), words).toBeLessThan(0.05 * size);
    });
  }
});
