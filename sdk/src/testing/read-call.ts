import * as find from './find-faults.ts';
import { Problem, throwFaults } from './problem.ts';
import { SCHEMAS } from './tables.ts';

type Rules = keyof typeof SCHEMAS;

/** Reads a body by its rules; the caller adds its own faults. */
export function readBody(text: string, headers: Headers, name: Rules) {
  const members = parse(text);
  const schema = SCHEMAS[name];
  find.dropAbsent(members, schema);
  const isStrict = /\bhandling\s*=\s*"?strict/i.test(headers.get('prefer') ?? '');
  const unknown = isStrict ? find.unknownFaults(members, schema) : [];
  return { members, faults: [...find.findFaults(members, schema), ...unknown] };
}

/** @throws Problem for text that is no object of JSON */
export function parse(text: string): find.Members {
  let value: unknown;
  try {
    // The service refuses the name, too: a copy would lose it.
    value = JSON.parse(text, (name, member) => (name === '__proto__' ? JSON.parse('') : member));
  } catch {
    throw new Problem('MALFORMED_JSON');
  }
  if (find.isMembers(value)) return value;
  throw new Problem('VALIDATION_ERROR', {
    faults: [find.fault('', 'INVALID_TYPE', 'as an object')],
  });
}

/** Reads the outcome of a simulation. @throws Problem VALIDATION_ERROR */
export function readSimulation(text: string, headers: Headers, name: Rules) {
  const { members, faults } = readBody(text, headers, name);
  const { outcome, reason } = members as { outcome: string; reason?: string };
  const isUseless = reason !== undefined && outcome !== 'FAILED';
  const rule = 'only with the outcome FAILED';
  throwFaults([...faults, ...(isUseless ? [find.fault('reason', 'INVALID_VALUE', rule)] : [])]);
  return { outcome, reason };
}

/** Reads the parameters of a list: `status` repeats, or has commas. @throws Problem */
export function readQuery(query: URLSearchParams, name: Rules): find.Members {
  const read: find.Members = {};
  for (const [key, value] of query) {
    const isNumber = key === 'limit' && value !== '' && !Number.isNaN(Number(value));
    if (key === 'status') read[key] = query.getAll(key).flatMap((each) => each.split(','));
    else read[key] = isNumber ? Number(value) : value;
  }
  const faults = find.findFaults(read, SCHEMAS[name]);
  throwFaults(faults.map((each) => ({ ...each, field: each.field.replace(/\.\d+$/, '') })));
  if (typeof read.payerEmail === 'string') read.payerEmail = read.payerEmail.toLowerCase();
  if (typeof read.payerMobileNumber === 'string') {
    read.payerMobileNumber = read.payerMobileNumber.replace(/\D/g, '');
  }
  return read;
}

/** @throws Problem unless `If-Match` is absent or names the version */
export function requireVersion({ version }: { readonly version: number }, headers: Headers): void {
  const tags = headers
    .get('if-match')
    ?.split(',')
    .map((tag) => tag.trim());
  if (!tags || tags.includes('*') || tags.includes(`"${version}"`)) return;
  throw new Problem('VERSION_MISMATCH');
}

/** The fields of a payment request with a merge patch applied (RFC 7396). */
export function merge(fields: find.Members, patch: find.Members): find.Members {
  const merged = { ...fields };
  const { webhookUrl, callbackUrl } = fields;
  for (const [name, value] of Object.entries(patch)) {
    const isMerged = /^(payer|metadata)$/.test(name) && find.isMembers(value);
    const next = isMerged ? merge((merged[name] ?? {}) as find.Members, value) : value;
    if (next === null) delete merged[name];
    else merged[name] = next;
  }
  // Either name replaces the URL.
  if (typeof patch.webhookUrl === 'string' && callbackUrl) delete merged.callbackUrl;
  else if (typeof patch.callbackUrl === 'string' && webhookUrl) delete merged.webhookUrl;
  return merged;
}
