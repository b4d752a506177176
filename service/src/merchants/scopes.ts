/** Covers every other scope. */
export const FULL_SCOPE = 'payment_request/all';

/** The scopes that a token can have (contract §10). */
export const SCOPES = [
  FULL_SCOPE,
  'payment_request/read',
  'payment_request/write',
  'refund/write',
  'report/read',
  'webhook/manage',
  'event/read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a text is a known scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Whether the scopes include the scope, by its name or through the full scope. */
export function covers(held: readonly string[], scope: string): boolean {
  return held.includes(scope) || held.includes(FULL_SCOPE);
}

/**
 * Chooses the scopes of a new token (contract §3).
 *
 * @param asked the form's `scope`: names between single spaces; `undefined` asks for the
 * credential's scopes, which are `payment_request/all` for a credential without a narrower scope
 * @param held  the credential's scopes
 * @returns the granted scopes, each once, or `undefined` for a scope that is unknown or not held
 */
export function grantScopes(
  asked: string | undefined,
  held: readonly string[],
): readonly string[] | undefined {
  if (asked === undefined) return held;
  const scopes = [...new Set(asked.split(' '))];
  return scopes.every((scope) => isScope(scope) && covers(held, scope)) ? scopes : undefined;
}
