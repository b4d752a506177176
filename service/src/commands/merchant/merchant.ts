import { factsOf, tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { flag, MERCHANT, option, repeatable, required } from '#commands/cli/inputs.ts';
import { type ListedMerchant, listMerchants } from '#merchants/merchant-store.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { listVersions, setAccount } from './accounts.ts';
import { setMessages } from './set-messages.ts';
import { setProfile } from './set-profile.ts';
import { setLimits, setNotices, setOrigins, setWebhookUrl, urlGuardOf } from './settings.ts';

const create = defineCommand({
  summary: 'register a merchant and print its credentials, this once',
  options: {
    name: required('<name>', 'the name that payers see, 1 to 100 characters'),
    webhookUrl: option(
      '<url>',
      'the URL for all its events (https). For integration testing the sandbox should have ' +
        'another URL than production',
    ),
    webhookOrigin: repeatable(
      '<origin>',
      'an origin that a payment request’s own webhookUrl may have in production, as in ' +
        'https://shop.example; repeatable. The origin of --webhook-url is always registered',
    ),
    returnOrigin: repeatable(
      '<origin>',
      'an origin that a returnUrl, the link back to the merchant’s pages, may have in ' +
        'production; repeatable',
    ),
    uniqueTransactionIds: flag('refuse a merchantTransactionId that the merchant has used before'),
  },
  run(deployment, { webhookOrigin: webhookOrigins, returnOrigin: returnOrigins, ...asked }) {
    const guard = urlGuardOf(deployment);
    const checkWebhookUrl = (url: string) => guard.check(url, 'save');
    const merchant = { ...asked, webhookOrigins, returnOrigins };
    return onboardMerchant({ ...deployment, checkWebhookUrl }, merchant);
  },
  print: ({ merchantId, name, username, password, apiKey, listener }) => [
    `Merchant "${name}" is registered.`,
    '',
    ...factsOf({
      'Merchant id': merchantId,
      Username: username,
      Password: password,
      'API key': apiKey,
    }),
    '',
    'Its webhook listener is called with these:',
    ...factsOf({
      Username: listener.username,
      Password: listener.password,
      'Signing secret': listener.signingSecret,
    }),
    '',
    'Keep the password and the API key now: only their hashes are stored, they cannot be shown',
    'again. The listener’s credentials can: payreq credentials show-listener.',
  ],
});

const list = defineCommand({
  summary: 'print all merchants',
  run: async ({ db }) => ({ merchants: await Array.fromAsync(listMerchants(db), toEntry) }),
  print: ({ merchants }) =>
    tableOf(
      'There is no merchant yet: payreq merchant create --help',
      ['MERCHANT ID', 'STATUS', 'CREATED', 'NAME'],
      merchants.map(({ merchantId, status, createdDateTime, name }) => [
        ...[merchantId, status, createdDateTime.slice(0, 10), name],
      ]),
    ),
});

function toEntry({ id, createdAt, messageSettings: _, ...merchant }: ListedMerchant) {
  return { merchantId: id, ...merchant, createdDateTime: createdAt.toISOString() };
}

const suspend = defineCommand({
  summary:
    'refuse a merchant’s calls, and end its tokens, within 5 s; payments that payers have ' +
    'confirmed still end, and their webhooks are delivered',
  options: { merchant: MERCHANT },
  async run(deployment, { merchant }) {
    const { id: merchantId, name, status } = await suspendMerchant(deployment, merchant);
    return { merchantId, name, status };
  },
  print: ({ name }) => `Merchant "${name}" is suspended.`,
});

const resume = defineCommand({
  summary: 'lift a suspension; the merchant needs new tokens, its credentials stay the same',
  options: { merchant: MERCHANT },
  async run(deployment, { merchant }) {
    const { id: merchantId, name, status } = await resumeMerchant(deployment, merchant);
    return { merchantId, name, status };
  },
  print: ({ name }) => `Merchant "${name}" is active.`,
});

/** `payreq merchant`: every command about merchants. */
export const merchantCommand = defineNoun('the businesses that create payment requests', {
  create,
  list,
  suspend,
  resume,
  setProfile,
  setAccount,
  setLimits,
  setNotices,
  setMessages,
  listAccounts: listVersions,
  setWebhookUrl,
  setWebhookOrigins: setOrigins('webhook'),
  setReturnOrigins: setOrigins('return'),
});
