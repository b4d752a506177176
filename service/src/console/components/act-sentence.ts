import type { EntryMembers } from '#audit/entry-members.ts';
import { personOfActor } from '#audit/person-of-actor.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { AUDIT_ACTIONS } from '#merchants/audit-actions.ts';

const ACT_TEXTS = pageTexts('console.acts');

/**
 * The act of a person or program, as a sentence about an entry of the audit log.
 *
 * @param other names an actor who is no person of the console
 */
export function actSentence(
  { language, currency }: Visit,
  { actor, action, details }: Pick<EntryMembers, 'actor' | 'action' | 'details'>,
  other: string,
): string {
  const { text } = ACT_TEXTS[language];
  const who = personOfActor(actor) ?? (actor === 'api' ? text('merchantItself') : other);
  const { amountCents, kind } = details as Readonly<Record<string, unknown>>;
  const amount = localizedAmount(language, Number(amountCents ?? 0), currency);
  // A planted entry can have any act.
  const known = AUDIT_ACTIONS.find((each) => each === action) ?? 'OTHER';
  return text(`act.${known}`, { who, amount, action, kind: `${kind}` });
}
