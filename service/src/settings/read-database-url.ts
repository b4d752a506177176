import { accessSync, constants } from 'node:fs';

const BEGINNING = /^postgres(ql)?:\/\//;
/** Parameters that the driver reads, and parameters that it passes to the server. */
const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'application_name',
  'client_encoding',
  'options',
];
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const ESCAPES =
  'a user or password with one of : / ? # [ ] @ % needs each written as its code, ' +
  'as in %23 for # (encodeURIComponent)';

/**
 * Reads the address of the database. `sslmode` has libpq's meaning, for which the driver needs a
 * parameter of its own.
 */
export function readDatabaseUrl(text: string): string {
  if (!BEGINNING.test(text)) {
    throw new Error('must be an address that begins with postgres:// or postgresql://');
  }
  if (/[\s\p{Cc}]/u.test(text)) throw new Error('has a blank or a line end: write a blank as %20');
  if (text.includes('#')) throw new Error(`has a # that is not escaped: ${ESCAPES}`);
  if (/%(?![0-9a-f]{2})/i.test(text)) {
    throw new Error(`has a % that begins no code: ${ESCAPES}`);
  }
  const [beforeQuery = '', query = ''] = text.replace(BEGINNING, '').split('?');
  const [authority = ''] = beforeQuery.split('/');
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) {
    throw new Error(
      'names several hosts: name one. For failover, let that host be HAProxy, PgBouncer in ' +
        'session mode, or a name that follows the primary',
    );
  }
  // A socket has no host, and URL refuses an empty host after a user.
  const parsed = URL.parse(text.replace('@/', '@socket/'));
  const isCutShort = !authority.includes('@') && `${beforeQuery}?${query}`.includes('@');
  if (!parsed || isCutShort || authority.split('@').length > 2) {
    throw new Error(`cannot be parsed as postgres://user:password@host:port/name: ${ESCAPES}`);
  }
  refuseBrokenText(parsed);
  if (parsed.pathname.length < 2 || parsed.pathname.slice(1).includes('/')) {
    throw new Error('must name one database, as in postgres://user:password@host/name');
  }
  return withTls(text, parsed.searchParams);
}

/** The codes of a text must form UTF-8. */
function refuseBrokenText({ username, password, pathname }: URL): void {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
  } catch {
    throw new Error(`has codes that are not UTF-8: ${ESCAPES}`);
  }
}

function withTls(text: string, parameters: URLSearchParams): string {
  for (const name of parameters.keys()) {
    if (name === 'uselibpqcompat') continue;
    if (!PARAMETERS.includes(name)) {
      throw new Error(`has the parameter "${name}"; it may have ${PARAMETERS.join(', ')}`);
    }
  }
  const mode = parameters.get('sslmode');
  if (mode === null) {
    const lonely = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => parameters.has(name));
    if (lonely) throw new Error(`has ${lonely} without sslmode: add sslmode=verify-full`);
    return text;
  }
  if (!SSL_MODES.includes(mode)) {
    throw new Error(`has sslmode=${mode}; it must be ${SSL_MODES.join(', ')}`);
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new Error('has sslmode=verify-ca, which needs sslrootcert, the PEM file of the CA');
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) refuseUnreadable(name, parameters);
  return parameters.has('uselibpqcompat') ? text : `${text}&uselibpqcompat=true`;
}

function refuseUnreadable(name: string, parameters: URLSearchParams): void {
  const path = parameters.get(name);
  if (path === null) return;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new Error(`has ${name}=${path}, which cannot be read (${code})`);
  }
}
