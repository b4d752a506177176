import assert from 'node:assert/strict';
import type { Grant } from '#console/model/roles.ts';
import { startSession } from '#console/sessions/sessions.ts';
import type { Clock } from '#lib/clock.ts';
import { type ConsoleClient, visitConsole } from '../console/console-client.ts';
import type { TestService } from '../service/service.ts';

export interface SignedInPerson {
  readonly subject: string;
  readonly grants: readonly Grant[];
  readonly name?: string;
  readonly email?: string | null;
}

/**
 * A session of a person whom the identity provider has signed in, without the provider.
 *
 * @returns the secret of the session's cookie
 */
export async function startPersonSession(
  { database, clock }: Pick<TestService, 'database'> & { readonly clock: Clock },
  { subject, grants, name = subject, email = null }: SignedInPerson,
): Promise<string> {
  const person = {
    kind: 'OIDC',
    issuer: 'https://id.example',
    subject,
    name,
    email,
    grants,
  } as const;
  const started = await startSession({ db: database.db, clock }, person);
  assert.ok(started);
  return started.secret;
}

/** A browser in which a person of the identity provider has signed in. */
export async function visitAsPerson(
  service: TestService,
  person: SignedInPerson,
): Promise<ConsoleClient> {
  const secret = await startPersonSession(service, person);
  return visitConsole(service, { '__Host-console': secret });
}
