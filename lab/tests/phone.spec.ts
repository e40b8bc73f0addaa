// The page on a phone of 390 pixels: every view without a serious fault, and readable names.

import { readFileSync } from 'node:fs';

import { expect, test, type Page } from '@playwright/test';

import { digest, edit, faults, open, strict, write, written } from './browser.ts';
import { entries } from './native.ts';

test.use({ viewport: { width: 390, height: 844 } });

const views = (page: Page) => page.evaluate(() => (window as any).hopflowStage.views());

/** Nothing serious, and nothing that the page has to be moved sideways for. */
async function fine(page: Page, view: string) {
  expect(await faults(page), view).toEqual([]);
  const wide = await page.evaluate(() => window.document.documentElement.scrollWidth);
  expect(wide, view).toBeLessThanOrEqual(390);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no view of a story has a fault on a phone, ${colorScheme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await strict(page);
    await page.goto('/');
    await expect(page.locator('.card')).toHaveCount(entries.length);
    await fine(page, 'gallery');
    await page.goto('/#/no-such-entry');
    await expect(page.getByRole('alert')).toBeVisible();
    await fine(page, 'gallery with an error');

    await page.goto('/#/credit-against-pfc');
    await digest(page);
    await fine(page, 'before the prediction');
    await page.getByRole('button', { name: /I have predicted/ }).click();
    await expect(page.locator('.plot canvas').first()).toBeVisible();
    await fine(page, 'charts and numbers');
    const canvas = page.locator('.stage canvas').first();
    await page.evaluate(() => window.scrollTo(0, 0));
    const [x, y] = await page.evaluate(() => (window as any).hopflowStage.middle(0));
    const box = await canvas.boundingBox();
    await page.mouse.click(box!.x + x * box!.width, box!.y + y * box!.height);
    await expect(page.locator('.facts')).toBeVisible();
    await fine(page, 'facts of a link');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /One credit, or one pause/ }).click();
    await page.getByRole('button', { name: /Do it/ }).click();
    await expect(page.getByTestId('control')).toHaveText(/pfc/);
    await fine(page, 'a step under a control');
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('More controls').click();
    await fine(page, 'controls to compare');
    await page.getByRole('button', { name: 'Compare' }).last().click();
    await expect.poll(() => views(page), { timeout: 60_000 }).toBeGreaterThan(1);
    const table = page.getByRole('columnheader', { name: 'Control' });
    await expect(table).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('tabpanel').locator('.plot canvas').first()).toBeVisible();
    await fine(page, 'comparison');
    await page.getByRole('tab', { name: 'Sizes' }).click();
    await expect(page.getByRole('table', { name: 'Sizes' })).toBeVisible();
    await fine(page, 'sizes');
    await edit(page);
    await fine(page, 'editor');
    await write(page, (await written(page)).replace('duration', 'durration'));
    await expect(page.getByRole('alert')).toBeVisible();
    await fine(page, 'a mistake in the text');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByText(/The link is copied|The address of this page/)).toBeVisible();
    await fine(page, 'a shared link');
  });

  test(`no other view has a fault on a phone, ${colorScheme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await open(page, 'exercise');
    await page.getByRole('button', { name: 'Check my answer' }).click();
    await expect(page.getByText(/Right|Not right yet/)).toBeVisible({ timeout: 60_000 });
    await fine(page, 'an exercise with its grade');
    await open(page, 'deadlock');
    const end = await page.getByRole('slider', { name: 'Instant' }).getAttribute('max');
    await page.getByRole('slider', { name: 'Instant' }).fill(String(Number(end) / 2));
    await expect(page.locator('.lock')).toBeVisible();
    await fine(page, 'a deadlock');
    await page.getByRole('tab', { name: 'Sizes' }).click();
    await fine(page, 'sizes of a scenario under PFC');
    await page.goto('/?embed#/figure-14');
    await digest(page);
    await fine(page, 'embedded');
    const text = `version = 2\n[[host]]\nname = "A"\n`;
    await page.goto('/');
    await page.getByLabel('choose a file')
      .setInputFiles({ name: 'bad.toml', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(page.getByRole('alert')).toBeVisible();
    await fine(page, 'a file that is refused');
  });
}

test('marks stand beside their words, pictures are saved with other files', async ({ page }) => {
  await open(page, 'pfc-storm');
  const items = await page.locator('.key > span').evaluateAll((all) =>
    all.map((item) => ({
      words: item.textContent,
      lines: new Set([...item.getClientRects()].map(({ top }) => Math.round(top))).size,
      high: item.getBoundingClientRect().height,
    })),
  );
  expect(items.length).toBeGreaterThanOrEqual(5);
  for (const { words, lines, high } of items) {
    expect(lines, words ?? '').toBe(1);
    expect(high, words ?? '').toBeLessThan(30);
  }
  const middle = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return (top + bottom) / 2;
    });
  for (const name of ['Picture as SVG', 'Picture as PNG']) {
    expect(Math.abs((await middle(name)) - (await middle('.csv'))), name).toBeLessThan(4);
  }
});

test('a card has no switch among its hosts, and no stack on a name', async ({ page }) => {
  await page.goto('/');
  const card = page.locator('a[href="#/pfc-storm"] .picture svg');
  const names = await card.locator('text').evaluateAll((all) =>
    all.map((one) => ({
      name: one.textContent ?? '',
      x: one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2,
    })),
  );
  const x = (name: string) => names.find((one) => one.name === name)!.x;
  expect(Math.abs(x('S1') - x('A5'))).toBeGreaterThan(30);
  expect(Math.abs(x('A2') - x('A5'))).toBeLessThan(2);
});

test('names on the stage of every entry are readable on a phone', async ({ page }) => {
  test.slow();
  for (const { id } of entries) {
    await page.goto(`/#/${id}`);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    const letters = () => page.evaluate(() => (window as any).hopflowStage.letters());
    await expect.poll(async () => (await letters()).length).toBe(1);
    await expect.poll(async () => (await letters())[0], id).toBeGreaterThanOrEqual(11);
    const counts = await page.evaluate(() => (window as any).hopflowStage.counts());
    expect(counts[0], id).toBeGreaterThanOrEqual(9);
  }
});

