import { createHash } from 'node:crypto';
import type { Act } from './act.ts';
import type { Facts } from './facts.ts';

/** SHA-256 of what an act would do and of the facts that it rests on. */
export function payloadHash({ kind, params }: Act, facts: Facts): Buffer {
  return createHash('sha256').update(canonicalJson({ kind, params, facts })).digest();
}

/** Members in the order of their names: the database keeps another order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
