import { isWithin } from '#http/headers/is-within.ts';
import { listUntrustedForwarders } from '#telemetry/log/untrusted-forwarder-store.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict } from './verdict.ts';

/** No proxy is missing in TRUSTED_PROXIES: all payers behind one would count as one address. */
export async function checkProxies(deps: CheckDeps): Promise<Verdict> {
  if (deps.untrustedForwarders === 'ignore') {
    return fine('UNTRUSTED_FORWARDERS is ignore: X-Forwarded-For of other peers means nothing.');
  }
  const seen = await listUntrustedForwarders(deps.db);
  const missing = seen.filter(({ peer }) => !isWithin(peer, deps.trustedProxies));
  const [latest] = missing;
  if (!latest) return fine('X-Forwarded-For comes from no peer outside of TRUSTED_PROXIES.');
  return fault(
    `X-Forwarded-For comes from ${examplesOf(missing.map(({ peer }) => peer))}, last at ` +
      `${latest.lastSeenAt.toISOString()}, and TRUSTED_PROXIES does not name them. All payers ` +
      'behind such a proxy count as one address: add it. Set UNTRUSTED_FORWARDERS=ignore ' +
      'where the service faces the internet itself.',
  );
}
