import assert from 'node:assert/strict';
import { it } from 'node:test';
import { visitConsole } from '../support/console/console-client.ts';
import { startIdentityProvider } from '../support/console/identity-provider.ts';
import { startTestService } from '../support/service/service.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
/** The bounds of a sign-in are 5 s and 8 s; the rest is for a slow machine. */
const LONGEST_MS = 25_000;

it('tells people in time that the provider is silent, and lets sessions go on', async () => {
  const provider = await startIdentityProvider({ now: START });
  const settings = { ...provider.settings, CONSOLE_ROLES: 'ops=operator' };
  const service = await startTestService({ start: START, settings });
  const signInAt = async (address: string) => {
    const { back } = await provider.signIn(address, 'ada');
    return back.pathname + back.search;
  };
  try {
    await provider.setPeople({ ada: { name: 'Ada', groups: ['ops'] } });
    const [signedIn, waiting, late] = [1, 2, 3].map(() => visitConsole(service));
    assert.ok(signedIn && waiting && late);
    const begin = async (client: typeof signedIn) =>
      (await client.get('/console/sign-in/start')).location ?? '';
    await signedIn.get(await signInAt(await begin(signedIn)));
    const answer = await signInAt(await begin(waiting));
    provider.silence();
    const startedMs = performance.now();
    const refused = await waiting.get(answer);
    assert.ok(performance.now() - startedMs < LONGEST_MS);
    assert.match(refused.location ?? '', /fault=SILENT/);
    const page = await waiting.get(refused.location ?? '');
    assert.equal(page.status, 503);
    assert.match(page.html, /did not answer in time/);
    assert.equal((await signedIn.get('/console')).status, 200);
    // The kept document leads people to the provider, which answers for itself.
    assert.match(await begin(late), /^http:\/\/127\.0\.0\.1:\d+\/auth\?/);
  } finally {
    provider.wake();
    await service.stop();
    await provider.stop();
  }
});
