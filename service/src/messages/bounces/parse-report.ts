/** The report of a mail server about a mail (RFC 3464). */
export interface DeliveryReport {
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** The enhanced code (RFC 3463), as in `5.1.1`. */
  readonly status: string;
}

const BOUNDARY = /^multipart\/report\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is;
const ACTION = /^(failed|delayed|delivered|relayed|expanded)\b/i;
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** More fields and parts than any report has; the listener and the maildir bound the bytes. */
const MOST_LINES = 5_000;
const MOST_PARTS = 20;

/**
 * Reads a delivery status notification: its `message/delivery-status`, and there the first
 * recipient, since each of our mails has one.
 *
 * @returns null: the mail is no such report
 */
export function parseReport(mail: string): DeliveryReport | null {
  const { fields, rest } = readFields(mail.split(/\r?\n/, MOST_LINES));
  const found = BOUNDARY.exec(fields.get('content-type') ?? '');
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return null;
  for (const part of partsOf(rest, boundary)) {
    const { fields: head, rest: body } = readFields(part);
    if (!/^message\/(global-)?delivery-status\b/i.test(head.get('content-type') ?? '')) continue;
    // The fields of the mail come first, those of each recipient after an empty line.
    const recipient = readFields(skipEmpty(readFields(skipEmpty(body)).rest)).fields;
    const [, action] = ACTION.exec(recipient.get('action') ?? '') ?? [];
    const [, status] = STATUS.exec(recipient.get('status') ?? '') ?? [];
    if (action === undefined || status === undefined) return null;
    return { action: action.toLowerCase() as DeliveryReport['action'], status };
  }
  return null;
}

/** The first of each field, unfolded, up to an empty line; and the lines behind it. */
export function readFields(lines: readonly string[]) {
  const fields = new Map<string, string>();
  let last = '';
  let at = 0;
  for (; at < lines.length && lines[at] !== ''; at += 1) {
    const line = lines[at] ?? '';
    const [, name, value] = /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      last = fields.has(name.toLowerCase()) ? '' : name.toLowerCase();
      if (last !== '') fields.set(last, value ?? '');
    } else if (/^[ \t]/.test(line) && last !== '') {
      fields.set(last, `${fields.get(last)} ${line.trim()}`.trimStart());
    }
  }
  return { fields, rest: lines.slice(at + 1) };
}

function skipEmpty(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first);
}

function partsOf(lines: readonly string[], boundary: string): string[][] {
  const parts: string[][] = [];
  for (const line of lines) {
    const mark = line.trimEnd();
    if (mark === `--${boundary}--`) break;
    if (mark === `--${boundary}`) parts.push([]);
    else parts.at(-1)?.push(line);
    if (parts.length > MOST_PARTS) break;
  }
  return parts;
}
