// The installed command, with which the page is compared.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const hopflow = process.env.HOPFLOW ?? join(root, 'target/debug/hopflow');

/** The document of `hopflow run`. */
export function document(args: string[]): any {
  return asked('run', args);
}

/** The document of `hopflow compare`. */
export function compared(args: string[]): any {
  return asked('compare', args);
}

/** The output of a command. Exit code 1 reports a property that does not hold. */
function asked(command: string, args: string[]): any {
  const all = [command, ...args, '--format', 'json', '--no-directory', '--quiet'];
  try {
    const options = { maxBuffer: 1 << 28, stdio: 'pipe' as const };
    return JSON.parse(execFileSync(hopflow, all, options).toString());
  } catch (error: any) {
    if (error.status === 1 && error.stdout?.length > 0) return JSON.parse(error.stdout.toString());
    throw new Error(`hopflow ${all.join(' ')}: ${error.stderr ?? error}`);
  }
}

/** Every example, and every scenario of a paper. */
export function scenarios(): string[] {
  const toml = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.toml') && !['claims.toml', 'primary.toml'].includes(name))
      .map((name) => `${folder}/${name}`);
  const papers = readdirSync(join(root, 'papers'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => toml(`papers/${entry.name}`));
  return [...toml('examples'), ...papers];
}

export function text(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const folder = join(root, 'lab/gallery');

/** The entries of the gallery, and the files of their scenarios. */
export const entries = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => {
    const front = readFileSync(join(folder, name), 'utf8');
    const scenario = /^scenario = "(.*)"$/m.exec(front)?.[1] ?? '';
    return { id: name.slice(0, -3), file: resolve(dirname(join(folder, name)), scenario) };
  });
