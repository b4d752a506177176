import { encodeQR } from 'qr';
import { encodePng } from './encode-png.ts';
import { drawSwissCross, swissCrossSvg } from './swiss-cross.ts';

/** A phone reads it from a screen with glare: a sixth of the code may be lost. */
const ERROR_CORRECTION = 'medium';
/** White modules around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;
/** About 330 pixels for a usual link: sharp on dense screens at the size pages show it. */
const PIXELS_A_MODULE = 8;
/**
 * Codes of versions 7 to 13 have an alignment pattern in the middle, which the Swiss cross covers:
 * some readers then find no code. Version 14 has none there, and holds this many bytes with space
 * left for the mark of the character set.
 */
const CROSS_VERSION = 14;
const CROSS_VERSION_BYTES = 355;

export interface QrCodeOptions {
  /** The cross of Swiss QR-bills in the middle, which their standard asks for. */
  readonly hasSwissCross?: boolean;
}

/** A QR code that holds a text, as a PNG. */
export function qrCodePng(text: string, { hasSwissCross = false }: QrCodeOptions = {}): Buffer {
  const modules = modulesOf(text, hasSwissCross);
  if (!hasSwissCross) return encodePng(modules, PIXELS_A_MODULE);
  return encodePng(drawSwissCross(modules, QUIET_ZONE, PIXELS_A_MODULE), 1);
}

/** The QR code as an SVG: black on white, also on a dark page. */
export function qrCodeSvg(text: string, { hasSwissCross = false }: QrCodeOptions = {}): string {
  const modules = modulesOf(text, hasSwissCross);
  const side = modules.length;
  const runs = modules.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}`));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" ` +
    `width="${side * PIXELS_A_MODULE}" height="${side * PIXELS_A_MODULE}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path stroke="#000" d="${runs.join('')}" transform="translate(0 .5)"/>` +
    `${hasSwissCross ? swissCrossSvg(side, QUIET_ZONE) : ''}</svg>`
  );
}

function modulesOf(text: string, hasSwissCross: boolean): boolean[][] {
  const isShort = Buffer.byteLength(text) <= CROSS_VERSION_BYTES;
  const version = hasSwissCross && isShort ? { version: CROSS_VERSION } : {};
  return encodeQR(text, 'raw', { ecc: ERROR_CORRECTION, border: QUIET_ZONE, ...version });
}

/** The black stretches of a row, as start and width. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [x, isBlack] of row.entries()) {
    const last = runs.at(-1);
    if (!isBlack) continue;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  }
  return runs;
}
