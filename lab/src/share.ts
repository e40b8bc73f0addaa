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

async function through(bytes: Uint8Array, way: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(way as ReadableWritablePair);
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
}

/** The fragment of a link, without `#`. */
export async function pack(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return `s=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The content of a fragment; an error if it is damaged. */
export async function unpack(fragment: string): Promise<Shared> {
  const base64 = fragment.slice(2).replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(
    await through(bytes, new DecompressionStream('deflate-raw')),
  );
  const shared = JSON.parse(text) as Shared;
  if (typeof shared.text !== 'string') throw new Error('the link contains no scenario');
  const { view } = shared;
  if (view && !(TABS.includes(view.tab) && view.time >= 0 && Array.isArray(view.beside))) {
    throw new Error('the link names a view that this page does not have');
  }
  return shared;
}

/** Gives a file to the reader. */
export function download(name: string, type: string, data: BlobPart) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
