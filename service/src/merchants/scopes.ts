/** Covers every other scope. */
export const FULL_SCOPE = 'payment_request/all';

/** What a token can allow (contract §10). */
export const SCOPES = [
  FULL_SCOPE,
  'payment_request/read',
  'payment_request/write',
  'webhook/manage',
  'event/read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a text is one of the scopes there are. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Whether scopes held include one scope, by its name or through the full one. */
export function covers(held: readonly string[], scope: string): boolean {
  return held.includes(scope) || held.includes(FULL_SCOPE);
}

/**
 * Chooses the scopes of a new token (contract §3).
 *
 * @param asked the form's `scope`: names between single spaces; `undefined` asks for what the
 *              credential has, which is `payment_request/all` unless it is a narrower one
 * @param held  the credential's scopes
 * @returns the scopes granted, each once, or `undefined` for one that is unknown or not held
 */
export function grantScopes(
  asked: string | undefined,
  held: readonly string[],
): readonly string[] | undefined {
  if (asked === undefined) return held;
  const scopes = [...new Set(asked.split(' '))];
  return scopes.every((scope) => isScope(scope) && covers(held, scope)) ? scopes : undefined;
}
