import { BODY_BYTES, type CallTarget, fill, type HostileCall } from './hostile-call.ts';

const FORM = ['content-type', 'application/x-www-form-urlencoded'] as const;
const JSON_TYPE = ['content-type', 'application/json'] as const;
/** The bound of a token call. */
const TOKEN_BYTES = 8_192;
const SECRET = 'A'.repeat(43);

export function hostileBodies(target: CallTarget): readonly HostileCall[] {
  return [
    ...forms(target),
    ...jsonTexts(target),
    ...jsonFields(target),
    ...jsonCalls(target),
    ...chunks(target),
  ];
}

function forms({ gateway }: CallTarget): readonly HostileCall[] {
  const at = (path: string, bytes: number, cookie: string): HostileCall[] =>
    [
      ['empty fields', fill('a&', bytes)],
      ['separators', fill('&', bytes)],
      ['encoded characters', `a=${fill('%41', bytes - 2)}`],
      ['broken encodings', `a=${fill('%E0', bytes - 2)}`],
    ].map(([kind, body = '']) => ({
      ...{ name: `form of ${bytes / 1_024} kB of ${kind}, ${path.replace(/[\w-]{20,}/, ':id')}` },
      ...{ path, headers: [FORM, ['cookie', cookie]], body },
    }));
  const multipart = `--x\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n`;
  return [
    ...at('/oauth2/token', TOKEN_BYTES, ''),
    ...at('/oauth2/token', BODY_BYTES, ''),
    ...at('/console/sign-in/link', 4_096, `console-form=${SECRET}`),
    ...at('/console/sign-in/link', BODY_BYTES, `console-form=${SECRET}`),
    ...at('/console/sign-in/link', BODY_BYTES, ''),
    ...at('/console/search', BODY_BYTES, ''),
    ...at('/console/search', BODY_BYTES, `console=${SECRET}`),
    ...at('/console/sign-out', BODY_BYTES, `console=${SECRET}`),
    ...at(`${gateway}/choose`, 4_096, ''),
    ...at(`${gateway}/choose`, BODY_BYTES, ''),
    {
      name: 'form of 4 kB with 190 fields, sign-in by link',
      path: '/console/sign-in/link',
      headers: [FORM, ['cookie', `console-form=${SECRET}`]],
      body: `link=${fill('a', 3_700)}${'&a'.repeat(190)}`,
    },
    {
      name: 'multipart of many parts, sign-in by link',
      path: '/console/sign-in/link',
      headers: [
        ['content-type', 'multipart/form-data; boundary=x'],
        ['cookie', `console-form=${SECRET}`],
      ],
      body: `${fill(multipart, BODY_BYTES)}--x--\r\n`,
    },
  ];
}

/** A JSON body of a merchant with good credentials. */
const jsonOf =
  ({ merchant }: CallTarget) =>
  (name: string, body: string, path = '/v1/payment-requests'): HostileCall => ({
    ...{ name: `JSON ${name}`, path, headers: [...merchant, JSON_TYPE], body },
  });

const MEMBER = '"type":"ECOMM","payer":{"email":"a@example.com"}';
const LONG_BYTES = 60_000;

/** Different members of a number or a text. */
function members(value: string): string {
  const count = Math.floor((BODY_BYTES - 100) / (9 + value.length));
  const one = (_: unknown, n: number) => `"a${n.toString(36).padStart(4, '0')}":${value}`;
  return Array.from({ length: count }, one).join(',');
}

/** Texts that a reader of JSON has to read to their end. */
function jsonTexts(target: CallTarget): readonly HostileCall[] {
  const of = jsonOf(target);
  const escapedKeys = Array.from({ length: 3_500 }, (_, n) => `"\\u0061${n}":0`).join(',');
  return [
    of('of open brackets', fill('[', BODY_BYTES)),
    of('of nested objects', fill('{"a":', BODY_BYTES)),
    of('closed eight deep, again and again', `[${fill('[[[[[[[]]]]]]],', 65_000)}0]`),
    of('of numbers', `[${fill('0,', 65_000)}0]`),
    of('of a long number', `{"amount":${fill('9', 65_000)}}`),
    of('of a long fraction', `{"amount":0.${fill('1', 65_000)}}`),
    of('of members', `{${members('0')}}`),
    of('of members, and valid ones', `{${MEMBER},"amount":1,${members('0')}}`),
    of('of members of the payer', `{"type":"ECOMM","amount":1,"payer":{${members('0')}}}`),
    of('of metadata', `{${MEMBER},"amount":1,"metadata":{${members('""')}}}`),
    of('of escaped keys', `{${escapedKeys}}`),
    of('of escapes', `{"displayMessage":"${fill('\\u0061', 65_000)}"}`),
    of('with a fault at its end', `{${members('0')}`),
    of('with a fault behind a text', `{"a":"${fill('a', LONG_BYTES)}`),
    of('of line ends with a fault at its end', `${fill('\n', 65_000)}x`),
    of('of spaces', fill(' ', BODY_BYTES)),
    of('of a number of signs', `{"amount":-${fill('e-', LONG_BYTES)}}`),
  ];
}

