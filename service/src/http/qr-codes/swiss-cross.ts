/**
 * The Swiss cross of a QR-bill (Swiss Implementation Guidelines QR-bill, 6.4.2): a black square of
 * 6 mm in a white one of 7 mm, on a code of 46 mm, with a white cross of two bars.
 */
const CODE_MM = 46;

interface Bar {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly isBlack: boolean;
}

/** Ordered from the lowest to the uppermost; all are centred. */
const BARS: readonly Bar[] = [
  { widthMm: 7, heightMm: 7, isBlack: false },
  { widthMm: 6, heightMm: 6, isBlack: true },
  { widthMm: 3.89, heightMm: 1.17, isBlack: false },
  { widthMm: 1.17, heightMm: 3.89, isBlack: false },
];

/** The cross as SVG, in the units of an image of `side` modules with the quiet zone. */
export function swissCrossSvg(side: number, quietZone: number): string {
  const unit = (side - 2 * quietZone) / CODE_MM;
  return BARS.map(({ widthMm, heightMm, isBlack }) => {
    const [width, height] = [widthMm * unit, heightMm * unit];
    const [x, y] = [(side - width) / 2, (side - height) / 2].map((value) => value.toFixed(3));
    const size = `width="${width.toFixed(3)}" height="${height.toFixed(3)}"`;
    const fill = isBlack ? '#000' : '#fff';
    return `<rect x="${x}" y="${y}" ${size} fill="${fill}" shape-rendering="auto"/>`;
  }).join('');
}

/** The pixels of a code with the cross; each module becomes `scale` × `scale` pixels. */
export function drawSwissCross(
  modules: readonly (readonly boolean[])[],
  quietZone: number,
  scale: number,
): boolean[][] {
  const side = modules.length * scale;
  const unit = ((modules.length - 2 * quietZone) * scale) / CODE_MM;
  const pixels = Array.from({ length: side }, (_row, y) =>
    Array.from(
      { length: side },
      (_pixel, x) => modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true,
    ),
  );
  for (const { widthMm, heightMm, isBlack } of BARS) {
    const [left, right] = spanOf(side, widthMm * unit);
    const [top, bottom] = spanOf(side, heightMm * unit);
    for (const row of pixels.slice(top, bottom)) row.fill(isBlack, left, right);
  }
  return pixels;
}

function spanOf(side: number, length: number): [start: number, end: number] {
  return [Math.round((side - length) / 2), Math.round((side + length) / 2)];
}
