import { UNTRUSTED_FORWARDERS } from '#telemetry/log/untrusted-forwarders.ts';
import { NETWORK_NAMES } from './compose/network-settings.ts';
import { BANK_CALENDARS } from './lib/bank/bank-calendar.ts';
import { FIRST_CELL, LAST_CELL } from './lib/cells/cell-mark.ts';
import { ENVIRONMENTS } from './lib/environment.ts';
import { readFailpoint } from './lib/failpoints/failpoint.ts';
import { readTimeZone } from './lib/zones/time-zone.ts';
import { BANK_CONNECTION_SETTINGS } from './settings/bank-connection-settings.ts';
import { CONSOLE_SETTINGS } from './settings/console-settings.ts';
import { DATABASE_SETTINGS } from './settings/database-settings.ts';
import { MAIL_SETTINGS } from './settings/mail-settings.ts';
import {
  readCidr,
  readCollectorUrl,
  readHost,
  readProxyCidr,
  readPublicUrl,
  readResolver,
} from './settings/read-addresses.ts';
import { readCaFile } from './settings/read-ca-file.ts';
import { readKey, readOpsToken, readStrongKey } from './settings/read-key.ts';
import {
  absolutePath,
  amount,
  amountOrZero,
  currency,
  list,
  oneOf,
  schedule,
  wholeNumber,
  yesOrNo,
} from './settings/read-values.ts';
import { RETENTION_SETTINGS } from './settings/retention-settings.ts';
import { optionalSetting, setting } from './settings/setting.ts';
import { SMS_SETTINGS } from './settings/sms-settings.ts';

