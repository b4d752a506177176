import { createHmac } from 'node:crypto';
import { keyOf, type RotatingKey } from '#lib/secret-key.ts';
import { hashesEqual } from '#merchants/credentials/secret-hash.ts';

/** Derives the key of this purpose alone, so that SECRETS_KEY itself only encrypts. */
const PURPOSE = 'decision proof key';
/** 128 bits cannot be guessed. */
const PROOF_BYTES = 16;

/** The proof that a browser's payer decided about a payment request; its network gets it. */
export function decisionProof({ current }: RotatingKey, paymentRequestId: string): string {
  return proofUnder(current, paymentRequestId).toString('base64url');
}

/** Whether a text is the proof of a payment request, also under the key before a rotation. */
export function isDecisionProof(
  { current, previous }: RotatingKey,
  paymentRequestId: string,
  text: string,
): boolean {
  const given = Buffer.from(text, 'base64url');
  return [current, previous].some(
    (key) => key !== null && hashesEqual(proofUnder(key, paymentRequestId), given),
  );
}

function proofUnder(secretsKey: Buffer, paymentRequestId: string): Buffer {
  const key = createHmac('sha256', keyOf(secretsKey)).update(PURPOSE).digest();
  return createHmac('sha256', key).update(paymentRequestId).digest().subarray(0, PROOF_BYTES);
}
