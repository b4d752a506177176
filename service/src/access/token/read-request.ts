import { hasMoreThan, MOST_FIELDS } from '#http/forms/count-fields.ts';
import type { TokenFault } from './errors.ts';
import { type ClientCredentials, readBasicCredentials } from './read-basic-credentials.ts';

export interface TokenRequest {
  readonly grantType: string | undefined;
  readonly scope: string | undefined;
  /** `null`: absent or unreadable. */
  readonly credentials: ClientCredentials | null;
}

/**
 * Reads a token call (contract §3; RFC 6749 §2.3.1, §3.2): an empty field counts as absent, no
 * field may be repeated, credentials stand in the header or in the body but not in both.
 *
 * @param form          the body; `undefined` without a body
 * @param authorization the header; `null` if the header was repeated
 * @returns the fault of an `invalid_request`
 */
export function readTokenRequest(
  form: string | undefined,
  authorization: string | null | undefined,
): TokenRequest | TokenFault {
  if (form === undefined) return 'NOT_A_FORM';
  if (authorization === null) return 'AUTHORIZATION_REPEATED';
  if (hasMoreThan(form, '&', MOST_FIELDS - 1)) return 'TOO_MANY_FIELDS';
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (fields.has(name)) return 'FIELD_REPEATED';
    fields.set(name, value);
  }
  const field = (name: string) => fields.get(name) || undefined;
  const clientId = field('client_id');
  const clientSecret = field('client_secret');
  const request = { grantType: field('grant_type'), scope: field('scope') };
  if (authorization === undefined) {
    const isWhole = clientId !== undefined && clientSecret !== undefined;
    const credentials = isWhole ? { username: clientId, password: clientSecret } : null;
    return { ...request, credentials };
  }
  if (clientSecret !== undefined) return 'CREDENTIALS_TWICE';
  const credentials = readBasicCredentials(authorization);
  // Many clients also name themselves in the body; an equal name is not a second credential.
  if (clientId !== undefined && credentials && clientId !== credentials.username) {
    return 'CREDENTIALS_TWICE';
  }
  return { ...request, credentials };
}
