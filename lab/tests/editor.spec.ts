// The editor: its completions, its fixes, and what it keeps.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, type Page } from '@playwright/test';

import { changes, type Change } from '../src/editor/changes.ts';
import { place } from '../src/editor/place.ts';
import { digest, edit, faults, open, write, written } from './browser.ts';
import { document, root } from './native.ts';

const file = join(root, 'papers/kung94/fig14.toml');
const figure = readFileSync(file, 'utf8');

const options = (page: Page) => page.locator('.cm-tooltip-autocomplete [role=option]');
const field = (page: Page) => page.getByRole('textbox', { name: 'fig14.toml' });
const caret = (page: Page) => page.evaluate(() => (window as any).hopflowEditor().caret());

/** Puts the caret after a piece of the text. */
async function behind(page: Page, piece: string) {
  const at = (await written(page)).indexOf(piece) + piece.length;
  await page.evaluate((at) => (window as any).hopflowEditor().show(at), at);
}

/** Takes the current option; one that has just appeared is not taken, as it was not read yet. */
async function accept(page: Page) {
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
}

function made(before: string, list: Change[]): string {
  return [...list].reverse().reduce(
    (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
    before,
  );
}

test('changes are the smallest, and yield the new text', () => {
  const cases: [string, string, Change[]][] = [
    ['a = 1\nb = 2\n', 'a = 1\nb = 2\n', []],
    ['a = 1\nb = 2\n', 'a = 7\nb = 3\n', [
      { from: 4, to: 5, insert: '7' }, { from: 10, to: 11, insert: '3' },
    ]],
    ['a\nb\nc\nd', 'a\nx\nb\nc2\nd', [
      { from: 2, to: 2, insert: 'x\n' }, { from: 5, to: 5, insert: '2' },
    ]],
    ['a\nb\nc\n', 'c\n', [{ from: 0, to: 4, insert: '' }]],
    ['', 'a', [{ from: 0, to: 0, insert: 'a' }]],
    ['a\nb', '', [{ from: 0, to: 3, insert: '' }]],
  ];
  for (const [before, after, expected] of cases) {
    expect(made(before, changes(before, after))).toBe(after);
    expect(changes(before, after)).toEqual(expected);
  }
  // Any two texts of a few lines.
  let seed = 1;
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const line = () => 'abc'[next(3)];
  const text = () => Array.from({ length: next(7) }, line).join(next(2) ? '\n' : '\nb');
  for (let k = 0; k < 2000; k++) {
    const [before, after] = [text(), text()];
    expect(made(before, changes(before, after))).toBe(after);
  }
});

test('the place of a caret is known, in text that is incomplete', () => {
  // The caret is at |; the path of the table or key is after the arrow.
  const cases: [string, string][] = [
    ['dur| ', 'key '],
    ['version = 2\n|', 'key '],
    ['[record]\nque|', 'key record'],
    ['[[flow]]\nname = "A"\n[[flow.hop]]\n|', 'key flow.hop'],
    ['[[flow]]\ncontrol = { kind = "n23", n|', 'key flow.control'],
    ['[[flow]]\ncontrol = { kind = "|', 'value flow.control.kind'],
    ['[[flow]]\ncontrol = { kind = |\n[[flow]]\n', 'value flow.control.kind'],
    ['[[flow]]\ncontrol = { kind = \n[record]\n|', 'key record'],
    ['[[flow]]\ncontrol = { kind = "n23", | }', 'key flow.control'],
    ['[[flow]]\ncontrol.k|ind = "n23"', 'key flow.control'],
    ['[[link]]\nlanes = [{ | }, "none"]', 'key link.lanes'],
    ['[record.trace]\nkinds = ["data",\n "|"]', 'value record.trace.kinds'],
    ['[[fl|', 'header'],
    ['# dur|', 'null'],
    ['a = 1 # dur|', 'null'],
    ['title = "x" |', 'null'],
    ['[[flow]]\ncontrol = { kind |', 'null'],
    ['notes = """\n[[flow]]\ndur|"""', 'value notes'],
  ];
  for (const [text, expected] of cases) {
    const spot = place(text.replace('|', ''), text.indexOf('|'));
    let said = String(spot?.at ?? null);
    if (spot?.at === 'key') said += ` ${spot.table.join('.')}`;
    if (spot?.at === 'value') said += ` ${spot.path.join('.')}`;
    expect(`${text}: ${said}`).toBe(`${text}: ${expected}`);
  }
});

test('keys are completed from the schema, which is fetched then', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await open(page, 'figure-14');
  await edit(page);
  expect(fetched.some((url) => url.includes('schema'))).toBe(false);
  await write(page, figure.replace(/^duration.*$/m, 'du'));
  await behind(page, '\ndu');
  await page.keyboard.type('r');
  await expect(options(page).filter({ hasText: 'duration' })).toBeVisible();
  await expect(page.locator('.cm-completionInfo')).toContainText('The run covers');
  expect(fetched.some((url) => url.includes('schema'))).toBe(true);
  await accept(page);
  await page.keyboard.type('20000 cells');
  await expect.poll(() => written(page)).toBe(figure);
});