const PAYER_FIELDS = ['email', 'mobileNumber', 'name', 'preferredLanguage'];
const FIELDS = [
  ...['invoiceNumber', 'displayMessage', 'dueDate', 'expiryDateTime'],
  ...['merchantTransactionId', 'returnUrl', 'currency', 'type'],
];

/** Values of 60 kB, each of which a rule of its field has to refuse. */
function jsonFields(target: CallTarget): readonly HostileCall[] {
  const of = jsonOf(target);
  const fills = (...units: string[]) => units.map((unit) => fill(unit, LONG_BYTES));
  const payerTexts = fills('a', 'a@', '1 ', 'a.', '-');
  const [long = '', times = '', host = '', dates = ''] = fills('a', '1:', 'a.', '2026-');
  const texts = [long, times, `https://${host}`, dates];
  return [
    ...PAYER_FIELDS.flatMap((field) =>
      payerTexts.map((text, n) =>
        of(
          `with 60 kB in payer.${field} (${n + 1})`,
          `{"type":"ECOMM","amount":1,"payer":{"${field}":"${text}"}}`,
        ),
      ),
    ),
    ...FIELDS.flatMap((field) =>
      texts.map((text, n) =>
        of(`with 60 kB in ${field} (${n + 1})`, `{${MEMBER},"amount":1,"${field}":"${text}"}`),
      ),
    ),
  ];
}

/** Bodies of other calls. */
function jsonCalls(target: CallTarget): readonly HostileCall[] {
  const of = jsonOf(target);
  const { merchant, id } = target;
  const endpoints = '/v1/webhook-endpoints';
  const types = `[${fill('"a",', LONG_BYTES)}"a"]`;
  return [
    {
      ...of('of members, as a merge patch', `{${members('0')}}`, `/v1/payment-requests/${id}`),
      method: 'PATCH',
      headers: [...merchant, ['content-type', 'application/merge-patch+json']],
    },
    {
      ...of('of members, strict', `{${MEMBER},"amount":1,${members('0')}}`),
      headers: [...merchant, JSON_TYPE, ['prefer', 'handling=strict']],
    },
    of('of event types', `{"url":"https://example.com","eventTypes":${types}}`, endpoints),
    of('with 60 kB in url', `{"url":"https://${fill('a.', LONG_BYTES)}"}`, endpoints),
    of(
      'of members, a refund',
      `{"amount":1,${members('0')}}`,
      `/v1/payment-requests/${id}/refunds`,
    ),
    {
      ...{ name: 'JSON without credentials', path: '/v1/payment-requests' },
      ...{ headers: [JSON_TYPE], body: `{${members('0')}}` },
    },
  ];
}

/** The bytes of a body in chunks of one byte: 64 kB on the wire are 10,900 chunks. */
function chunks({ merchant, gateway }: CallTarget): readonly HostileCall[] {
  const body = fill('a', BODY_BYTES / 6);
  const at = (path: string, ...headers: (readonly [string, string])[]): HostileCall => ({
    ...{
      name: `chunks of a byte, ${path.replace(/[\w-]{20,}/, ':id')}`,
      path,
      headers,
      body,
      chunkBytes: 1,
    },
  });
  return [
    at('/v1/payment-requests', JSON_TYPE),
    {
      ...at('/v1/payment-requests', ...merchant, JSON_TYPE),
      name: 'chunks of a byte, good credentials',
    },
    at('/oauth2/token', FORM),
    at('/console/sign-in/link', FORM),
    at(`${gateway}/choose`, FORM),
    at('/no-such-page', FORM),
  ];
}
