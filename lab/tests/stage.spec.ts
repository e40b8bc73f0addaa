// The stage: its marks, its scale, and its fit to small and large windows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, type Page } from '@playwright/test';

import { digest, faults, open, strict } from './browser.ts';
import { document, root } from './native.ts';

const stage = (page: Page, ask: string) =>
  page.evaluate((ask) => (window as any).hopflowStage[ask](), ask);

/** Moves the clock, and waits until the film is known there. */
async function seek(page: Page, ps: number) {
  await page.getByRole('slider', { name: 'Instant' }).fill(String(ps));
  await expect.poll(() => stage(page, 'known'), { timeout: 60_000 }).toBeGreaterThan(ps);
}

/** The drawn stage, as an SVG with the colours of the light page. */
async function drawn(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Picture as SVG', exact: true }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

/** A colour of the style sheet. */
function colour(page: Page, name: string): Promise<string> {
  return page.evaluate(
    (name) => getComputedStyle(window.document.body).getPropertyValue(name).trim(),
    name,
  );
}

/** Clicks on the middle of a link direction. */
async function clickOn(page: Page, direction: number) {
  await page.evaluate(() => window.scrollTo(0, 0));
  const [x, y] = await page.evaluate((id) => (window as any).hopflowStage.middle(id), direction);
  const box = await page.locator('.stage canvas').first().boundingBox();
  if (!box) throw new Error('no canvas');
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
}

test('a deadlock is a circle of arrows, and a sentence, once it exists', async ({ page }) => {
  await open(page, 'deadlock');
  const there = document([join(root, 'examples/pfc-deadlock.toml')]);
  const since = /^deadlock since ([\d.]+) us/.exec(there.violations[0].text)?.[1];
  expect(since).toBeDefined();
  const lock = await colour(page, '--lock');
  await seek(page, Number(since) * 1e6 - 2e6);
  await expect(page.locator('.lock')).toHaveCount(0);
  expect(await drawn(page)).not.toContain(lock);
  await seek(page, Number(since) * 1e6 + 2e6);
  await expect(page.locator('.lock')).toHaveText(
    /^Deadlock since 142\.9.µs: S1->S2 waits for S2->S3 waits for S3->S1 waits for S1->S2\.$/,
  );
  const svg = await drawn(page);
  // Three links, each with at least one arrow head.
  expect(svg.split(`stroke="${lock}"`).length - 1).toBe(3);
  expect(svg.split(`fill="${lock}"`).length - 1).toBeGreaterThanOrEqual(3);
  await expect(page.getByText('waits in a circle')).toBeVisible();
  expect(await faults(page)).toEqual([]);
  // Under another control there is no deadlock, which is known after a comparison.
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Compare' }).last().click();
  const row = page.getByRole('cell', { name: 'n23', exact: true });
  await expect(row).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.lock')).toHaveText([/^as-is: Deadlock since/]);
});

test('a link that an event blocks is dashed and crossed out while it lasts', async ({ page }) => {
  await open(page, 'blocked-branch');
  await expect(page.getByText('blocked by an event').first()).toBeVisible();
  const dashed = /stroke-dasharray="8 6"/g;
  await seek(page, 1.3e9);
  expect((await drawn(page)).match(dashed)).toBeNull();
  await seek(page, 2e9);
  const svg = await drawn(page);
  expect(svg.match(dashed)?.length).toBe(1);
  const canvas = page.locator('.stage canvas');
  await expect(canvas).toHaveAttribute('aria-label', /S->B3: blocked by an event/);
  // S->B3 is the fourth link of the file.
  await clickOn(page, 6);
  const box = page.locator('.facts');
  await expect(box).toContainText('S->B3');
  await expect(box).toContainText(/blocked by an event, until 4\.09.ms/);
  await seek(page, 4.5e9);
  expect((await drawn(page)).match(dashed)).toBeNull();
  await expect(box).not.toContainText('blocked');
  expect(await faults(page)).toEqual([]);
});

test('links that lose cells are dotted, slow hosts dashed; a click shows why', async ({ page }) => {
  await open(page, 'lost-credits');
  await expect(page.getByText('a corrupted cell')).toBeVisible();
  expect((await drawn(page)).match(/stroke-dasharray="2 4"/g)?.length).toBe(6);
  await clickOn(page, 2);
  await expect(page.locator('.facts')).toContainText('1 % of credits are corrupted, to the end');
  await page.goto('/#/slow-receiver');
  await expect(page.getByText('takes less than its link brings')).toBeVisible();
  await digest(page);
  const svg = await drawn(page);
  expect(svg.match(/stroke-dasharray="5 4"/g)?.length).toBe(1);
  expect(svg).toMatch(/takes 2\.5.Gb\/s/);
});

const STOPS = `version = 2
duration = "1 ms"
[defaults.link]
rate = "424 Mb/s"
delay = "1 us"
[[host]]
name = "A"
[[host]]
name = "B"
stall = { at = "100 us", for = "200 us" }
[[link]]
between = ["A", "B"]
[[flow]]
name = "VC1"
from = "A"
to = "B"
source = { kind = "every-kth", k = 2 }
`;

test('a host whose application stops says so while it does', async ({ page }) => {
  await strict(page);
  await page.goto('/');
  const file = { name: 'stops.toml', mimeType: 'text/plain', buffer: Buffer.from(STOPS) };
  await page.getByLabel('choose a file').setInputFiles(file);
  await digest(page);
  await seek(page, 50e6);
  expect(await drawn(page)).not.toContain('takes nothing now');
  await seek(page, 200e6);
  expect(await drawn(page)).toContain('takes nothing now');
  await seek(page, 400e6);
  expect(await drawn(page)).not.toContain('takes nothing now');
});

for (const id of ['pfc-storm', 'deadlock', 'credit-against-pfc']) {
  test(`all bars of ${id} have one scale, at every node and instant`, async ({ page }) => {
    await open(page, id);
    const heights = new Map<number, Set<string>>();
    const nodes = new Set<number>();
    const end = Number(await page.getByRole('slider', { name: 'Instant' }).getAttribute('max'));
    for (const share of [0.03, 0.06, 0.1, 0.13, 0.2, 0.3]) {
      await seek(page, share * end);
      for (const { node, count, height } of await stage(page, 'bars')) {
        nodes.add(node);
        const seen = heights.get(count) ?? new Set();
        heights.set(count, seen.add(height.toFixed(6)));
      }
    }
    expect(nodes.size).toBeGreaterThan(2);
    for (const [count, seen] of heights) expect([count, seen.size]).toEqual([count, 1]);
    // Twice as many is twice as high, if a bar is high enough to be visible.
    const seen = [...heights].map(([count, [height]]) => [count, Number(height)]);
    const high = seen.filter(([count, height]) => height > 1.5 && count <= 512);
    for (const [count, height] of high) {
      expect(height / count).toBeCloseTo(high[0][1] / high[0][0], 4);
    }
    // More is higher, and no bar leaves the picture.
    const all = [...heights].sort(([a], [b]) => a - b).map(([, seen]) => Number([...seen][0]));
    expect(all).toEqual([...all].sort((a, b) => a - b));
    const svg = await drawn(page);
    for (const [, y] of svg.matchAll(/<rect x="[\d.-]+" y="([\d.-]+)" width="9"/g)) {
      const [, moved] = /translate\(0 ([\d.]+)\)/.exec(svg) ?? [];
      expect(Number(y) + Number(moved)).toBeGreaterThanOrEqual(0);
    }
  });
}

test('on a phone the stage stays in sight, on at most 42 % of the height', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const id of ['figure-14', 'pfc-storm', 'deadlock']) {
    await page.goto(`/#/${id}`);
    await digest(page);
    await page.getByRole('button', { name: /^3/ }).click();
    await page.getByRole('button', { name: /^3/ }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 700);
    const canvas = page.locator('.stage canvas').first();
    await expect(canvas).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeInViewport();
    const box = await page.locator('.stage .front').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(0.42 * 844);
    expect(box?.height).toBeGreaterThan(150);
    // The sliders take the width that the buttons leave, and both say what they are.
    const clock = await page.getByRole('slider', { name: 'Instant' }).boundingBox();
    expect(clock?.width, id).toBeGreaterThan(110);
    await expect(page.getByText('Speed', { exact: true })).toBeVisible();
  }
});

