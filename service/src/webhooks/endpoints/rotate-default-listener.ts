import type { Executor } from '#database/database.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { type FoundListener, findListener, rotateListener } from '#merchants/merchant-store.ts';
import { newSecret, newSigningSecret } from '#merchants/new-secret.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { boxEndpointSecret, type EndpointDeps } from './check-fields.ts';
import { listEndpoints, rotateEndpointSecret, updateEndpoint } from './endpoint-store.ts';
import { LONGEST_OVERLAP_HOURS } from './schemas.ts';

export type RotateListenerDeps = AuditedDeps & Pick<EndpointDeps, 'environment' | 'secretsKey'>;

export interface ListenerRotation {
  readonly merchantId: string;
  /** How long the signing secret in use signs beside the new one; 0 ends it at once. */
  readonly overlapHours: number;
  /** Whether the Basic password becomes a new one, too: at once, since Basic can only carry one. */
  readonly isPasswordNew: boolean;
  /** Whether to rotate while the secret before the current one signs too, and so to end it. */
  readonly isForced?: boolean;
}

export interface RotatedListener {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
  /** When the older secret signs no more; null: it does not sign any more. */
  readonly previousSecretExpiryDateTime: string | null;
}

/**
 * Gives a merchant's default listener a new signing secret (delivery §2): for what
 * goes to a `webhookUrl`, and for the endpoint that onboarding made with the same credentials.
 *
 * @throws OperatorFault for an unknown merchant, an overlap out of bounds, or a rotation that is
 *         not over and is not forced: it would end the secret that the listener may still have
 * @throws SecretUnreadable under another `SECRETS_KEY`
 */
export function rotateDefaultListener(
  deps: RotateListenerDeps,
  { merchantId, overlapHours, isPasswordNew, isForced = false }: ListenerRotation,
): Promise<RotatedListener> {
  if (!(overlapHours >= 0 && overlapHours <= LONGEST_OVERLAP_HOURS)) {
    throw new OperatorFault(`The overlap is 0 to ${LONGEST_OVERLAP_HOURS} hours.`);
  }
  const { db, secretsKey, environment } = deps;
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const listener = (await findListener(tx, merchantId)) as FoundListener;
    const { username, passwordEncrypted } = listener;
    if (!isForced) {
      const its = (await listEndpoints(tx, merchantId)).find((each) => each.username === username);
      refuseDuringOverlap(listener.previousSecretUntil ?? its?.previousSigningSecretUntil ?? null);
    }
    const context = (name: string) => `merchant:${merchantId}:${name}`;
    // Opened also where it stays: it is answered, and another key must not mix the two.
    const inUse = decryptSecret(secretsKey, passwordEncrypted, context('listener_password'));
    const password = isPasswordNew ? newSecret(environment) : inUse;
    const signingSecret = newSigningSecret();
    const endsAt = await rotateListener(tx, merchantId, {
      passwordEncrypted: encryptSecret(secretsKey, password, context('listener_password')),
      signingSecretEncrypted: encryptSecret(secretsKey, signingSecret, context('signing_secret')),
      overlapHours,
    });
    const secrets = { signingSecret, password: isPasswordNew ? password : null };
    const endpointId = await rotateItsEndpoint(tx, deps, {
      merchantId,
      username,
      overlapHours,
      ...secrets,
    });
    await recordAct(tx, deps, 'LISTENER_CREDENTIALS_ROTATED', merchantId, {
      listenerUsername: username,
      overlapHours,
      isPasswordNew,
      isForced,
      endpointId,
    });
    const previousSecretExpiryDateTime = endsAt?.toISOString() ?? null;
    return { merchantId, username, password, signingSecret, previousSecretExpiryDateTime };
  });
}

function refuseDuringOverlap(until: Date | null): void {
  if (until === null) return;
  throw new OperatorFault(
    `The signing secret before the current one signs until ${until.toISOString()}, and the ` +
      'listener may still have it. Wait until then, or end it with --force. ' +
      'payreq credentials show-listener shows the current secret.',
  );
}

interface EndpointRotation {
  readonly merchantId: string;
  readonly username: string;
  readonly overlapHours: number;
  readonly signingSecret: string;
  /** null: it stays. */
  readonly password: string | null;
}

/** The default listener may have an endpoint too. @returns its id, or null without an endpoint */
async function rotateItsEndpoint(
  tx: Executor,
  deps: RotateListenerDeps,
  { merchantId, username, overlapHours, signingSecret, password }: EndpointRotation,
): Promise<string | null> {
  const endpoints = await listEndpoints(tx, merchantId);
  const id = endpoints.find((endpoint) => endpoint.username === username)?.id;
  if (id === undefined) return null;
  const box = boxEndpointSecret(deps, id, 'signing_secret', signingSecret);
  const endpoint = await rotateEndpointSecret(tx, id, box, overlapHours);
  if (password !== null) {
    const passwordEncrypted = boxEndpointSecret(deps, id, 'listener_password', password);
    await updateEndpoint(tx, { ...endpoint, passwordEncrypted });
  }
  return id;
}