test('words are completed, and keys of the kind at hand', async ({ page }) => {
  await open(page, 'figure-14');
  await edit(page);
  await behind(page, 'n3 = 113');
  await page.keyboard.type(', ');
  await page.keyboard.press('Control+Space');
  await expect(options(page).filter({ hasText: 'target' })).toBeVisible();
  // Existing keys, and keys of other kinds, are not offered.
  await expect(options(page).filter({ hasText: /^n2/ })).toHaveCount(0);
  await expect(options(page).filter({ hasText: 'adtf' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await behind(page, 'exact-phase = true');
  await page.keyboard.type('\ncontr');
  await expect(options(page).first()).toHaveText('control');
  await accept(page);
  await expect(options(page).filter({ hasText: 'kind' })).toBeVisible();
  await page.keyboard.type('ki');
  await expect(options(page)).toHaveCount(1);
  await accept(page);
  await expect(options(page).filter({ hasText: 'adaptive' })).toBeVisible();
  await page.keyboard.type('win');
  await expect(options(page)).toHaveCount(1);
  await accept(page);
  expect(await written(page)).toContain('exact-phase = true\ncontrol = { kind = "window" }\n');
});

for (const where of ['above the stage', 'in place'] as const) {
  test(`one click ${where} mends a misspelt key`, async ({ page }) => {
    await open(page, 'figure-14');
    const before = await digest(page);
    await edit(page);
    await write(page, figure.replace('exact-phase', 'exact-pahse'));
    await expect(page.getByRole('alert')).toContainText('exact-pahse');
    if (where === 'in place') {
      await behind(page, 'exact-pa');
      await page.locator('.cm-lintRange-error', { hasText: 'exact-pahse' }).hover();
      await page.locator('.cm-tooltip').getByRole('button', { name: /exact-phase/ }).click();
    } else {
      await page.getByRole('button', { name: 'Write exact-phase' }).click();
    }
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await written(page)).toBe(figure);
    await expect(page.locator('.cm-lintRange-error')).toHaveCount(0);
    expect(await digest(page)).toBe(before);
  });
}

test('a word, a unit and an end of a link are mended', async ({ page }) => {
  await open(page, 'figure-14');
  await edit(page);
  const wrong = figure
    .replace('"n23", n2 = 10, n3 = 113', '"n32", n2 = 10, n3 = 113')
    .replace('622.08 Mb/s', '622.08 Mbps')
    .replace('["A1->S", ', '["AA1->S", ');
  await write(page, wrong);
  for (const right of ['622.08 Mb/s', 'n23', 'A1']) {
    await page.getByRole('button', { name: `Write ${right}`, exact: true }).click();
  }
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await written(page)).toBe(figure);
});

test('a slider keeps the caret, comments and what can be undone', async ({ page }) => {
  await open(page, 'figure-14');
  await edit(page);
  await behind(page, 'title = "Three');
  await page.keyboard.type(' very');
  const mark = 'n2 = 10, n3 = 63';
  await behind(page, mark);
  const at = await caret(page);
  await page.getByRole('slider', { name: /N3 of VC1/ }).fill('40');
  await page.getByRole('slider', { name: /N3 of VC2/ }).fill('30');
  await expect.poll(() => written(page)).toContain('n2 = 10, n3 = 30');
  const text = await written(page);
  // 155 and 113 are 40 and 30 now: a digit less.
  expect(await caret(page)).toBe(at - 2);
  expect(text.slice(0, at - 2).endsWith(mark)).toBe(true);
  expect(text).toContain('# R = 155 cell times');
  expect(text).toContain('title = "Three very greedy');
  await page.getByRole('slider', { name: /N3 of VC3/ }).press('Home');
  for (let k = 0; k < 8 && (await written(page)) !== figure; k++) {
    await field(page).press('ControlOrMeta+z');
  }
  expect(await written(page)).toBe(figure);
});

test('what is written shows in the picture, and is not lost to a slider', async ({ page }) => {
  await open(page, 'figure-14');
  await edit(page);
  await behind(page, 'n3 = 113');
  await page.keyboard.press('Backspace');
  await page.getByRole('slider', { name: /N3 of VC3/ }).fill('20');
  const settings = ['--set', 'flow.VC2.control.n3=11', '--set', 'flow.VC3.control.n3=20'];
  await expect.poll(() => digest(page)).toBe(document([file, ...settings]).manifest.digest);
  expect(await written(page)).toContain('n3 = 11 }');
});

for (const place of ['page', 'editor'] as const) {
  test(`a file dropped on the ${place} opens`, async ({ page }) => {
    await open(page, 'figure-14');
    await edit(page);
    await behind(page, 'title');
    const other = join(root, 'examples/one-vc.toml');
    const text = readFileSync(other, 'utf8');
    const target = place === 'editor' ? page.locator('.cm-content') : page.locator('main');
    await target.evaluate((element, text) => {
      // A slow file: meanwhile the text is unchanged.
      const read = File.prototype.text;
      File.prototype.text = async function () {
        await new Promise((resume) => setTimeout(resume, 800));
        return read.call(this);
      };
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text.replaceAll('\n', '\r\n')], 'mine.toml'));
      const way = { dataTransfer, bubbles: true, cancelable: true };
      element.dispatchEvent(new DragEvent('drop', way));
    }, text);
    await page.waitForTimeout(300);
    expect(await written(page)).toBe(figure);
    await expect(page.getByRole('textbox', { name: 'mine.toml' })).toBeVisible();
    await expect.poll(() => digest(page)).toBe(document([other]).manifest.digest);
    expect(await written(page)).toBe(text);
    // Undo does not bring back the file that was open before.
    await page.getByRole('textbox', { name: 'mine.toml' }).press('ControlOrMeta+z');
    expect(await written(page)).toBe(text);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the editor has no fault, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, 'figure-14');
    await edit(page);
    await write(page, figure.replace('exact-phase', 'exact-pahse'));
    await expect(page.locator('.cm-lintRange-error')).toBeVisible();
    await behind(page, '[defaults.flow]');
    await page.keyboard.type('\nsou');
    await expect(options(page).first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
  });
}

test('where the editor cannot be loaded a plain field stays', async ({ page }) => {
  await page.route('**/field-*.js', (route) => route.abort());
  await page.goto('/#/figure-14');
  const before = await digest(page);
  await page.getByRole('tab', { name: 'Scenario' }).click();
  const plain = page.getByLabel('fig14.toml');
  await expect(plain).toHaveValue(figure);
  await plain.fill(figure.replace('n3 = 155', 'n3 = 100'));
  await expect.poll(() => digest(page)).not.toBe(before);
});
