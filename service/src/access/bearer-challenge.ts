/** The realm of both challenges: a fixed word, equal in every deployment. */
export const REALM = 'payment-requests';

type BearerError = 'invalid_token' | 'insufficient_scope';

/**
 * The `WWW-Authenticate` header of a refused call (RFC 6750 §3). A request without a token gets no
 * error: its challenge only names the scheme.
 *
 * @param details `scope`: the scopes of the call, with a space between them
 */
export function challengeOf(
  error?: BearerError,
  { description, scope }: { readonly description?: string; readonly scope?: string } = {},
): Readonly<Record<string, string>> {
  const parts = [`realm="${REALM}"`];
  if (error) parts.push(`error="${error}"`);
  if (description) parts.push(`error_description="${description}"`);
  if (scope) parts.push(`scope="${scope}"`);
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}
