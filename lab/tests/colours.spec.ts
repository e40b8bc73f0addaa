// Colours and pictures of entries: the flow of a story has a colour that nothing else has.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { same } from '../src/charts/same.ts';
import { GREY, OF_STORY, coloursOf } from '../src/colours.ts';
import { Engine } from '../src/engine/module.ts';
import type { Checked } from '../src/engine/types.ts';
import { digest, open, strict } from './browser.ts';
import { entries, root } from './native.ts';

test('no two flows have one colour, except the grey of the others', () => {
  const flows = Array.from({ length: 30 }, (_, k) => ({ name: `F${k}` }));
  for (const story of [null, 'F0', 'F3', 'F29', 'absent']) {
    const colours = coloursOf(flows, story);
    const coloured = colours.filter((one) => one !== GREY);
    expect(new Set(coloured).size).toBe(8);
    expect(coloured.length).toBe(8);
    const place = flows.findIndex(({ name }) => name === story);
    if (place >= 0) expect(colours.indexOf(OF_STORY)).toBe(place);
    // A flow keeps its colour whatever comes after it.
    expect(coloursOf(flows.slice(0, 5), place < 5 ? story : null)).toEqual(
      place < 5 ? colours.slice(0, 5) : coloursOf(flows, null).slice(0, 5),
    );
  }
  expect(coloursOf(flows.slice(0, 9), 'F0')).toEqual([1, 0, 2, 3, 4, 5, 6, 7, GREY]);
});

test('the victim of the storm has its own colour on the stage and in charts', async ({ page }) => {
  await open(page, 'pfc-storm');
  const colours = await page.evaluate(() => (window as any).hopflowStage.colours());
  expect(colours.length).toBe(9);
  expect(new Set(colours).size).toBe(9);
  expect(colours[0]).toBe(OF_STORY);
  await expect(page.locator('.key b')).toHaveText('victim');
  const predicted = page.getByRole('button', { name: /I have predicted/ });
  if (await predicted.isVisible()) await predicted.click();
  const marks = page.locator('.plot').first().locator('.u-legend .u-series:visible');
  await expect(marks.filter({ hasText: 'victim' })).toHaveCount(1);
  const border = (name: string) => marks.filter({ hasText: name }).locator('.u-marker').first()
    .evaluate((one) => getComputedStyle(one).borderTopColor);
  const [own, other] = [await border('victim'), await border('incast1')];
  const key = page.locator('.key .own');
  expect(own).toBe(await key.evaluate((one) => getComputedStyle(one).backgroundColor));
  expect(other).not.toBe(own);
});

/** The relative luminance of a colour such as #14181d. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pauses are red, idle links visible, controls no VCs, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    const names = ['stop', 'idle', 'wash', ...[0, 1, 2, 3].map((k) => `k${k}`),
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => `c${k}`)];
    const all: Record<string, string> = await page.evaluate((names) => {
      const style = getComputedStyle(document.documentElement);
      const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
      return Object.fromEntries(names.map((name) => [name, value(name)]));
    }, names);
    const parts = (name: string) =>
      [1, 3, 5].map((at) => parseInt(all[name].slice(at, at + 2), 16));
    const [red, green, blue] = parts('stop');
    expect(red).toBeGreaterThan(2.5 * Math.max(green, blue));
    const [low, high] = [luminance(all.idle), luminance(all.wash)].sort((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
    for (const control of names.filter((name) => name.startsWith('k'))) {
      for (const vc of names.filter((name) => name.startsWith('c'))) {
        const [a, b] = [parts(control), parts(vc)];
        const far = Math.hypot(...a.map((part, k) => part - b[k]));
        expect(far, `${control} ${vc}`).toBeGreaterThan(40);
      }
    }
  });
}

test('lines on each other are named together', () => {
  const line = (name: string, ...values: number[]) =>
    ({ name, curve: { name, partPs: 1, values } });
  expect(same([line('a', 0, 100), line('b', 0, 100.5), line('c', 0, 50)])).toEqual([['a', 'b']]);
  expect(same([line('a', 0, 100), line('b', 5, 100), line('c', 0, 99)])).toEqual([]);
  expect(same([line('a', 1), line('b', 9), line('c', 1), line('d', 9)]))
    .toEqual([['a', 'c'], ['b', 'd']]);
  // Lines of unequal length are different, and no line is alone in a group.
  expect(same([line('a', 1, 2), line('b', 1), line('c')])).toEqual([]);
});

const STORY = `+++
title = "A flow of a story"
flow = "VC1"
+++
Words.

\`\`\`toml
version = 2
duration = "200 cells"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "155 Mb/s"
delay = "20 cells"
[[flow]]
name = "VC1"
route = ["A", "B"]
\`\`\`
`;

test('a story about an unknown flow is an error that lists the flows', async ({ page }) => {
  await strict(page);
  await page.goto('/');
  const file = (text: string) => ({
    name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(text),
  });
  const choose = page.getByLabel('choose a file');
  await choose.setInputFiles(file(STORY.replace('flow = "VC1"', 'flow = "VC9"')));
  await expect(page.getByRole('alert')).toContainText('flow: no flow is named VC9; there are VC1');
  await choose.setInputFiles(file(STORY));
  await digest(page);
  await expect(page.locator('.key b')).toHaveText('VC1');
});

test('each card has a picture of its network, light and dark', async ({ page }) => {
  await strict(page);
  await page.goto('/');
  await expect(page.locator('.card .picture svg')).toHaveCount(entries.length);
  const wasm = readFileSync(join(root, 'lab/src/engine/hopflow.wasm'));
  const engine = new Engine(new WebAssembly.Module(wasm as BufferSource));
  for (const { id, file } of entries) {
    const svg = page.locator(`.card[href="#/${id}"] .picture svg`);
    const source = { text: readFileSync(file, 'utf8'), name: id };
    const { picture } = engine.ask<Checked>({ ask: 'check', source });
    const drawn = await svg.locator('text[font-weight="600"]').allTextContents();
    const names = picture!.nodes.map(({ name }) => name);
    // Names that would be too small to read are left out, all of them.
    if (names.length > 30) expect(names.filter((name) => drawn.includes(name)), id).toEqual([]);
    else expect(drawn, id).toEqual(expect.arrayContaining(names));
    // Something moves or waits in it.
    const coloured = svg.locator('[fill^="var(--c"], [fill="var(--soft)"]');
    expect(await coloured.count(), id).toBeGreaterThan(0);
  }
  const ink = () => page.locator('.card .picture text').first()
    .evaluate((one) => getComputedStyle(one).fill);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ink();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ink()).not.toBe(light);
});
