import { DeliveryFailure } from '#webhooks/model/outcomes.ts';

export const CRLF = '\r\n';

/** RFC 9112 §4; a server may leave out the reason and the space before it. */
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/** RFC 9110 §5.1 and §5.5: no space before the colon, no folded line, no control character. */
const FIELD_LINE = /^([!#$%&'*+\-.^_`|~0-9a-z]+):([\t\x20-\x7e\x80-\xff]*)$/i;
/** Below 2^53, so that counting stays exact. */
const LENGTH = /^\d{1,15}$/;

/** The parts of an answer's head that matter to a sender of webhooks. */
export type AnswerHead = ReturnType<typeof readAnswerHead>;

/** The fields that are read, by name. */
interface Fields {
  'content-length'?: string;
  'transfer-encoding'?: string;
  connection?: string;
  'content-encoding'?: string;
  'retry-after'?: string;
}

/**
 * Reads a head without its last line ends: Latin-1, as HTTP's bytes are.
 *
 * @throws DeliveryFailure MALFORMED_ANSWER, also for 101: nobody asked for another protocol
 */
export function readAnswerHead(text: string) {
  const [statusLine = '', ...lines] = text.split(CRLF);
  const { status, isOld } = readStatusLine(statusLine);
  const fields = readFields(lines);
  const { connection = '' } = fields;
  const encoding = fields['transfer-encoding'];
  const hasNoBody = status < 200 || status === 204 || status === 304;
  const length = readLength(fields['content-length'], encoding);
  return {
    status,
    /** The bytes of the body; null: chunks or the end of the connection end the body. */
    length: hasNoBody ? 0 : length,
    // RFC 9112 §6.3: with another last coding, the end of the connection ends the body.
    isChunked: !hasNoBody && encoding !== undefined && /(?:^|,)[\t ]*chunked$/i.test(encoding),
    /**
     * Whether the listener keeps the connection: a body that must not be there would be read as the
     * next answer.
     */
    isPersistent:
      !isOld &&
      !/(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(connection) &&
      !(hasNoBody && ((length ?? 0) > 0 || encoding !== undefined)),
    contentEncoding: fields['content-encoding'],
    retryAfter: fields['retry-after'],
  };
}

/** @throws DeliveryFailure MALFORMED_ANSWER */
export function readStatusLine(line: string): { status: number; isOld: boolean } {
  const [, minor, status] = STATUS_LINE.exec(line) ?? malformed();
  if (status === '101') malformed();
  return { status: Number(status), isOld: minor === '0' };
}

function readFields(lines: readonly string[]): Fields {
  const fields: Fields = {};
  for (const line of lines) {
    const [, anyName = '', anyValue = ''] = FIELD_LINE.exec(line) ?? malformed();
    const name = anyName.toLowerCase();
    const value = anyValue.trim();
    switch (name) {
      case 'content-length':
        // Two lengths are two ends of the answer.
        if (fields[name] !== undefined) malformed();
        fields[name] = value;
        break;
      case 'transfer-encoding':
      case 'connection':
      case 'content-encoding':
        fields[name] = fields[name] === undefined ? value : `${fields[name]}, ${value}`;
        break;
      case 'retry-after':
        // The first counts, as in node:http.
        fields[name] ??= value;
        break;
    }
  }
  return fields;
}

function readLength(length: string | undefined, encoding: string | undefined): number | null {
  if (length === undefined) return null;
  if (encoding !== undefined || !LENGTH.test(length)) malformed();
  return Number(length);
}

function malformed(): never {
  throw new DeliveryFailure('MALFORMED_ANSWER');
}
