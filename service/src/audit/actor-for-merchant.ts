import { partsOfActor, personOfActor } from './person-of-actor.ts';

/** The actors that are the merchant itself, or the service. */
const OWN = new Set(['api', 'service', 'sandbox']);

/**
 * The actors of an entry as its merchant may read them: people by their names, and an operator's
 * command without the account that ran it.
 */
export function actorForMerchant(actor: string): string {
  const names = partsOfActor(actor).map(
    (each) => personOfActor(each) ?? (OWN.has(each) ? each : 'operator'),
  );
  return [...new Set(names)].join(' and ');
}
