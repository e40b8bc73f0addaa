// The words on the stage outside of boxes: above all else, each in a halo of the paper's colour.

import type { Theme } from '../colours.ts';
import type { Pen } from './pen.ts';

export interface Label {
  text: string;
  x: number;
  y: number;
  font: string;
  colour: string;
  align: CanvasTextAlign;
}

const HALO = 3;

export function drawLabels(pen: Pen, labels: Label[], { paper }: Theme) {
  pen.textBaseline = 'alphabetic';
  pen.strokeStyle = paper;
  pen.lineWidth = HALO;
  pen.lineJoin = 'round';
  for (const { text, x, y, font, colour, align } of labels) {
    pen.font = font;
    pen.textAlign = align;
    pen.fillStyle = colour;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }
  pen.lineJoin = 'miter';
}
