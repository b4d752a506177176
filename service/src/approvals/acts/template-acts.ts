import type { Facts } from '#approvals/model/facts.ts';
import type { Executor } from '#database/database.ts';
import { joinTransaction } from '#database/join-transaction.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { archiveTemplate, setTemplate } from '#messages/templates/change-template.ts';
import { templateState } from '#messages/templates/read-templates.ts';
import type { ActType, LockedFacts } from './act-type.ts';

/** Only a merchant’s own people need an operator (messages §4). */
const isByMerchant = ({ isByMerchant: is }: { readonly isByMerchant: boolean }) => is;

export const templateTarget = (merchantId: string, id: string) => `template:${merchantId}:${id}`;

export const TEMPLATE_SET: ActType<'TEMPLATE_SET'> = {
  targetOf: ({ merchantId, template }) => templateTarget(merchantId, idIn(template)),
  lockFacts: (tx, { merchantId, template }) => lockFacts(tx, merchantId, idIn(template)),
  needsApproval: isByMerchant,
  async act(tx, { clock }, { params, actor }) {
    const result = await setTemplate({ db: joinTransaction(tx), clock, actor }, params);
    const { id: templateId, version } = result.template;
    const audited = { templateId, version };
    return { result, isRepeated: !result.isNew, audited, changedIds: [] };
  },
};

export const TEMPLATE_ARCHIVE: ActType<'TEMPLATE_ARCHIVE'> = {
  targetOf: ({ merchantId, id }) => templateTarget(merchantId, id),
  lockFacts: (tx, { merchantId, id }) => lockFacts(tx, merchantId, id),
  needsApproval: isByMerchant,
  async act(tx, { clock }, { params: { merchantId, id }, actor }) {
    const result = await archiveTemplate({ db: joinTransaction(tx), clock, actor }, merchantId, id);
    return { result, audited: { templateId: id, version: result.version }, changedIds: [] };
  },
};

async function lockFacts(tx: Executor, merchantId: string, id: string): Promise<LockedFacts> {
  await lockKnownMerchant(tx, merchantId);
  const facts: Facts = { templateId: id, ...(await templateState(tx, merchantId, id)) };
  return { merchantId, amountCents: null, facts };
}

/** A template without an id is refused by the act itself. */
function idIn(template: unknown): string {
  return `${(template as { readonly id?: unknown } | null)?.id}`;
}
