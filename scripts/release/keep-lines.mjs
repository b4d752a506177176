const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Reduces a source map to what a stack trace needs: file and line, for the modules of the service.
 * Node.js reads the map at each start, and unfolds it into 60 MB at the first error otherwise.
 *
 * @param {{ sources: string[], mappings: string }} map as ECMA-426 has it
 * @param {(source: string) => boolean} isKept
 */
export function keepLines({ sources, mappings, ...map }, isKept) {
  const kept = sources.filter(isKept);
  const places = sources.map((source) => kept.indexOf(source));
  const [read, written] = [
    { source: 0, line: 0 },
    { source: 0, line: 0 },
  ];
  const lines = mappings.split(';').map((text) => {
    /** @type {{ source: number, line: number } | undefined} */
    let first;
    for (const segment of text === '' ? [] : text.split(',')) {
      const [, source = 0, line = 0] = decode(segment);
      read.source += source;
      read.line += line;
      const place = places[read.source] ?? -1;
      // A segment of one number leads to no source.
      if (segment.length > 1 && place >= 0) first ??= { source: place, line: read.line };
    }
    if (!first) return '';
    const moved = [0, first.source - written.source, first.line - written.line, 0];
    Object.assign(written, first);
    return moved.map(encode).join('');
  });
  return { ...map, names: [], sources: kept, mappings: lines.join(';') };
}

/** @param {string} segment @returns {number[]} */
function decode(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** @param {number} number */
function encode(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
