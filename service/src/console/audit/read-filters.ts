import type { AuditQuery } from '#audit/list-audit-log.ts';

const DAY_MS = 86_400_000;
const LONGEST_TEXT = 100;

/** The filters of the list, as its address gives them. A value of another form filters nothing. */
export function readFilters(query: URLSearchParams): AuditQuery {
  const until = dayOf(query.get('until'));
  return {
    cursor: query.get('cursor'),
    merchantId: textOf(query.get('merchant')),
    action: textOf(query.get('action'))?.toUpperCase() ?? null,
    actor: textOf(query.get('actor')),
    since: dayOf(query.get('since')),
    // People mean the day itself, too.
    until: until && new Date(until.getTime() + DAY_MS),
  };
}

function textOf(text: string | null): string | null {
  const trimmed = text?.replaceAll('\0', '').trim().slice(0, LONGEST_TEXT) ?? '';
  return trimmed === '' ? null : trimmed;
}

function dayOf(text: string | null): Date | null {
  if (text === null || !/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00Z`);
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text) ? null : day;
}
