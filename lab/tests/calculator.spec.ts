// The calculator of links by name: its numbers are those of the command.

import { execFileSync } from 'node:child_process';

import { expect, test } from '@playwright/test';

import { digest, faults, open } from './browser.ts';
import { hopflow } from './native.ts';

/** The document of `hopflow size --preset`. */
function sized(args: string[]): any {
  const all = ['size', '--preset', ...args, '--format', 'json'];
  return JSON.parse(execFileSync(hopflow, all, { stdio: 'pipe' }).toString());
}

test('a link is sized by its name as the command does', async ({ page }) => {
  await open(page, 'figure-14');
  await page.getByRole('tab', { name: 'Sizes' }).click();
  const amount = page.getByTestId('amount');
  const document = sized(['fibre-channel', '--speed', '8GFC', '--length', '50 km', '--verify']);
  expect(document.preset.amount).toBe(199);
  await expect(amount).toHaveText('199 credits');
  await expect(page.getByLabel('Formula')).toHaveText(document.lanes[0].formula);
  await expect(page.getByLabel('Public values')).toContainText('[FOS] Brocade');
  await page.getByRole('button', { name: 'Confirm by a run' }).click();
  await expect(page.getByTestId('verdict')).toHaveText(document.verified[0].verdict);
  await expect(page.getByLabel('Runs that confirm it')).toContainText('waits');
  // Another frame, and another kind with a vendor.
  await page.getByLabel('Packet, B').fill('1060');
  await page.getByLabel('Packet, B').press('Tab');
  await expect(amount).toHaveText('402 credits');
  await expect(page.getByTestId('verdict')).toHaveCount(0);
  await page.getByLabel('Kind').selectOption('pfc');
  await page.getByLabel('Medium').selectOption('twinax');
  await page.getByLabel('Vendor').selectOption('nvidia-spectrum-6');
  const pause = sized([
    'pfc', '--speed', '400G', '--length', '100 m', '--medium', 'twinax', '--vendor',
    'nvidia-spectrum-6',
  ]);
  await expect(amount).toHaveText(`${pause.preset.amount.toLocaleString('en')} bytes`);
  await page.getByLabel('Length, m').fill('-1');
  await page.getByLabel('Length, m').press('Tab');
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await faults(page)).toEqual([]);
});

test('the network of a size is put into the scenario', async ({ page }) => {
  await open(page, 'figure-14');
  await page.getByRole('tab', { name: 'Sizes' }).click();
  await expect(page.getByTestId('amount')).toHaveText('199 credits');
  const before = await digest(page);
  await page.getByRole('button', { name: 'Put its network into the scenario' }).click();
  await expect.poll(() => digest(page)).not.toBe(before);
  const table = page.getByRole('table', { name: 'Sizes' });
  const row = table.getByRole('row', { name: /lane 0 on A->B/ });
  await expect(row).toContainText('199 blocks');
});
