// The page on a phone of 390 pixels: every view without a serious fault, and readable names.

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
  }
});
