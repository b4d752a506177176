import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { readSingleHeader } from '#http/headers/read-single-header.ts';
import { type FieldFault, type FieldFaultCode, Problem } from '#lib/problem.ts';

/** A call that its caller may repeat safely. */
export interface IdempotentCall {
  readonly merchantId: string;
  readonly key: string;
  /** SHA-256 of method, path and the body's bytes; 32 bytes. */
  readonly fingerprint: Buffer;
}

const HEADER = 'Idempotency-Key';
const LONGEST_KEY = 255;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Reads the `Idempotency-Key` of an authorised call (contract §4, Idempotency).
 *
 * @returns null for a call without the header.
 * @throws  Problem VALIDATION_ERROR for a key that is empty, too long, repeated or not visible
 * ASCII: ignoring the key would remove a protection that the caller counts on.
 */
export function readIdempotentCall(request: FastifyRequest): IdempotentCall | null {
  // Checked first, because most calls have no key.
  if (request.headers['idempotency-key'] === undefined) return null;
  const key = readSingleHeader(request, 'idempotency-key');
  if (key === null) throw refusal('INVALID_VALUE', `Send ${HEADER} once.`);
  if (key === undefined) throw refusal('TOO_SHORT', `Give ${HEADER} at least 1 character.`);
  if (key.length > LONGEST_KEY) {
    throw refusal('TOO_LONG', `Give ${HEADER} at most ${LONGEST_KEY} characters.`);
  }
  if (!VISIBLE_ASCII.test(key)) {
    throw refusal('INVALID_FORMAT', `Give ${HEADER} in visible ASCII characters, without spaces.`);
  }
  return { merchantId: request.merchant.id, key, fingerprint: fingerprintOf(request) };
}

function fingerprintOf({ method, url, bodyBytes }: FastifyRequest): Buffer {
  const [path = ''] = url.split('?', 1);
  const hash = createHash('sha256');
  // Neither a method nor a path holds a space or a line end, so that two calls never give equal
  // texts.
  hash.update(`${method} ${path}\n`);
  if (bodyBytes) hash.update(bodyBytes);
  return hash.digest();
}

function refusal(code: FieldFaultCode, message: string): Problem {
  const fault: FieldFault = { field: HEADER, code, message };
  return new Problem('VALIDATION_ERROR', { errors: [fault] });
}
