import type { EntryMembers } from '#audit/entry-members.ts';
import { personOfActor } from '#audit/person-of-actor.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { AUDIT_ACTIONS } from '#merchants/audit-actions.ts';

const ACT_TEXTS = pageTexts('console.acts');

type ShownAct = Pick<EntryMembers, 'actor' | 'action' | 'details'>;

/**
 * The act of a person or program, as a sentence about an entry of the audit log.
 *
 * @param other names an actor who is no person of the console
 */
export function actSentence(visit: Visit, act: ShownAct, other: string): string {
  return sentenceOf(visit, act, actorName(visit, act.actor, other));
}

/** The act alone, beside the name of the actor. */
export function actWords(visit: Visit, act: ShownAct): string {
  return upperFirst(sentenceOf(visit, act, '').replace(/^[\s:]+/, ''));
}

/** The person or program of an act. */
export function actorName({ language }: Visit, actor: string, other = upperFirst(actor)): string {
  const merchant = actor === 'api' ? ACT_TEXTS[language].text('merchantItself') : other;
  return personOfActor(actor) ?? merchant;
}

function sentenceOf(
  { language, currency }: Visit,
  { action, details }: ShownAct,
  who: string,
): string {
  const { amountCents, kind } = details as Readonly<Record<string, unknown>>;
  const amount = localizedAmount(language, Number(amountCents ?? 0), currency);
  // A planted entry can have any act.
  const known = AUDIT_ACTIONS.find((each) => each === action) ?? 'OTHER';
  return ACT_TEXTS[language].text(`act.${known}`, { who, amount, action, kind: `${kind}` });
}