/** All settings (contract §1), in the order of `payreq config`. */
export const SETTINGS = {
  ENVIRONMENT: setting({
    meaning: 'this deployment’s environment, sandbox or production',
    read: oneOf(ENVIRONMENTS),
  }),
  CELL: setting({
    meaning:
      'the number of this cell, where several deployments share one origin; 1: the first cell, ' +
      'whose names carry no mark',
    fallback: `${FIRST_CELL}`,
    read: wholeNumber(FIRST_CELL, LAST_CELL),
  }),
  ...DATABASE_SETTINGS,
  CREDENTIALS_PEPPER: setting({
    meaning: 'keys the hashes of passwords and API keys: 32 random bytes in base64',
    secret: true,
    read: readStrongKey,
  }),
  CREDENTIALS_PEPPER_PREVIOUS: optionalSetting({
    meaning: 'a second pepper that is accepted while CREDENTIALS_PEPPER is replaced',
    secret: true,
    read: readKey,
  }),
  SECRETS_KEY: setting({
    meaning: 'encrypts stored secrets (listener passwords, keys): 32 random bytes in base64',
    secret: true,
    read: readStrongKey,
  }),
  SECRETS_KEY_PREVIOUS: optionalSetting({
    meaning: 'a second key that is accepted while SECRETS_KEY is replaced',
    secret: true,
    read: readKey,
  }),
  HOST: setting({
    meaning: 'the address that the public listener binds',
    fallback: '0.0.0.0',
    read: readHost,
  }),
  PORT: setting({
    meaning: 'the port of the public listener',
    fallback: '4010',
    read: wholeNumber(0, 65_534),
  }),
  OPS_HOST: setting({
    meaning: 'the address that the operators’ listener (health, metrics) binds',
    fallback: '127.0.0.1',
    read: readHost,
  }),
  OPS_TOKEN: setting({
    meaning: 'the bearer token of /metrics; production needs it beyond loopback',
    fallback: '',
    secret: true,
    read: readOpsToken,
  }),
  OPS_PORT: optionalSetting({
    meaning: 'the port of the operators’ listener; default: PORT + 1',
    read: wholeNumber(0, 65_535),
  }),
  PUBLIC_API_URL: setting({
    meaning: '{base_url}: the address of the API, as in https://pay.example/v1',
    read: readPublicUrl,
  }),
  PUBLIC_AUTH_URL: setting({
    meaning: '{auth_url}: the whole address of the token call',
    read: readPublicUrl,
  }),
  PAYMENT_LINK_BASE: setting({
    meaning: '{payment_link_base}: the beginning of payment links',
    read: readPublicUrl,
  }),
  E_TRANSFER_NETWORK: optionalSetting({
    meaning:
      'the e-transfer network of a production deployment (the sandbox has none): ' +
      NETWORK_NAMES.join(' or '),
    read: oneOf(NETWORK_NAMES),
  }),
  ALLOW_SIMULATED_NETWORK: setting({
    meaning:
      'yes: a production deployment may run on the simulated network, where no real money moves',
    fallback: 'no',
    read: yesOrNo,
  }),
  BANK_FILES_DIR: optionalSetting({
    meaning: 'the folder in which the bank’s account statements arrive, unless BANK_SFTP_URL does',
    read: absolutePath,
  }),
  BANK_FILES_KEEP: setting({
    meaning: 'the days for which the bytes of an imported statement are kept, encrypted',
    // An operator hears of a gap within days; a bank gives a statement again for a month.
    fallback: '30',
    read: wholeNumber(1, 3_650),
  }),
  BANK_MAX_AUTOMATIC: setting({
    meaning: 'the largest amount of a bank transfer that needs no person to make a request PAID',
    // The default of MAX_AMOUNT: every amount that a payment request can ask for is automatic.
    fallback: '10000.00',
    read: amount,
  }),
  BANK_REFUNDS_DIR: optionalSetting({
    meaning: 'the folder for files of refunds that the bank executes; empty: payreq bank refunds',
    read: absolutePath,
  }),
  BANK_PROGRAM_RELEASE: setting({
    meaning: 'person: a payment file of a program waits; bank: the bank asks for signatures',
    fallback: 'person',
    read: oneOf(['person', 'bank']),
  }),
  ...BANK_CONNECTION_SETTINGS,
  BANK_CALENDAR: optionalSetting({
    meaning:
      'the working days of the bank; default: CA, US, GB or AU with the currency of the country, ' +
      'else TARGET',
    read: oneOf(BANK_CALENDARS),
  }),
  BANK_DEMO: setting({
    meaning: 'yes: bank transfers are tried out with made statements; marks the database for ever',
    fallback: 'no',
    read: yesOrNo,
  }),
  CURRENCY: setting({
    meaning: 'the currency of this deployment, an ISO 4217 code; shown on pages',
    fallback: 'CAD',
    read: currency,
  }),
  TIME_ZONE: setting({
    meaning: 'the time zone of reports, and of merchants without their own, as in America/Toronto',
    fallback: 'UTC',
    read: readTimeZone,
  }),
  MAX_AMOUNT: setting({
    meaning: 'the largest amount of a payment request',
    fallback: '10000.00',
    read: amount,
  }),
  REFUNDS_PER_DAY: setting({
    meaning: 'what a new merchant may give back in a day; 0: refunds are off (set-limits)',
    // The default of MAX_AMOUNT: the whole of any one payment.
    fallback: '10000.00',
    read: amountOrZero,
  }),
  APPROVALS: setting({
    meaning:
      'yes: two people stand behind refunds of the console above APPROVAL_REFUNDS_ABOVE, ' +
      'settlements of cases, refund fail and set-account',
    fallback: 'no',
    read: yesOrNo,
  }),
  APPROVAL_REFUNDS_ABOVE: setting({
    meaning:
      'the sum of a payment’s refunds above which a refund of the console needs two people, ' +
      'with APPROVALS=yes',
    // Zero forgets no refund: an operator who trusts single people raises it.
    fallback: '0',
    read: amountOrZero,
  }),
  TRUSTED_PROXIES: setting({
    meaning: 'CIDRs of proxies whose X-Forwarded-For counts, separated by commas',
    fallback: '',
    read: list(readProxyCidr),
  }),
  UNTRUSTED_FORWARDERS: setting({
    meaning:
      'warn: reports X-Forwarded-For from a peer outside of TRUSTED_PROXIES, as a missing ' +
      'proxy; ignore: the service faces the internet itself',
    fallback: 'warn',
    read: oneOf(UNTRUSTED_FORWARDERS),
  }),
  WEBHOOK_CA_FILE: setting({
    meaning: 'a PEM file of certificate authorities trusted for webhooks beside the system’s',
    fallback: '',
    read: readCaFile,
  }),
  WEBHOOK_ALLOW_CIDRS: setting({
    meaning: 'non-public addresses that webhooks may reach, as CIDRs',
    fallback: '',
    read: list(readCidr),
  }),
  WEBHOOK_ALLOW_PORTS: setting({
    meaning: 'ports that webhooks may reach, separated by commas, or *',
    fallback: '443',
    read: (text) => (text === '*' ? ('*' as const) : list(wholeNumber(1, 65_535))(text)),
  }),
  WEBHOOK_RESOLVERS: setting({
    meaning: 'DNS servers for webhook names, as address or address:port; default: the system’s',
    fallback: '',
    read: list(readResolver),
  }),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: setting({
    meaning: 'the wait before each attempt of a delivery, after the previous attempt',
    fallback: '0,5,30,300,1800,7200,18000,36000,50400,72000,86400',
    read: schedule,
  }),
  ...RETENTION_SETTINGS,
  ...MAIL_SETTINGS,
  ...SMS_SETTINGS,
  ...CONSOLE_SETTINGS,
  RATE_LIMIT_WRITES: setting({
    meaning: 'writing calls of one merchant a second; 0: no limit',
    fallback: '200',
    read: wholeNumber(0, 1_000_000),
  }),
  RATE_LIMIT_READS: setting({
    meaning: 'reading calls of one merchant a second; 0: no limit',
    fallback: '1000',
    read: wholeNumber(0, 1_000_000),
  }),
  RATE_LIMIT_TOKENS: setting({
    meaning: 'token calls of one merchant a second; 0: no limit',
    fallback: '20',
    read: wholeNumber(0, 1_000_000),
  }),
  LOG_LEVEL: setting({
    meaning: 'the lowest logged level: debug, info, warn or error',
    fallback: 'info',
    read: oneOf(['debug', 'info', 'warn', 'error'] as const),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    meaning: 'the OTLP/HTTP address for traces, without the path /v1/traces; default: no traces',
    fallback: '',
    read: readCollectorUrl,
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting({
    meaning: 'the whole address of the OTLP/HTTP endpoint for traces; it wins over the one above',
    fallback: '',
    read: readCollectorUrl,
  }),
  START_TIMEOUT: setting({
    meaning: 'the seconds for which a start waits for the database; 0: it does not wait',
    // PostgreSQL takes seconds to start, and up to a minute to recover from a crash.
    fallback: '60',
    read: wholeNumber(0, 3_600),
  }),
  SHUTDOWN_DELAY_SECONDS: setting({
    meaning:
      'the seconds for which a stopping service still takes calls while its readiness fails, so ' +
      'that load balancers send it no more',
    // Kubernetes and HAProxy need 3 to 10 s; a developer's Ctrl-C waits for nothing.
    fallback: '0',
    read: wholeNumber(0, 300),
  }),
  SHUTDOWN_GRACE_SECONDS: setting({
    meaning: 'the seconds in which running calls and deliveries may finish at a stop',
    // A webhook exchange takes 15 s at most; the rest is for its record.
    fallback: '20',
    read: wholeNumber(1, 600),
  }),
  FAILPOINT: optionalSetting({
    meaning: 'for tests of the service itself: the place at which the process kills itself',
    read: readFailpoint,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
