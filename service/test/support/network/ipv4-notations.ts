/** Every way in which a URL can spell an IPv4 address. */
export function notationsOf(value: number): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
  const hex = (part: number) => `0x${part.toString(16)}`;
  const octal = (part: number) => `0${part.toString(8)}`;
  const dotted = [a, b, c, d].join('.');
  const words = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const fullWidth = dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  return [
    dotted,
    `${dotted}.`,
    String(value),
    hex(value),
    octal(value),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, (c << 8) | d].join('.'),
    [a, (b << 16) | (c << 8) | d].join('.'),
    fullWidth,
    dotted.replaceAll('.', '\u3002'),
    dotted.replaceAll('.', '%2e'),
    `[::ffff:${dotted}]`,
    `[::ffff:${words}]`,
    `[0:0:0:0:0:ffff:${words}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b::${words}]`,
  ];
}
