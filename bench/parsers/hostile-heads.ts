import { type CallTarget, fill, HEAD_BYTES, type HostileCall } from './hostile-call.ts';

const CONSOLE = '/console/sign-in';

export function hostileHeads(target: CallTarget): readonly HostileCall[] {
  return [...heads(target), ...credentials(target), ...paths(target), ...queries(target)];
}

/** Headers: each value as long as a head may be. */
function heads({ shortCode, gateway }: CallTarget): readonly HostileCall[] {
  const link = `/pay/${shortCode}`;
  const many = (make: (n: number) => readonly [string, string], bytes: number) =>
    Array.from({ length: Math.floor(HEAD_BYTES / bytes) }, (_, n) => make(n));
  const one = (name: string, path: string, header: string, value: string): HostileCall => ({
    ...{ name, path },
    headers: [[header, value]],
  });
  return [
    { name: '3,850 headers', path: '/problems', headers: many(() => ['a', ''], 4) },
    {
      name: '1,900 headers of different names',
      path: '/problems',
      headers: many((n) => [`a${n.toString(36).padStart(4, '0')}`, ''], 8),
    },
    {
      name: '1,400 headers Accept',
      path: link,
      headers: many(() => ['accept', 'a'], 11),
    },
    ...[CONSOLE, '/console', link, gateway].flatMap((path) => [
      one(`Cookie of empty pairs, ${nameOf(path)}`, path, 'cookie', fill('a;')),
      one(`Cookie of encoded pairs, ${nameOf(path)}`, path, 'cookie', fill('a=%41;')),
      one(`Cookie of different names, ${nameOf(path)}`, path, 'cookie', names(';')),
    ]),
    ...['accept', 'accept-language', 'accept-encoding'].flatMap((header) =>
      [link, CONSOLE, '/openapi.json', '/no-such-page'].flatMap((path) => [
        one(`${header} of many values, ${nameOf(path)}`, path, header, fill('a,')),
        one(`${header} of many parameters, ${nameOf(path)}`, path, header, fill('a;')),
        one(`${header} of spaces, ${nameOf(path)}`, path, header, `a;${fill(' ')}b`),
      ]),
    ),
    one('If-None-Match of many tags', '/openapi.json', 'if-none-match', fill('"a",')),
    one('If-None-Match of spaces', '/openapi.json', 'if-none-match', `"a"${fill(' ')}b`),
    one('traceparent', '/problems', 'traceparent', fill('0')),
    one('traceparent of hyphens', '/problems', 'traceparent', fill('00-')),
    one('X-Request-Id', '/problems', 'x-request-id', fill('a')),
    one('X-Forwarded-For of 7,700 addresses', '/problems', 'x-forwarded-for', fill('1,')),
    one('X-Forwarded-For of trusted ones', '/problems', 'x-forwarded-for', fill('127.0.0.1,')),
    one('X-Forwarded-For of trusted IPv6', CONSOLE, 'x-forwarded-for', fill('::1,')),
    one('X-Forwarded-For of spaces', '/problems', 'x-forwarded-for', fill(' ,')),
    one('Host', '/problems', 'host', fill('a.')),
  ];
}

const TOKEN_CALL = '/oauth2/token';
const LIST = '/v1/payment-requests';

/** Credentials, and headers of calls with a body. */
function credentials({ merchant }: CallTarget): readonly HostileCall[] {
  const [apiKey = ['x-api-key', '']] = merchant;
  const bearer = (name: string, token: string): HostileCall => ({
    ...{ name, path: LIST },
    headers: [apiKey, ['authorization', `Bearer ${token}`]],
  });
  const basic = (name: string, value: string): HostileCall => ({
    ...{ name, path: TOKEN_CALL, body: 'grant_type=client_credentials' },
    headers: [form(), ['authorization', `Basic ${value}`]],
  });
  const typed = (name: string, type: string): HostileCall => ({
    ...{ name: `Content-Type of ${name}`, path: TOKEN_CALL, body: 'a=b' },
    headers: [['content-type', type]],
  });
  const create = (name: string, header: string, value: string): HostileCall => ({
    ...{ name, path: LIST, body: '{}' },
    headers: [...merchant, json(), [header, value]],
  });
  const encoded = Buffer.from(`${fill('%41', 5_500)}:${fill('+', 5_500)}`).toString('base64');
  return [
    { name: 'X-Api-Key', path: LIST, headers: [['x-api-key', fill('a')]] },
    bearer('Authorization of spaces', fill(' ')),
    bearer(
      'Bearer of 4 kB, three parts',
      `${fill('a', 2_000)}.${fill('a', 1_000)}.${fill('a', 1_000)}`,
    ),
    bearer('Bearer of dots', fill('a.', 4_000)),
    bearer('Bearer with a header of many members', `${manyClaims()}.e30.YQ`),
    basic('Basic', fill('a')),
    basic('Basic of encoded characters', encoded),
    typed('parameters', `application/x-www-form-urlencoded${fill(';a=b')}`),
    typed('spaces', `a/b;${fill(' ')}`),
    typed('quoted pairs', `a/b;a="${fill('\\a')}`),
    create('Idempotency-Key', 'idempotency-key', fill('a', 14_000)),
    create('Prefer of many preferences', 'prefer', fill('a,', 14_000)),
    create('Prefer of spaces', 'prefer', `a${fill(' ', 14_000)}b`),
  ];
}

