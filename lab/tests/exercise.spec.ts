// Exercises: the task is on the page, and the answer gets the verdict of the command.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { digest, edit, faults, open, strict, write, written } from './browser.ts';
import { hopflow, root } from './native.ts';

const file = join(root, 'examples/exercise.toml');

/** The lines of `hopflow check --answer`, without the first. */
function lines(...more: string[]): string[] {
  const args = ['check', '--answer', file, ...more];
  let text: string;
  try {
    text = execFileSync(hopflow, args, { stdio: 'pipe' }).toString();
  } catch (error: any) {
    // Exit code 1: the answer is not right.
    if (error.status !== 1) throw error;
    text = error.stdout.toString();
  }
  return text.trim().split('\n').slice(1).map((line) => line.trim());
}

test('an answer gets the verdict of the command, until it is changed', async ({ page }) => {
  await open(page, 'exercise');
  const exercise = page.getByRole('region', { name: 'Exercise' });
  const button = exercise.getByRole('button', { name: 'Check my answer' });
  await expect(exercise).toContainText('S holds as little as it can');
  await expect(exercise).not.toContainText('wrong:');
  await button.click();
  await expect(exercise).toContainText('Not right yet.');
  const marks = async () => {
    const items = await exercise.getByRole('listitem').allInnerTexts();
    return items.map((line) => line.trim());
  };
  expect(await marks()).toEqual(lines());
  expect(await faults(page)).toEqual([]);
  const before = await digest(page);
  await page.getByRole('slider', { name: /N3 of both/ }).fill('20');
  await expect.poll(() => digest(page)).not.toBe(before);
  // A verdict belongs to one text.
  await expect(exercise.getByRole('listitem')).toHaveCount(0);
  await button.click();
  await expect(exercise).toContainText('Right.');
  expect(await marks()).toEqual(lines('--set', 'defaults.flow.control.n3=20'));
  // In another network it is wrong, though the numbers are right.
  await edit(page);
  await write(page, (await written(page)).replace('duration = "20 ms"', 'duration = "21 ms"'));
  await expect(exercise.getByRole('listitem')).toHaveCount(0);
  await button.click();
  await expect(exercise).toContainText('Not right yet.');
  await expect(exercise.getByRole('listitem').filter({ hasText: 'wrong' })).toHaveCount(1);
});

test('a scenario without an exercise has no button', async ({ page }) => {
  await strict(page);
  await open(page, 'figure-14');
  await expect(page.getByRole('button', { name: 'Check my answer' })).toHaveCount(0);
});
