import { readPreferences } from '#http/negotiation/read-preferences.ts';

/** The better one first: at equal preference it is chosen. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The content coding that `Accept-Encoding` wants most (RFC 9110 §12.5.3); null: none. */
export function chooseCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null;
  const preferences = readPreferences(header);
  const qualityOf = (name: string) => preferences.find(({ value }) => value === name)?.quality;
  const ofOthers = qualityOf('*') ?? 0;
  let chosen: Coding | null = null;
  // No coding at all is acceptable by itself; it is preferred only where the caller says so.
  let best = qualityOf('identity') ?? 0;
  for (const coding of CODINGS) {
    const quality = qualityOf(coding) ?? ofOthers;
    if (quality === 0) continue;
    const isBetter = chosen === null ? quality >= best : quality > best;
    if (isBetter) [chosen, best] = [coding, quality];
  }
  return chosen;
}
