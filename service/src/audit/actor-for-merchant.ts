import { personOfActor } from './person-of-actor.ts';

/** The actors that are the merchant itself, or the service. */
const OWN = new Set(['api', 'service', 'sandbox']);

/**
 * The actor of an entry as its merchant may read it: people by their names, and an operator's
 * command without the account that ran it.
 */
export function actorForMerchant(actor: string): string {
  return personOfActor(actor) ?? (OWN.has(actor) ? actor : 'operator');
}
