// A scenario in the address: compressed, in the part that no server sees.

/** The reader's view. */
export interface View {
  /** The instant of the film, in ps. */
  time: number;
  tab: Tab;
  /** The step that is open. */
  step: number;
  /** Whether the numbers are shown, although the reader is asked to predict first. */
  revealed: boolean;
  /** Controls side by side. */
  beside: string[];
}

export const TABS = ['charts', 'compare', 'sizes', 'text'] as const;
export type Tab = (typeof TABS)[number];

export interface Shared {
  text: string;
  name: string;
  control: string | null;
  entry: string | null;
  /** The text of the reader's own story. */
  story?: string | null;
  /** Older links have none. */
  view?: View;
}

/** The most characters of a link. */
export const MOST = 8192;

/** The most characters of a link that is opened: other versions may write longer ones. */
const MOST_OPENED = 65_536;
/** The most bytes that the content of a link, or a file, may have. */
export const MOST_BYTES = 1_000_000;

/** The bytes of a stream; an error if there are more than `most`, before they are kept. */
async function gathered(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new TooLarge(`its content has more than ${most / 1_000_000} MB`);
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

class TooLarge extends Error {}

function through(
  bytes: Uint8Array,
  way: GenericTransformStream,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(way as ReadableWritablePair);
  return gathered(stream as ReadableStream<Uint8Array>, most);
}

/** The fragment of a link, without `#`. */
export async function pack(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return `s=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The content of a fragment; an error that says why it cannot be opened. */
export async function unpack(fragment: string): Promise<Shared> {
  if (fragment.length > MOST_OPENED) {
    throw new Error(`it has ${fragment.length} characters; links have at most ${MOST_OPENED}`);
  }
  const shared = await content(fragment.slice(2));
  if (typeof shared?.text !== 'string') throw new Error('it contains no scenario');
  const { view } = shared;
  if (view && !(TABS.includes(view.tab) && view.time >= 0 && Array.isArray(view.beside))) {
    throw new Error('it names a view that this page does not have');
  }
  return shared;
}

/** What a link holds, as it was packed. Programs that send links often cut long ones. */
async function content(letters: string): Promise<Shared | null> {
  try {
    const base64 = letters.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const way = new DecompressionStream('deflate-raw');
    return JSON.parse(new TextDecoder().decode(await through(bytes, way, MOST_BYTES)));
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new Error('the link is cut or damaged; ask for it again, or for the file');
  }
}

/** Gives a file to the reader. */
export function download(name: string, type: string, data: BlobPart) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
