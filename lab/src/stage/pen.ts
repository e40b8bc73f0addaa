// The pens that draw the stage: a canvas, or the same strokes as the text of an SVG.

/** The part of a canvas's context that the stage uses. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'beginPath' | 'clearRect' | 'fillRect' | 'fillStyle' | 'fillText' | 'font' | 'lineJoin'
  | 'lineTo' | 'lineWidth' | 'moveTo' | 'roundRect' | 'setLineDash' | 'setTransform'
  | 'strokeStyle' | 'strokeText' | 'textAlign' | 'textBaseline' | 'translate'
> & {
  fill(shape?: Shape): void;
  stroke(shape?: Shape): void;
};

/** Rectangles and lines that are filled or stroked together. */
export interface Shape {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
}

/** A number in short form. */
function short(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

class SvgShape implements Shape {
  path = '';

  moveTo(x: number, y: number) {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number) {
    this.path += `L${short(x)} ${short(y)}`;
  }

  rect(x: number, y: number, width: number, height: number) {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Draws into a text; its own path is that of a shape. */
export class SvgPen extends SvgShape implements Pen {
  fillStyle: Pen['fillStyle'] = '#000';
  strokeStyle: Pen['strokeStyle'] = '#000';
  lineWidth = 1;
  lineJoin: Pen['lineJoin'] = 'miter';
  font = '12px sans-serif';
  textAlign: CanvasTextAlign = 'left';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  private body = '';
  private moved: [number, number] = [0, 0];
  private dash = '';
  private halo = '';

  setTransform() {
    this.moved = [0, 0];
  }

  translate(x: number, y: number) {
    this.moved = [x, y];
  }

  setLineDash(dash: Iterable<number>) {
    const lengths = [...dash].join(' ');
    this.dash = lengths && ` stroke-dasharray="${lengths}"`;
  }

  clearRect() {
    this.body = '';
  }

  beginPath() {
    this.path = '';
  }

  roundRect(x: number, y: number, width: number, height: number, radius: unknown) {
    const r = Number(radius);
    const [w, h] = [short(width - 2 * r), short(height - 2 * r)];
    const turn = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
    this.path += `M${short(x + r)} ${short(y)}h${w}${turn(r, r)}v${h}${turn(-r, r)}h-${w}`;
    this.path += `${turn(-r, -r)}v-${h}${turn(r, -r)}z`;
  }

  fillRect(x: number, y: number, width: number, height: number) {
    const size = `width="${short(width)}" height="${short(height)}"`;
    this.add(`<rect x="${short(x)}" y="${short(y)}" ${size} fill="${this.fillStyle}"/>`);
  }

  fill(shape: Shape = this) {
    const { path } = shape as SvgShape;
    if (path) this.add(`<path d="${path}" fill="${this.fillStyle}"/>`);
  }

  stroke(shape: Shape = this) {
    const { path } = shape as SvgShape;
    const look = `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"`;
    if (path) this.add(`<path d="${path}" ${look}${this.dash}/>`);
  }

  /** A text that is stroked, then filled, is one element. */
  strokeText() {
    const look = `stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"`;
    this.halo = ` paint-order="stroke" ${look} stroke-linejoin="${this.lineJoin}"`;
  }

  fillText(text: string, x: number, y: number) {
    const [, weight = '400', size] = /^(?:(\d+) )?(\d+)px/.exec(this.font) ?? [];
    const anchor = { center: 'middle', right: 'end' }[String(this.textAlign)] ?? 'start';
    const base = this.textBaseline === 'middle' ? ' dominant-baseline="central"' : '';
    const look = `font-size="${size}" font-weight="${weight}" fill="${this.fillStyle}"`;
    const at = `x="${short(x)}" y="${short(y)}" text-anchor="${anchor}"${base}`;
    this.add(`<text ${at} ${look}${this.halo}>${escaped(text)}</text>`);
    this.halo = '';
  }

  /** The picture; `paper` is the colour behind it. */
  svg(width: number, height: number, paper: string): string {
    const size = `width="${short(width)}" height="${short(height)}"`;
    const box = `viewBox="0 0 ${short(width)} ${short(height)}"`;
    const font = 'font-family="system-ui, sans-serif"';
    const back = `<rect ${size} fill="${paper}"/>`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${box} ${font}>`;
    return `${head}${back}${this.body}</svg>\n`;
  }

  private add(element: string) {
    const [x, y] = this.moved;
    this.body += x || y ? `<g transform="translate(${x} ${y})">${element}</g>` : element;
  }
}

/** Shapes that a pen can fill and stroke. */
export function shape(pen: Pen): Shape {
  return pen instanceof SvgPen ? new SvgShape() : new Path2D();
}
