import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';

/**
 * Signs by Standard Webhooks 1.0: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.
 * @param signingSecret `whsec_` and the key in base64
 * @throws InvalidArgumentError when the key is shorter than 16 bytes or is not base64
 */
export async function signWebhook(
  signingSecret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; body: Uint8Array },
): Promise<string> {
  const key = await importKey(readKey(signingSecret));
  const signed = concat(bytes(`${id}.${timestamp}.`), body);
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`;
}

/** An attacker can guess a key below 128 bits (RFC 2104 §3); the service's keys have 256. */
const LEAST_KEY_BYTES = 16;

function readKey(signingSecret: string): Uint8Array<ArrayBuffer> {
  let key: Uint8Array<ArrayBuffer>;
  try {
    key = unbase64(signingSecret.replace(/^whsec_/, ''));
  } catch {
    throw new InvalidArgumentError('The signing secret is whsec_ and a key in base64.');
  }
  if (key.length >= LEAST_KEY_BYTES) return key;
  throw new InvalidArgumentError(
    `The signing secret has a key of fewer than ${LEAST_KEY_BYTES} bytes.`,
  );
}

/** A secret in the form of the service's: 256 random bits. */
export function newSigningSecret(): string {
  return `whsec_${base64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** Gives the value of `Authorization` (RFC 7617). */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${base64(bytes(`${username}:${password}`))}`;
}

/** Compares HMACs under a random key, so that the duration reveals nothing about the content. */
export async function areEqual(one: string, other: string): Promise<boolean> {
  const key = await importKey(crypto.getRandomValues(new Uint8Array(32)));
  const [a, b] = await Promise.all([
    crypto.subtle.sign('HMAC', key, bytes(one)),
    crypto.subtle.sign('HMAC', key, bytes(other)),
  ]);
  const left = new Uint8Array(a);
  return new Uint8Array(b).every((byte, at) => byte === left[at]);
}

export function bytes(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
}

/** Encodes bytes; `btoa` alone accepts only Latin-1 text. */
export function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value));
}

function importKey(raw: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function unbase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}