test('the title is above the stage, and wide tables say that they scroll', async ({ page }) => {
  await open(page, 'credit-against-pfc');
  const top = (selector: string) =>
    page.locator(selector).first().evaluate((one) => one.getBoundingClientRect().top);
  expect(await top('h1')).toBeLessThan(await top('.stage canvas'));
  expect(await top('h1')).toBeLessThan(120);
  await page.getByRole('tab', { name: 'Sizes' }).click();
  const words = () => page.getByRole('table', { name: 'Sizes' }).evaluate((table) =>
    getComputedStyle(table, '::before').content);
  await expect.poll(words).toContain('Scrolls sideways');
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect.poll(words).toBe('none');
});

test('a comparison shows one control at a time, large enough to read', async ({ page }) => {
  await open(page, 'credit-against-pfc');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Compare' }).last().click();
  await expect.poll(() => views(page), { timeout: 60_000 }).toBe(3);
  await page.evaluate(() => window.scrollTo(0, 0));
  const shown = page.locator('.stage canvas:visible');
  await expect(shown).toHaveCount(1);
  const choice = page.getByRole('group', { name: 'Control on the stage' });
  await expect(choice.getByRole('button')).toHaveText(['as-is', 'lane', 'pfc']);
  for (const name of ['pfc', 'lane']) {
    const one = choice.getByRole('button', { name });
    await one.click();
    await expect(one).toHaveAttribute('aria-pressed', 'true');
    await expect(choice.locator('[aria-pressed="true"]')).toHaveCount(1);
    await expect(shown).toHaveCount(1);
    expect((await shown.boundingBox())?.height).toBeGreaterThan(190);
  }
  const counts: number[] = await page.evaluate(() => (window as any).hopflowStage.counts());
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(9);
  // The greatest bar of the three is high enough to compare others with it.
  await page.getByRole('slider', { name: 'Instant' }).fill(String(2e9));
  const known = () => page.evaluate(() => (window as any).hopflowStage.known());
  await expect.poll(known).toBeGreaterThan(2e9);
  const high = () => page.evaluate(() => (window as any).hopflowStage.tallest());
  await expect.poll(high, { timeout: 90_000 }).toBeGreaterThan(40);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeInViewport();
  const front = await page.locator('.stage .front').boundingBox();
  expect(front?.height).toBeLessThanOrEqual(0.42 * 844);
  // On a tablet three views would have 120 pixels each; a larger window shows all of them.
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(shown).toHaveCount(1);
  expect((await shown.boundingBox())?.width).toBeGreaterThan(300);
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(shown).toHaveCount(3);
  await expect(choice).toHaveCount(0);
});