test('touch targets are large enough', async ({ page }) => {
  /** Targets smaller than `least` pixels in a direction. Links in running text may be smaller. */
  const small = (least: number, within: string) =>
    page.evaluate(
      ([least, within]) => {
        const all = 'a, button, input, summary, [role="tab"]';
        return [...window.document.querySelectorAll(`${within} :is(${all})`)]
          .filter((one) => !one.closest('.prose, .u-legend') && one.checkVisibility())
          .map((one) => ({ html: one.outerHTML.slice(0, 80), box: one.getBoundingClientRect() }))
          .filter(({ box }) => box.width < (least as number) || box.height < (least as number))
          .map(({ html, box }) => `${html}: ${box.width} x ${box.height}`);
      },
      [least, within] as const,
    );
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await expect(page.locator('.card').first()).toBeVisible();
    expect(await small(24, 'body')).toEqual([]);
    await page.goto('/#/figure-14');
    await digest(page);
    expect(await small(24, 'body')).toEqual([]);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('More controls').click();
    expect(await small(24, 'body')).toEqual([]);
    await clickOn(page, 0);
    await expect(page.locator('.facts')).toBeVisible();
    expect(await small(24, 'body')).toEqual([]);
    if (width > 390) continue;
    const controls = await page.evaluate(() => {
      const all = window.document.querySelectorAll('.keys button, [role="tab"]');
      return [...all].map((one) => one.getBoundingClientRect().height);
    });
    expect(controls.length).toBe(6);
    for (const height of controls) expect(height).toBeGreaterThanOrEqual(44);
  }
});

