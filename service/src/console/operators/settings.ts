import { html } from 'ghtml';
import { amount } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { FormField } from '#console/forms/form-field.ts';
import { button, type Refusal } from '#console/forms/render-form.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { FormKind } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { formatAmount, parseAmountCents } from '#lib/money.ts';
import { LONGEST_EMAIL } from '#lib/text-forms.ts';
import { changeOrigins } from '#merchants/change-origins.ts';
import { setMessageLimits } from '#merchants/message-limits/set-message-limits.ts';
import { setNotices } from '#merchants/notices/set-notices.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { setLimits } from '#merchants/set-limits.ts';
import { framed, linesOf, originsField } from './onboard.ts';
import { OPERATOR_TEXTS } from './parts.ts';

/** A sum that no merchant gives back in a day. */
const HIGHEST_LIMIT_CENTS = 100_000_000_000;

/** A message a millisecond; a deployment's own limit ends there, too. */
const MOST_IN_AN_HOUR = 3_600_000;

/** A value that operators set alone: a row of the merchant's page, and the form behind the row. */
export interface Setting {
  /** The form's place below the merchant's page. */
  readonly path: string;
  /** The key of the line that says what was saved. */
  readonly done: string;
  field(visit: Visit, merchant: MerchantSettings): FormField & { readonly label: string };
  /** HTML; empty: there is no value. */
  shown(visit: Visit, merchant: MerchantSettings): string;
  /** @throws OperatorFault for a value that the setting does not take */
  save(
    deps: ConsoleDeps,
    visit: Visit,
    merchant: MerchantSettings,
    typed: string,
  ): Promise<unknown>;
}

function origins(use: 'return' | 'webhook'): Setting {
  const listOf = (merchant: MerchantSettings) => merchant[`${use}Origins`];
  return {
    path: `origins/${use}`,
    done: `saved.${use}`,
    field: (visit, merchant) => originsField(visit, use, listOf(merchant).join('\n')),
    shown: (_, merchant) => html`${listOf(merchant).join(', ')}`,
    save(deps, { actor }, merchant, typed) {
      const [before, wanted] = [listOf(merchant), linesOf(typed)];
      const add = wanted.filter((origin) => !before.includes(origin));
      const remove = before.filter((origin) => !wanted.includes(origin));
      const { isLocal } = deps.operators;
      const change = { merchantId: merchant.id, use, add, remove };
      return changeOrigins({ ...deps, isLocal, actor }, change);
    },
  };
}

const limits: Setting = {
  path: 'limits',
  done: 'limitsSaved',
  field({ language }, { refundsPerDayCents }) {
    const { text } = OPERATOR_TEXTS[language];
    return {
      name: 'refundsPerDay',
      kind: 'amount',
      label: text('refundsPerDay'),
      value: formatAmount(refundsPerDayCents),
      hint: text('refundsPerDayHint'),
    };
  },
  shown: (visit, { refundsPerDayCents: cents }) =>
    cents === 0 ? OPERATOR_TEXTS[visit.language].text('refundsOff') : amount(visit, cents),
  save: (deps, visit, { id }, typed) =>
    setLimits({ ...deps, actor: visit.actor }, id, limitOf(visit, typed)),
};

/** 0 and nothing give the merchant's own limit up. */
function messageLimit(kind: 'mails' | 'sms'): Setting {
  const name = `${kind}PerHour` as const;
  return {
    path: `limits/${kind}`,
    done: `saved.${kind}`,
    field({ language }, { messageLimits }) {
      const { text } = OPERATOR_TEXTS[language];
      const value = messageLimits[name] === null ? '' : `${messageLimits[name]}`;
      const maxLength = `${MOST_IN_AN_HOUR}`.length;
      return { name, label: text(`perHour.${kind}`), hint: text('perHourHint'), value, maxLength };
    },
    shown: ({ language }, { messageLimits }) =>
      html`${messageLimits[name] ?? OPERATOR_TEXTS[language].text('asDeployed')}`,
    async save(deps, { actor, language }, { id }, typed) {
      const count = Number(typed.trim());
      if (!Number.isInteger(count) || count < 0 || count > MOST_IN_AN_HOUR) {
        const { text } = OPERATOR_TEXTS[language];
        throw new OperatorFault(text('countFault', { most: MOST_IN_AN_HOUR }));
      }
      return setMessageLimits({ ...deps, actor }, id, { [name]: count || null });
    },
  };
}

const notices: Setting = {
  path: 'notices',
  done: 'noticesSaved',
  field({ language }, { noticeEmail: value }) {
    const { text } = OPERATOR_TEXTS[language];
    return {
      name: 'email',
      label: text('notices'),
      value,
      hint: text('noticesHint'),
      maxLength: LONGEST_EMAIL,
    };
  },
  shown: (_, { noticeEmail }) => html`${noticeEmail ?? ''}`,
  save: (deps, { actor }, { id }, typed) =>
    setNotices({ ...deps, actor }, id, typed.trim() || null),
};

export const SETTINGS: readonly Setting[] = [
  limits,
  messageLimit('mails'),
  messageLimit('sms'),
  origins('return'),
  origins('webhook'),
  notices,
];

/** Saves, or goes back to the merchant. */
/** The form of a setting, with the value in force or with a refused one. */
/** A form of a merchant: its page, and what the service saves. */
export interface MerchantForm extends Pick<Setting, 'path' | 'done'> {
  readonly size?: FormKind;
  show(
    visit: Visit,
    merchant: MerchantSettings,
    deps: ConsoleDeps,
    /** The form as it was sent, and why it was refused. */
    again?: { readonly sent: URLSearchParams; readonly refusal: Refusal },
  ): ConsolePage | Promise<ConsolePage>;
  save(
    deps: ConsoleDeps & { readonly actor: string },
    visit: Visit,
    merchant: MerchantSettings,
    sent: URLSearchParams,
  ): Promise<unknown>;
}

export const settingForm = (setting: Setting): MerchantForm => ({
  ...setting,
  show: (visit, merchant, _deps, again) => settingPage(visit, merchant, setting, again),
  save: (deps, visit, merchant, sent) =>
    setting.save(deps, visit, merchant, sent.get(setting.field(visit, merchant).name) ?? ''),
});

function settingPage(
  visit: Visit,
  merchant: MerchantSettings,
  setting: Setting,
  { sent, refusal }: Partial<Parameters<MerchantForm['show']>[3]> = {},
): ConsolePage {
  const field = setting.field(visit, merchant);
  const { text } = OPERATOR_TEXTS[visit.language];
  const key = setting.done as 'limitsSaved';
  const page = {
    title: field.label,
    under: text(`effect.${key}`),
    ...(refusal && { refusal: { ...refusal, field: field.name } }),
    sent,
    items: [{ ...field, label: text(`label.${key}`, { currency: visit.currency }) }],
    buttons: button(text('save')),
  };
  return framed(visit, page, merchant);
}

/** @throws OperatorFault for a text that is no amount */
function limitOf({ language }: Visit, typed: string): number {
  const source = readTypedAmount(typed);
  const cents = parseAmountCents(source, HIGHEST_LIMIT_CENTS);
  if (typeof cents === 'number') return cents;
  if (/^0+(\.0+)?$/.test(source)) return 0;
  throw new OperatorFault(OPERATOR_TEXTS[language].text('amountFault'));
}
