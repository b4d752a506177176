/** The actor `console (Ada, https://id.example subject)` is a person of the console. */
const PERSON = /^console \((.+), [^,]+\)$/;
/** The actors that are the merchant itself, or the service. */
const OWN = new Set(['api', 'service', 'sandbox']);

/**
 * The actor of an entry as its merchant may read it: people by their names, and an operator's
 * command without the account that ran it.
 */
export function actorForMerchant(actor: string): string {
  const person = PERSON.exec(actor)?.[1];
  if (person !== undefined) return person;
  return OWN.has(actor) ? actor : 'operator';
}
