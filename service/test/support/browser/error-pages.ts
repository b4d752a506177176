import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { createPayer } from '../payment-requests/payer.ts';
import type { Production } from '../service/production.ts';
import { startTestService } from '../service/service.ts';
import type { MeetablePage } from './payer-pages.ts';

type Fetch = (headers: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * Pages that are no address but an answer: to a form, to too many tries, while the database fails,
 * and what every link of a sandbox shows. The pages as the service sent them, in each language.
 */
export async function meetObstacles({ service, createLink }: Production): Promise<MeetablePage[]> {
  const pages: MeetablePage[] = [];
  const payer = createPayer(service);
  const choose = await payer.open((await createLink()).paymentLink);

  async function add(name: string, status: number, fetchPage: Fetch): Promise<void> {
    const answers = {} as Record<Language, string>;
    for (const language of LANGUAGES) {
      const answer = await fetchPage({ 'accept-language': language });
      if (answer.status !== status) throw new Error(`${name} is answered ${answer.status}`);
      answers[language] = await answer.text();
    }
    const address = `/obstacles/${pages.length}`;
    pages.push({ name, url: new URL(address, service.url).href, cookies: [], answers });
  }

  const send: Fetch = (headers) =>
    payer.request(choose.address, { method: 'POST', body: new URLSearchParams(), headers });
  await add('out of date', 403, send);

  const from = { 'x-forwarded-for': '192.0.2.77' };
  const mistype: Fetch = (headers) =>
    payer.request('/pay/Unknown000000000', { headers: { ...headers, ...from } });
  for (let miss = 0; miss < 20; miss++) await mistype({});
  await add('too many tries', 429, mistype);

  await service.database.sql('ALTER TABLE gateway_payments RENAME TO gateway_payments_away');
  await add('could not be opened', 503, (headers) => payer.request(choose.address, { headers }));
  await add('could not be finished', 503, send);
  await service.database.sql('ALTER TABLE gateway_payments_away RENAME TO gateway_payments');

  const sandbox = await startTestService();
  await add('sandbox link', 404, (headers) =>
    createPayer(sandbox).request('/pay/Unknown000000000', { headers }),
  );
  await sandbox.stop();
  return pages;
}