test('counts without room above their hosts are beside them', async ({ page }) => {
  await open(page, 'pfc-storm');
  const instant = page.getByRole('slider', { name: 'Instant' });
  await instant.fill(String(Number(await instant.getAttribute('max')) / 2));
  const known = () => page.evaluate(() => (window as any).hopflowStage.known());
  await expect.poll(known).toBeGreaterThan(750e6);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Picture as SVG', exact: true }).click(),
  ]);
  const svg = readFileSync(await file.path(), 'utf8');
  const beside = [...svg.matchAll(/<text x="([\d.-]+)"[^>]*text-anchor="end"[^>]*>(\d+)</g)];
  expect(beside.length).toBe(7);
  // The drawing is in the middle: as much room on the left as on the right.
  const nodes = [...svg.matchAll(/<text x="([\d.]+)"[^>]*central"/g)].map(([, x]) => Number(x));
  const [, wide] = /^<svg [^>]*width="([\d.]+)"/.exec(svg) ?? [];
  const spare = Number(wide) - Math.max(...nodes) - Math.min(...nodes);
  expect(Math.abs(spare)).toBeLessThan(4);
  // Each has room in the picture: a letter is at most .65 of its size wide.
  for (const [, x, count] of beside) expect(Number(x)).toBeGreaterThan(0.65 * 9 * count.length);
});

test('meters of credit on short links cover no node', async ({ page }) => {
  const text = `version = 2
duration = "200 cells"
[defaults.link]
rate = "155 Mb/s"
delay = "20 cells"
[[host]]
name = "A"
[[switch]]
name = "S{}"
count = 6
[[host]]
name = "B"
[[link]]
between = ["A", "S1"]
[[link]]
between = ["S1", "S2"]
[[link]]
between = ["S2", "S3"]
[[link]]
between = ["S3", "S4"]
[[link]]
between = ["S4", "S5"]
[[link]]
between = ["S5", "S6"]
[[link]]
between = ["S6", "B"]
[[flow]]
name = "VC1"
route = ["A", "S1", "S2", "S3", "S4", "S5", "S6", "B"]
control = { kind = "n23", n2 = 2, n3 = 60 }
`;
  await strict(page);
  await page.goto('/');
  const file = { name: 'row.toml', mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByLabel('choose a file').setInputFiles(file);
  await digest(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Picture as SVG', exact: true }).click(),
  ]);
  const svg = readFileSync(await saved.path(), 'utf8');
  const rule = await page.evaluate(() =>
    getComputedStyle(window.document.body).getPropertyValue('--rule').trim());
  const rects = svg.matchAll(/<rect x="([\d.]+)" [^>]*width="([\d.]+)" [^>]*fill="([^"]*)"/g);
  const meters = [...rects].filter(([, , , fill]) => fill === rule);
  expect(meters.length).toBe(7);
  const nodes = [...svg.matchAll(/<text x="([\d.]+)"[^>]*central"[^>]*>/g)];
  expect(nodes.length).toBe(8);
  for (const [, from, width] of meters) {
    const [left, right] = [Number(from), Number(from) + Number(width)];
    for (const [, x] of nodes) expect(Number(x) < left || Number(x) - 9 > right).toBe(true);
  }
});

for (const width of [390, 1280]) {
  test(`words on cards are readable and inside their boxes, ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await expect(page.locator('.card')).toHaveCount(entries.length);
    const found = await page.locator('.card svg text').evaluateAll((all) =>
      (all as SVGTextElement[]).map((one) => {
        const scale = (one.ownerSVGElement as SVGSVGElement).getScreenCTM()?.a ?? 0;
        const before = one.parentElement?.previousElementSibling?.firstElementChild;
        const box = (before as SVGGraphicsElement | null)?.getBBox();
        const centred = one.getAttribute('dominant-baseline') === 'central';
        return {
          words: one.textContent ?? '',
          pixels: Number(one.getAttribute('font-size')) * scale,
          // The box of a name is drawn before it.
          spare: centred && box ? box.width - one.getBBox().width : 0,
        };
      }),
    );
    expect(found.length).toBeGreaterThan(100);
    for (const { words, pixels, spare } of found) {
      expect(pixels, words).toBeGreaterThanOrEqual(8);
      expect(spare, words).toBeGreaterThanOrEqual(0);
    }
  });
}

test('families of the gallery are headings, and chips that lead to them', async ({ page }) => {
  await strict(page);
  await page.goto('/');
  const chips = page.getByRole('navigation', { name: 'Families' }).getByRole('button');
  await expect(chips).toHaveText([/^Credit/, /^Transport/, /^Reserved/, /^Pause/, /^Rate/]);
  const counts = await chips.locator('small').allTextContents();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(entries.length);
  const heading = page.getByRole('heading', { name: 'Pause', exact: true });
  await expect(heading).not.toBeInViewport();
  await chips.filter({ hasText: 'Pause' }).click();
  await expect(heading).toBeInViewport();
  await expect(heading).toBeFocused();
});
