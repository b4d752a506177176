import type { NetworkSettings } from '#e-transfer/network-settings.ts';
import { LEAST_YEARS } from '#lib/environment.ts';
import { faultsOfConnections } from './bank-connection-settings.ts';
import { faultsOfAddresses, warningsOfAddresses } from './compare-addresses.ts';
import {
  faultsOfHalfSet,
  type GivenSettings,
  type SettingValues,
  warningsOfHalfSet,
} from './half-set.ts';
import { isLoopback, isPrivateCidr } from './read-addresses.ts';

const KEYS = ['SECRETS_KEY', 'CREDENTIALS_PEPPER'] as const;
const PUBLIC_ADDRESSES = ['PUBLIC_API_URL', 'PUBLIC_AUTH_URL', 'PAYMENT_LINK_BASE'];

/** Faults between several settings (contract §1), among the readable settings. */
export function faultsBetween(
  values: SettingValues,
  given: GivenSettings,
  networks: readonly NetworkSettings[],
): string[] {
  const network = values.get('E_TRANSFER_NETWORK');
  const faults = [...faultsOfKeys(values), ...faultsOfPorts(values)];
  faults.push(...faultsOfHalfSet(values, given, networks), ...faultsOfAddresses(values));
  faults.push(...faultsOfReplica(values));
  faults.push(...networks.flatMap((each) => each.findFaults(values, each.name === network)));
  faults.push(...faultsOfConnections(values));
  faults.push(...faultsOfMail(values));
  faults.push(...faultsOfConsole(values));
  if (values.get('ENVIRONMENT') === 'production') faults.push(...faultsOfProduction(values));
  return faults;
}

/** Combinations of settings that may be meant, and mostly are not. */
export function warningsBetween(
  values: SettingValues,
  given: GivenSettings,
  networks: readonly NetworkSettings[],
): string[] {
  return [...warningsOfHalfSet(values, given, networks), ...warningsOfAddresses(values)];
}

/** Another user of one database is no replica, either. */
function faultsOfReplica(values: SettingValues): string[] {
  const [database, replica] = [values.get('DATABASE_URL'), values.get('DATABASE_REPLICA_URL')];
  if (typeof database !== 'string' || typeof replica !== 'string') return [];
  const placeOf = (url: string) => url.slice(url.lastIndexOf('@') + 1);
  if (placeOf(database) !== placeOf(replica)) return [];
  return ['DATABASE_REPLICA_URL is the database of DATABASE_URL, which is no replica of itself.'];
}

/**
 * A key for two purposes leaks twice; a previous key that equals the current one rotates nothing.
 */
function faultsOfKeys(values: SettingValues): string[] {
  const seen: { readonly name: string; readonly bytes: Buffer; readonly isCurrent: boolean }[] = [];
  for (const name of KEYS) {
    for (const each of [name, `${name}_PREVIOUS`]) {
      const bytes = values.get(each);
      if (bytes instanceof Buffer) seen.push({ name: each, bytes, isCurrent: each === name });
    }
  }
  return seen.flatMap((right, index) =>
    seen
      .slice(0, index)
      .filter((left) => (left.isCurrent || right.isCurrent) && left.bytes.equals(right.bytes))
      .map((left) => `${right.name} is the same key as ${left.name}: each needs a key of its own.`),
  );
}

function faultsOfPorts(values: SettingValues): string[] {
  const port = values.get('PORT');
  if (port === 0 || port === undefined || port !== values.get('OPS_PORT')) return [];
  return [`OPS_PORT is ${port}, which is PORT: each listener needs a port of its own.`];
}

function faultsOfProduction(values: SettingValues): string[] {
  return [
    ...faultsOfNetwork(values),
    ...faultsOfRetention(values.get('RETENTION_YEARS')),
    ...PUBLIC_ADDRESSES.flatMap((name) => faultsOfAddress(name, values.get(name))),
    ...faultsOfWebhookRanges(values.get('WEBHOOK_ALLOW_CIDRS')),
    ...faultsOfOpsListener(values),
  ];
}

function faultsOfNetwork(values: SettingValues): string[] {
  if (values.get('E_TRANSFER_NETWORK') !== null) return [];
  return ['E_TRANSFER_NETWORK is not set: a production deployment must name its network.'];
}

function faultsOfRetention(years: unknown): string[] {
  if (typeof years !== 'number' || years === 0 || years >= LEAST_YEARS) return [];
  return [
    `RETENTION_YEARS is ${years}: production keeps payment requests for ${LEAST_YEARS} years at ` +
      'least, or for ever with 0.',
  ];
}

function faultsOfMail(values: SettingValues): string[] {
  const [server, from] = [values.get('MAIL_SMTP_URL'), values.get('MAIL_FROM')];
  if (!server || from !== null) return [];
  return ['MAIL_FROM is not set: MAIL_SMTP_URL needs the sender of the e-mails.'];
}

/** An identity provider without a client or a role signs nobody in. */
function faultsOfConsole(values: SettingValues): string[] {
  const issuer = values.get('CONSOLE_OIDC_ISSUER');
  const rules = values.get('CONSOLE_ROLES');
  const faults: string[] = [];
  if (issuer && values.get('CONSOLE_OIDC_CLIENT_ID') === null) {
    faults.push('CONSOLE_OIDC_CLIENT_ID is not set: CONSOLE_OIDC_ISSUER needs a client.');
  }
  if (issuer && Array.isArray(rules) && rules.length === 0) {
    faults.push('CONSOLE_ROLES is not set: people of CONSOLE_OIDC_ISSUER would have no role.');
  }
  if (values.get('APPROVALS') === true && issuer === null) {
    faults.push(
      'APPROVALS is yes, and CONSOLE_OIDC_ISSUER is not set: nobody could approve an act, ' +
        'because a one-time link does not count.',
    );
  }
  return faults;
}

function faultsOfAddress(name: string, value: unknown): string[] {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
  return [
    `${name} begins with http://, so that secrets and payers' data travel in the clear: ` +
      'in production it must begin with https://, but for localhost.',
  ];
}

function faultsOfWebhookRanges(value: unknown): string[] {
  const wide = (Array.isArray(value) ? value : []).filter((cidr) => !isPrivateCidr(cidr));
  return wide.map(
    (cidr) =>
      `WEBHOOK_ALLOW_CIDRS has "${cidr}", which is not within a private range: in production ` +
      'it may name parts of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, ' +
      '127.0.0.0/8, ::1 and fc00::/7.',
  );
}

function faultsOfOpsListener(values: SettingValues): string[] {
  const host = values.get('OPS_HOST');
  if (typeof host !== 'string' || isLoopback(host) || values.get('OPS_TOKEN') !== null) return [];
  return [
    `OPS_HOST is ${host}, which other machines reach: in production that needs OPS_TOKEN, the ` +
      'bearer token of /metrics (openssl rand -base64 32).',
  ];
}
