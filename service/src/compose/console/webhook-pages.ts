import { readGuideSnippets } from '#api-reference/guides/read-snippets.ts';
import type { WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { renderTestWebhook } from '#payment-requests/test-webhook/render-test-webhook.ts';
import type { Foundation } from '../foundation.ts';
import type { Parts } from '../parts.ts';

const WEBHOOK_GUIDE = 'receive-webhooks.md';

/** The needs of the console's pages about webhooks. */
export function consoleWebhooksOf(
  { config, clock }: Foundation,
  { guard, move }: Parts,
): WebhookPagesDeps['webhooks'] {
  return {
    ...{ ...config, clock, guard },
    retryScheduleSeconds: config.webhookRetryScheduleSeconds,
    renderTestEvent: (event) => renderTestWebhook(event, config),
    wakeSenders: move.wakeSenders,
    readCode: memoizeAsync(readCode),
  };
}

/** The code of the guide, coloured by the ending of its file's name. */
async function readCode() {
  const [{ colouredCode }, snippets] = await Promise.all([
    import('#http/pages/code-block.ts'),
    readGuideSnippets(WEBHOOK_GUIDE),
  ]);
  return snippets.map(({ name, code }) => {
    const [, ending = ''] = name.split('.');
    return { name, code, coloured: colouredCode(code, ending) };
  });
}
