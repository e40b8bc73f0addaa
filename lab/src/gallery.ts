// The gallery: the cards are loaded at once, the rest of an entry when it is opened.

export interface Head {
  id: string;
  title: string;
  school: 'credit' | 'pause' | 'rate' | 'reservation' | 'transport' | 'none';
  blurb: string;
  paper: string | null;
  order: number;
  /** The network at an instant, as the text of an SVG with the colours of the page. */
  picture: string;
}

export interface Slider {
  label: string;
  key: string;
  unit?: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  log?: boolean;
}

export interface PaperNumber {
  label: string;
  claim?: string;
  paper?: string;
  where?: string;
  what?: string;
  ours: string;
  per?: string;
  unit?: string;
}

export interface Step {
  title: string;
  settings: string[];
  /** The control that the step chooses; null: that of the previous steps. */
  control: string | null;
  html: string;
}

export interface Entry extends Omit<Head, 'picture'> {
  /** The flow that the story is about: no other has its colour. */
  flow: string | null;
  /** The instant of the picture in the gallery, in ps. */
  picturePs: number;
  scenario: string;
  file: string;
  /** The instant at which the film begins, and its pace per second, in ps. */
  fromPs: number;
  pacePs: number | null;
  controls: string[];
  sliders: Slider[];
  numbers: PaperNumber[];
  introduction: string;
  steps: Step[];
}

const found = import.meta.glob<Head>('../gallery/*.md', {
  eager: true,
  query: '?head',
  import: 'default',
});
const whole = import.meta.glob<Entry>('../gallery/*.md', { import: 'default' });

export const heads: Head[] = Object.values(found).sort((a, b) => a.order - b.order);

export async function entry(id: string): Promise<Entry | null> {
  const load = whole[`../gallery/${id}.md`];
  return load ? await load() : null;
}
