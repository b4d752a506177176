import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runSamples } from '../../support/call-examples/run-samples.ts';
import { readShownCalls } from '../../support/call-examples/shown-calls.ts';
import { ensurePackages } from '../../support/debian-packages.ts';
import { type DnsServer, startDnsServer } from '../../support/network/dns-server.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

let dns: DnsServer;
let service: TestService;

before(async () => {
  await ensurePackages({ 'php-cli': '/usr/bin/php' });
  dns = await startDnsServer(() => 'NXDOMAIN');
  service = await startTestService({ settings: { WEBHOOK_RESOLVERS: dns.address } });
});
after(async () => {
  await service?.stop();
  await dns?.close();
});

describe('the code of each call in the reference', () => {
  it('makes the documented call in PHP, and no other', async () => {
    const { expected, made } = await runSamples(service, 'PHP', await readShownCalls(service));
    assert.ok(expected.length > 25);
    assert.deepEqual(made, expected);
  });
});
