import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import { auditEndpoint } from './change.ts';
import { boxEndpointSecret } from './check-fields.ts';
import { rotateEndpointSecret } from './endpoint-store.ts';
import { lockOwnEndpoint } from './find-own.ts';
import type { EndpointChangeDeps } from './register.ts';
import { endpointMembers } from './render-json.ts';

/** delivery §2: a day to put the new one in place. */
const USUAL_OVERLAP_HOURS = 24;

/**
 * Gives an endpoint a new signing secret, answered this once. The secret before it signs as well
 * until the overlap's end. During that time a second rotation is refused unless it is forced: two
 * secrets sign at most, and the listener may still have the older one.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, VALIDATION_ERROR, SECRET_ROTATION_RUNNING
 */
export async function rotateSecret(
  tx: Executor,
  deps: EndpointChangeDeps,
  merchantId: string,
  {
    id,
    overlapHours = USUAL_OVERLAP_HOURS,
    isForced,
    faults,
  }: {
    readonly id: string;
    readonly overlapHours: number | undefined;
    readonly isForced: boolean;
    readonly faults: readonly FieldFault[];
  },
) {
  throwFaults(faults);
  const { id: ownId, previousSigningSecretUntil } = await lockOwnEndpoint(tx, merchantId, id);
  if (previousSigningSecretUntil && !isForced) throw runningAlready(previousSigningSecretUntil);
  const signingSecret = newSigningSecret();
  const box = boxEndpointSecret(deps, ownId, 'signing_secret', signingSecret);
  const endpoint = await rotateEndpointSecret(tx, ownId, box, overlapHours);
  await auditEndpoint(tx, deps, endpoint, 'WEBHOOK_SECRET_ROTATED', { overlapHours, isForced });
  return endpointMembers(deps.secretsKey, endpoint, { signingSecret });
}

function runningAlready(until: Date): Problem {
  return new Problem('SECRET_ROTATION_RUNNING', {
    detail:
      `The signing secret before the current one signs until ${until.toISOString()}; a rotation ` +
      'now would end it. Wait until then, or send "force": true.',
  });
}
