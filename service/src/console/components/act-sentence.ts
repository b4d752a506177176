import type { EntryMembers } from '#audit/entry-members.ts';
import { partsOfActor, personOfActor } from '#audit/person-of-actor.ts';
import type { Visit } from '#console/shell/visit.ts';
import { LOCALES } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { AUDIT_ACTIONS } from '#merchants/audit-actions.ts';

const ACT_TEXTS = pageTexts('console.acts');

type ShownAct = Pick<EntryMembers, 'actor' | 'action' | 'details'>;

/** The act of a person or program, as a sentence about an entry of the audit log. */
export function actSentence(visit: Visit, act: ShownAct): string {
  return sentenceOf(visit, act, actorName(visit, act.actor));
}

/** The act alone, beside the name of the actor. */
export function actWords(visit: Visit, act: ShownAct): string {
  return upperFirst(sentenceOf(visit, act, '').replace(/^[\s:]+/, ''));
}

/** `payreq (ada)`, or `payreq (ada, as deploy)` where the account is another. */
const OPERATOR = /^payreq \(([^,]+)(?:, as .+)?\)$/;

/** The people or the program of an act, by name: the same on every page. */
export function actorName({ language }: Pick<Visit, 'language'>, actor: string): string {
  const { text } = ACT_TEXTS[language];
  const names = partsOfActor(actor).map((each) => {
    const [, name] = OPERATOR.exec(each) ?? [];
    if (name) return text('actor.named', { name });
    const program = PROGRAMS.find((known) => known === each.replace('payreq serve', 'service'));
    return personOfActor(each) ?? (program ? text(`actor.${program}`) : upperFirst(each));
  });
  const people = [...new Set(names)];
  return people.length < 2
    ? (people[0] ?? '')
    : new Intl.ListFormat(LOCALES[language]).format(people);
}

/** Actors without a name; of an operator, its merchant reads no more. */
const PROGRAMS = ['api', 'service', 'sandbox', 'operator'] as const;

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