test('a large window has a large stage', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const id of ['figure-14', 'cable', 'slow-receiver']) {
    await page.goto(`/#/${id}`);
    await digest(page);
    await expect(page.locator('.stage canvas')).toBeVisible();
    const canvas = await page.locator('.stage canvas').boundingBox();
    const frame = await page.locator('.stage .frame').boundingBox();
    expect(canvas?.width).toBeGreaterThan(0.9 * (frame?.width ?? 0));
    expect(frame?.width).toBeGreaterThan(0.7 * 1920);
  }
});

test('an entry opens on its first tab', async ({ page }) => {
  await open(page, 'figure-14');
  await page.getByRole('tab', { name: 'Sizes' }).click();
  await expect(page.getByRole('tab', { name: 'Sizes' })).toHaveAttribute('aria-selected', 'true');
  await page.goto('/#/cable');
  await expect(page.getByRole('heading', { name: /How long a cable/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Charts' })).toHaveAttribute('aria-selected', 'true');
});

test('a step of a story chooses a control', async ({ page }) => {
  await open(page, 'credit-against-pfc');
  const file = join(root, 'lab/gallery/scenarios/hol.toml');
  await page.getByRole('button', { name: /One credit, or one pause/ }).click();
  await page.getByRole('button', { name: 'Do it: --control pfc' }).click();
  const there = document([file, '--control', 'pfc']);
  await expect.poll(() => digest(page)).toBe(there.manifest.digest);
  await expect(page.getByTestId('control')).toHaveText('under the control pfc');
  await expect(page.locator('.stage figcaption')).toHaveText('pfc');
  // A later step returns to the scenario as it stands, with its own setting.
  await page.getByRole('button', { name: /A smaller credit/ }).click();
  await page.getByRole('button', { name: /Do it/ }).click();
  const small = document([file, '--set', 'flow.VC1.control.n3=52']);
  await expect.poll(() => digest(page)).toBe(small.manifest.digest);
  await expect(page.getByTestId('control')).toHaveCount(0);
});

const STORY = `+++
title = "A control of a step"
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
control = { kind = "n23", n2 = 2, n3 = 5 }
[[variant]]
name = "mine"
[variant.flow]
control = { kind = "n23", n2 = 2, n3 = 9 }
\`\`\`

## First
> control: mine

## Second
> set: duration="300 cells"
`;

test('an unknown control is an error that lists the known ones', async ({ page }) => {
  await strict(page);
  await page.goto('/');
  const file = (text: string) => ({
    name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(text),
  });
  const choose = page.getByLabel('choose a file');
  await choose.setInputFiles(file(STORY.replace('> control: mine', '> control: drop-tale')));
  await expect(page.getByRole('alert')).toContainText(
    /step "First": no control is named drop-tale; there are as-is, mine, .*drop-tail/,
  );
  await choose.setInputFiles(file(STORY));
  await page.getByRole('button', { name: /First/ }).click();
  await page.getByRole('button', { name: /Do it/ }).click();
  await expect(page.getByTestId('control')).toHaveText('under the control mine');
  // Later steps keep it.
  await page.getByRole('button', { name: /Second/ }).click();
  await page.getByRole('button', { name: /Do it/ }).click();
  await expect(page.locator('.status')).toContainText(/Run of\s+820/);
  await expect(page.getByTestId('control')).toHaveText('under the control mine');
  await page.getByRole('button', { name: /Begin again/ }).click();
  await expect(page.getByTestId('control')).toHaveCount(0);
});

test('counts are in cells if all packets are cells, else in packets', async ({ page }) => {
  const words = [['figure-14', 'cells', 'packets'], ['bufferbloat', 'packets', 'cells']];
  for (const [id, word, other] of words) {
    await page.goto(`/#/${id}`);
    await digest(page);
    await page.getByRole('button', { name: /I have predicted/ }).click();
    await expect(page.getByText(new RegExp(`^Queues.*, in ${word}$`))).toBeVisible();
    await expect(page.locator('.work')).not.toContainText(new RegExp(`\\b${other}\\b`));
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Compare' }).last().click();
    await expect(page.getByText(`Held at S, in ${word}`)).toBeVisible({ timeout: 90_000 });
    await expect(page.locator('.work')).not.toContainText(new RegExp(`\\b${other}\\b`));
  }
});

test('the queues of figure-14 are as long as its second step says', async ({ page }) => {
  await page.goto('/#/figure-14');
  await page.getByRole('button', { name: /Each gets a third/ }).click();
  const text = (await page.locator('.steps .prose').textContent())?.replace(/\s+/g, ' ') ?? '';
  expect(text).toContain('(N2 + 1)/2 - (N2 - 1)/6 = 4 cells more');
  const there = document([join(root, 'papers/kung94/fig14.toml'), '--warm-up', '10000 cells']);
  const mean = (vc: string) =>
    there.queues.find((one: any) => one.node === 'S' && one.vc === vc).mean_packets;
  for (const [vc, n3] of [['VC1', 155], ['VC2', 113], ['VC3', 63]] as const) {
    expect(Math.abs(mean(vc) - (n3 - 155 / 3 + 4))).toBeLessThan(0.05);
  }
});

test('three controls stand in a row, with Play on the first screen', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, 'credit-against-pfc');
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Compare' }).last().click();
  await expect.poll(() => stage(page, 'views'), { timeout: 60_000 }).toBe(3);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeInViewport();
  const boxes = await page.locator('.stage canvas').evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, width }) => ({ top, width })));
  expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(1);
  for (const { width } of boxes) expect(width).toBeGreaterThan(230);
  for (const count of await stage(page, 'counts')) expect(count).toBeGreaterThanOrEqual(9);
  // Numbers end below each other, and VCs are grouped by control.
  const table = page.getByRole('table', { name: 'VCs under each control' });
  await expect(table).toBeVisible({ timeout: 90_000 });
  await expect(table.locator('th[colspan]')).toHaveText(['as-is', 'lane', 'pfc']);
  // Boxes to check have the order of the stages; both tables are as wide as the page.
  const offered = page.getByRole('group', { name: 'Controls, two to four' });
  await expect(offered.locator(':scope > label')).toHaveText(['as-is', 'lane', 'pfc']);
  const right = (one: Element) => one.getBoundingClientRect().right;
  const panel = await page.getByRole('tabpanel').evaluate(right);
  for (const name of ['Controls compared', 'VCs under each control']) {
    const edge = await page.getByRole('table', { name }).evaluate(right);
    expect(Math.abs(edge - panel), name).toBeLessThan(1);
  }
  const ends = await table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => {
      const range = window.document.createRange();
      range.selectNodeContents(cell);
      return Math.round(range.getBoundingClientRect().right);
    })));
  for (let k = 1; k < ends[0].length; k++) {
    expect(new Set(ends.map((row) => row[k])).size, `column ${k}`).toBe(1);
  }
  expect(await faults(page)).toEqual([]);
  // VC1 has a third under each control: three lines on each other, in a fold.
  await expect(page.locator('figure').filter({ hasText: 'Rate of VC1' })).toHaveCount(0);
  await page.getByText('The same rate under every control: VC1, VC3, VC4').click();
  const rate = page.locator('figure').filter({ hasText: 'Rate of VC1' });
  await expect(rate).toContainText('The same line: as-is, lane and pfc.');
  const own = page.locator('figure').filter({ hasText: 'Rate of VC2' });
  await expect(own).not.toContainText('The same line');
});

