import type { SettingValues } from './half-set.ts';

const API = 'PUBLIC_API_URL';
const AUTH = 'PUBLIC_AUTH_URL';
const LINK = 'PAYMENT_LINK_BASE';

/** Faults between the public addresses: one listener serves them all, by their paths. */
export function faultsOfAddresses(values: SettingValues): string[] {
  const [api, auth, link] = [API, AUTH, LINK].map((name) => urlOf(values, name));
  if (api && auth && (isOfTokens(api) || (isVersioned(auth) && !isVersioned(api)))) {
    return [
      `${API} and ${AUTH} are swapped: ${API} is the address of the API, as in ` +
        `https://pay.example/v1, and ${AUTH} is that of the token call.`,
    ];
  }
  const faults: string[] = [];
  if (api && auth && api.pathname === auth.pathname) {
    faults.push(`${AUTH} has the path of ${API}: each needs a path of its own.`);
  }
  if (auth && link && isWithin(link, auth)) {
    faults.push(`${LINK} lies in the path of ${AUTH}: payers would reach no page.`);
  }
  if (api && link && isWithin(link, api)) {
    faults.push(`${LINK} lies in the path of ${API}: payers would reach the API, and no page.`);
  }
  return faults;
}

/** Warnings of addresses on several hosts, which may be meant. */
export function warningsOfAddresses(values: SettingValues): string[] {
  const api = urlOf(values, API);
  return [AUTH, LINK].flatMap((name) => {
    const host = urlOf(values, name)?.host;
    if (!api || !host || host === api.host) return [];
    return [`${name} is on ${host}, and ${API} on ${api.host}: both must lead to this service.`];
  });
}

const isOfTokens = ({ pathname }: URL) => pathname.endsWith('/token');
const isVersioned = ({ pathname }: URL) => /\/v\d+$/.test(pathname);

/** The root holds every path: a listener with a host for each address has no other choice. */
function isWithin(inner: URL, outer: URL): boolean {
  if (outer.pathname === '/') return false;
  return inner.pathname === outer.pathname || inner.pathname.startsWith(`${outer.pathname}/`);
}

function urlOf(values: SettingValues, name: string): URL | null {
  const value = values.get(name);
  return typeof value === 'string' ? URL.parse(value) : null;
}
