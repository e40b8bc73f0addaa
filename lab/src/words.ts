// Numbers as people read them.

const SPACE = '\u202f';

function digits(value: number): string {
  const size = Math.abs(value);
  const decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toLocaleString('en', { maximumFractionDigits: decimals });
}

function scaled(value: number, units: [number, string][]): string {
  const [size, name] = units.find(([size]) => Math.abs(value) >= size) ?? units[units.length - 1];
  return `${digits(value / size)}${SPACE}${name}`;
}

/** A time in ps. */
export function time(ps: number): string {
  if (ps === 0) return `0${SPACE}s`;
  return scaled(ps, [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']]);
}

/** A rate in bits per second. */
export function rate(bps: number): string {
  return scaled(bps, [[1e9, 'Gb/s'], [1e6, 'Mb/s'], [1e3, 'kb/s'], [1, 'b/s']]);
}

/** A unit as the page shows it: the engine counts cells if all packets are cells. */
export function said(unit: string, counted: string): string {
  return unit === 'packets' ? counted : unit;
}

/** A unit that is typed without special letters, as the page writes it. */
export function written(unit: string): string {
  return unit === 'us' ? 'µs' : unit;
}

/** A value in one of the engine's units. */
export function value(amount: number, unit: string): string {
  if (unit === 'b/s') return rate(amount);
  if (unit === 'ps') return time(amount);
  return `${digits(amount)}${unit ? SPACE + unit : ''}`;
}

export { digits };
