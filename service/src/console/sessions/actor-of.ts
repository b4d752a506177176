import type { Person, SignInKind } from '#console/model/roles.ts';

/** The audit log's actor of a person's act in the console. */
export function actorOf({
  kind,
  name,
  issuer,
  subject,
}: Person & { readonly kind: SignInKind }): string {
  return `console (${name}, ${kind === 'LINK' ? 'by link' : `${issuer} ${subject}`})`;
}
