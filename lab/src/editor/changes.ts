// The smallest changes that turn one text into another, so that a caret beside them stays.

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** Above this number of pairs of lines the whole middle is one change. */
const MOST_PAIRS = 1_000_000;

/** The numbers of items that two lists share at their start and, after it, at their end. */
function common(a: ArrayLike<unknown>, b: ArrayLike<unknown>): [number, number] {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  let end = 0;
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}

/** One change between two pieces, without the parts that are equal at both ends. */
function within(a: string, b: string, offset: number): Change[] {
  if (a === b) return [];
  const [start, end] = common(a, b);
  return [{
    from: offset + start,
    to: offset + a.length - end,
    insert: b.slice(start, b.length - end),
  }];
}

/** Lines with their ends. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The largest number of pairs of equal lines, in order. */
function matches(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return found;
}

/** The changes that turn `before` into `after`, in order and without overlap. */
export function changes(before: string, after: string): Change[] {
  if (before === after) return [];
  const [all, others] = [lines(before), lines(after)];
  const [start, end] = common(all, others);
  const a = all.slice(start, all.length - end);
  const b = others.slice(start, others.length - end);
  let offset = all.slice(0, start).join('').length;
  // Settings change values in place: line by line, if the number of lines is the same.
  let pairs: [number, number][] = [];
  if (a.length !== b.length && a.length * b.length <= MOST_PAIRS) pairs = matches(a, b);
  const found: Change[] = [];
  let [i, j] = [0, 0];
  for (const [p, q] of [...pairs, [a.length, b.length]]) {
    const alike = p - i === q - j;
    const count = alike ? p - i : 1;
    for (let k = 0; k < count; k++) {
      const old = alike ? a[i + k] : a.slice(i, p).join('');
      found.push(...within(old, alike ? b[j + k] : b.slice(j, q).join(''), offset));
      offset += old.length;
    }
    if (p < a.length) offset += a[p].length;
    [i, j] = [p + 1, q + 1];
  }
  return found;
}