test('a prediction is confirmed beside its question; charts are wide', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, 'pfc-storm');
  const step = page.locator('.steps li.open');
  const predicted = step.getByRole('button', { name: /I have predicted/ });
  await expect(predicted).toBeInViewport({ ratio: 1 });
  await predicted.click();
  await expect(predicted).toHaveCount(0);
  const wide = async (selector: string) =>
    (await page.locator(selector).first().boundingBox())?.width ?? 0;
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  expect(await wide('.plot')).toBeGreaterThan(0.98 * (await wide('.bench')));
  expect(await wide('.numbers')).toBeGreaterThan(0.98 * (await wide('.results')));
});

test('many queues of a node are in one box', async ({ page }) => {
  await open(page, 'pfc-storm');
  await seek(page, 750e6);
  const svg = await drawn(page);
  const paper = await colour(page, '--paper');
  const [, before, y] = /^(.*)<text x="[\d.]+" y="([\d.-]+)"[^>]*>655 in all</s.exec(svg) ?? [];
  expect(before).toBeDefined();
  const path = /<path d="M([\d.]+) ([\d.-]+)h([\d.]+)a3 [^v]*v([\d.]+)[^>]*fill="(#[^"]*)"/g;
  const [, x, top, width, height, fill] = [...before.matchAll(path)].at(-1) ?? [];
  expect(fill).toBe(paper);
  const foot = Number(top) + Number(height) + 6;
  expect(Number(y)).toBeGreaterThan(Number(top));
  expect(Number(y)).toBeLessThan(foot);
  const rect = /<rect x="([\d.]+)" y="([\d.-]+)" width="6" height="([\d.]+)"/g;
  const bars = [...before.matchAll(rect)];
  expect(bars.length).toBe(8);
  for (const [, left, up, tall] of bars) {
    expect(Number(left)).toBeGreaterThan(Number(x) - 3);
    expect(Number(left) + 6).toBeLessThan(Number(x) + Number(width) + 3);
    expect(Number(up)).toBeGreaterThan(Number(y));
    expect(Number(up) + Number(tall)).toBeLessThan(foot);
  }
});

/** Labels outside of boxes, each with its halo. */
const LABEL = /<text [^>]*paint-order="stroke"[^>]*>([^<]*)</g;

test('numbers are above links and marks, and meters apart from each other', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, 'credit-against-pfc');
  await seek(page, 2e9);
  const svg = await drawn(page);
  const labels = [...svg.matchAll(LABEL)];
  expect(labels.map(([, words]) => words)).toEqual(expect.arrayContaining(['111', '109']));
  // After the first of them nothing else is drawn.
  const rest = svg.slice(labels[0].index);
  expect(rest).not.toMatch(/<(rect|path)/);
  // Meters of credit do not lie on each other: two on one link are one below the other.
  const rule = await colour(page, '--rule');
  const of = (name: string) => `${name}="([\\d.-]+)"`;
  const sizes = ['x', 'y', 'width', 'height'].map(of).join(' ');
  const rects = svg.matchAll(new RegExp(`<rect ${sizes} fill="${rule}"`, 'g'));
  const meters = [...rects].map(([, ...numbers]) => numbers.map(Number));
  expect(meters.length).toBeGreaterThan(6);
  meters.forEach(([x, y, width, height], k) => {
    for (const [left, top, wide, high] of meters.slice(0, k)) {
      const apart = x >= left + wide || left >= x + width || y >= top + high || top >= y + height;
      expect(apart, `meters at ${x}, ${y} and ${left}, ${top}`).toBe(true);
    }
  });
});

test('a number and its unit stay on one line, but not in code', async ({ page }) => {
  await open(page, 'figure-14');
  await expect(page.locator('.steps .prose')).toContainText('72\u00a0% and 40\u00a0% of');
  await page.goto('/');
  const text = STORY.replace('Words.', 'It lasts 30 ms or 9 us. Set `duration = "9 us"`.');
  const file = { name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(text) };
  await page.getByLabel('choose a file').setInputFiles(file);
  const prose = page.locator('aside > .prose');
  await expect(prose).toContainText('It lasts 30');
  const said = 'lasts 30\u00a0ms or 9\u00a0µs. Set duration = "9 us".';
  expect(await prose.textContent()).toContain(said);
});
