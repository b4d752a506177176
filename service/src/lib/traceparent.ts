/** Every version begins with version, trace id, parent id, flags (W3C Trace Context §3.2). */
const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Headers of this version or of a later one are far shorter. */
const LONGEST = 512;
const SAMPLED = 1;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/**
 * Reads a `traceparent` header by the rules of W3C Trace Context §3.2 and §4.3: a later version is
 * read by its first four members. Any other text is ignored, like an absent header.
 */
export function parseTraceparent(header: unknown): TraceParent | null {
  if (typeof header !== 'string' || header.length > LONGEST) return null;
  const [, version, traceId = '', spanId = '', flags = '', rest] = SHAPE.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff') return null;
  if (version === '00' && rest !== undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The header of version 00, with the only flag of that version. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
