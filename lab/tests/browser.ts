// Actions of tests on the page: they open it, read it and write into it.

import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';

/** Fails the test on any error in the console, and on any request that leaves the origin. */
export async function strict(page: Page) {
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    throw error;
  });
  const own = new URL(test.info().project.use.baseURL ?? '').host;
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (['http:', 'https:'].includes(url.protocol) && url.host !== own) {
      throw new Error(`a request leaves the origin: ${url}`);
    }
    return route.continue();
  });
}

/** Serious accessibility faults. */
export async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact ?? ''));
  return serious.map((one) => `${one.id}: ${one.nodes[0]?.html}`);
}

export async function digest(page: Page): Promise<string> {
  // While a slider moves, a long run is shortened; the whole one follows.
  await expect(page.getByText('A shorter run')).toHaveCount(0, { timeout: 60_000 });
  const shown = page.getByTestId('digest');
  await expect(shown).toHaveText(/^[0-9a-f]{16}$/, { timeout: 60_000 });
  return (await shown.textContent()) ?? '';
}

export async function open(page: Page, id: string) {
  await strict(page);
  await page.goto(`/#/${id}`);
  await digest(page);
}

/** Opens the editor and waits until it is loaded. */
export async function edit(page: Page) {
  await page.getByRole('tab', { name: 'Scenario' }).click();
  await expect(page.locator('.cm-content')).toBeVisible();
}

/** The whole text in the editor: the document has only the visible lines. */
export function written(page: Page): Promise<string> {
  return page.evaluate(() => (window as any).hopflowEditor().text());
}

/** Replaces the text of the editor, as by paste. */
export async function write(page: Page, text: string) {
  const field = page.getByRole('textbox', { name: /toml/ });
  await field.press('ControlOrMeta+a');
  await field.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const way = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent('paste', way));
  }, text);
  expect(await written(page)).toBe(text);
}