/** Addresses. */
function paths({ merchant }: CallTarget): readonly HostileCall[] {
  const at = (name: string, path: string): HostileCall => ({ name: `path ${name}`, path });
  return [
    at('of slashes', fill('/')),
    at('of short parts', fill('/a')),
    at('of dots', fill('/..')),
    at('of encoded characters', `/${fill('%41')}`),
    at('of a broken encoding', `/${fill('%E0')}`),
    at('/pay of one part', `/pay/${fill('a')}`),
    at('/pay of encoded characters', `/pay/${fill('%41')}`),
    at('/pay of short parts', `/pay${fill('/a')}`),
    at('/console of slashes', `/console/${fill('/')}`),
    at('/console/m of short parts', `/console/m${fill('/a')}`),
    at('/docs of short parts', `/docs${fill('/a')}`),
    at('/v1 of short parts', `/v1${fill('/a')}`),
    at('a whole URL', `http://localhost/${fill('a/')}`),
    { name: 'path of an id', path: `/v1/payment-requests/${fill('a', 14_000)}`, headers: merchant },
    {
      name: 'path of an encoded id',
      path: `/v1/payment-requests/${fill('%41', 14_000)}`,
      headers: merchant,
    },
    { name: 'another method on short parts', method: 'DELETE', path: fill('/a') },
  ];
}

/** Queries. */
function queries({ merchant, shortCode, gateway }: CallTarget): readonly HostileCall[] {
  const open = [
    `/pay/${shortCode}`,
    gateway,
    CONSOLE,
    '/console',
    '/problems',
    '/docs',
    '/console/sign-in/link',
    '/no-such-page',
    `/pay/live/x`,
  ];
  const own = ['/v1/payment-requests', '/v1/events', '/v1/refunds'];
  const kinds: readonly (readonly [string, (bytes: number) => string])[] = [
    ['many members', (bytes) => fill('a&', bytes)],
    ['different members', (bytes) => names('&').slice(0, bytes)],
    ['encoded members', (bytes) => fill('%41=%41&', bytes)],
    ['one long member', (bytes) => `lang=${fill('%41', bytes)}`],
    ['a member that repeats', (bytes) => fill('lang=a&', bytes)],
  ];
  return kinds.flatMap(([kind, make]) => [
    ...open.map((path) => ({
      name: `query of ${kind}, ${nameOf(path)}`,
      path: `${path}?${make(15_000)}`,
    })),
    ...own.map((path) => ({
      ...{
        name: `query of ${kind}, ${path}`,
        path: `${path}?${make(13_500).replaceAll('lang', 'status')}`,
      },
      headers: merchant,
    })),
  ]);
}

function nameOf(path: string): string {
  if (path.startsWith('/pay/live')) return 'live page';
  if (path.startsWith('/pay/')) return 'payment link';
  return path.startsWith('/gateway/') ? 'gateway' : path;
}

/** Different names of five characters. */
function names(separator: string): string {
  const one = (_: unknown, n: number) => `a${n.toString(36).padStart(4, '0')}`;
  return Array.from({ length: Math.floor(HEAD_BYTES / 6) }, one).join(separator);
}

function manyClaims(): string {
  const members = Array.from({ length: 250 }, (_, n) => [`a${n}`, 0]);
  return Buffer.from(JSON.stringify({ alg: 'EdDSA', ...Object.fromEntries(members) })).toString(
    'base64url',
  );
}

function form(): readonly [string, string] {
  return ['content-type', 'application/x-www-form-urlencoded'];
}

function json(): readonly [string, string] {
  return ['content-type', 'application/json'];
}
