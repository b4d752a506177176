/**
 * Standard Webhooks 1.0: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.
 * @param signingSecret `whsec_` and the key in base64
 */
export async function signWebhook(
  signingSecret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; body: Uint8Array },
): Promise<string> {
  const key = await importKey(unbase64(signingSecret.replace(/^whsec_/, '')));
  const signed = concat(bytes(`${id}.${timestamp}.`), body);
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`;
}

/** The value of `Authorization` (RFC 7617). */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${base64(bytes(`${username}:${password}`))}`;
}

/** Compares under a key of the moment, so that the time taken tells nothing of the content. */
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

/** Of bytes; `btoa` alone knows only Latin-1 text. */
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
