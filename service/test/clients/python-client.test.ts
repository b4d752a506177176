import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PYTHON, whyNoPython } from '../support/clients/python.ts';
import { listenerCases, recordFrom } from '../support/webhooks/genuine-webhooks.ts';
import {
  type HttpsListener,
  startHttpsListener,
  startTlsListener,
} from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../../clients/python/', import.meta.url));
/** A busy machine takes ten times the two seconds. */
const RUN_MS = 60_000;
/** The simulated network takes seconds to give money back: the clock moves meanwhile. */
const ADVANCE_EVERY_MS = 150;
const ADVANCE_SECONDS = 5;

const skip = await whyNoPython();

describe('the client in Python', { skip }, () => {
  let service: WebhookService;
  let listener: HttpsListener;
  let front: Awaited<ReturnType<typeof startTlsListener>>;
  let folder: string;
  let ownTests: ReturnType<typeof runPython>;

  before(async () => {
    // They wait for silent peers; meanwhile the service starts.
    ownTests = runPython(['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']);
    ownTests.catch(() => {});
    folder = mkdtempSync(join(tmpdir(), 'python-client-'));
    service = await startWebhookService({ start: new Date() });
    listener = await startHttpsListener({ authority: service.authority });
    const { port } = new URL(service.url);
    const names = ['localhost'];
    const forward = (socket: TLSSocket) => {
      const inner = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    };
    front = await startTlsListener(
      service.authority,
      forward,
      await service.authority.issue({ names }),
    );
    writeFileSync(join(folder, 'ca.pem'), service.authority.caPem);
  });
  after(async () => {
    await front?.close();
    await listener?.close();
    await service?.stop();
    rmSync(folder, { recursive: true });
  });

  it('makes its calls over TLS, verifies genuine webhooks, and has a README that runs', async () => {
    const recording = await recordFrom(service, listener);
    const { username, password, apiKey } = await service.createMerchant();
    const origin = `https://localhost:${front.port}`;
    const given = {
      options: {
        ...{ base_url: `${origin}/v1`, auth_url: `${origin}/oauth2/token` },
        ...{ username, password, api_key: apiKey, ca_file: join(folder, 'ca.pem') },
      },
      listener: `${listener.url}/python`,
      folder,
      ...{ username: recording.listener.username, password: recording.listener.password },
      ...{ secret: recording.listener.signingSecret, next_secret: recording.nextSecret },
      cases: listenerCases(recording),
    };
    const running = runPython(['-m', 'tests.against_service'], { GIVEN: JSON.stringify(given) });
    let isOver = false;
    const ended = running.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await service.advance(ADVANCE_SECONDS);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ADVANCE_EVERY_MS))]);
    }
    const { stderr } = await ended;
    assert.match(stderr, /^Ran 9 tests/m);
  });

  it('keeps the rules of the SDK for tokens, retries, webhooks and silent peers', async () => {
    const { stderr } = await ownTests;
    assert.match(stderr, /^Ran [5-9]\d tests/m);
  });

  function runPython(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const python = { PYTHONPATH: join(CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
    const options = { cwd: CLIENT, env: { ...process.env, ...python, ...env }, timeout: RUN_MS };
    return run(PYTHON, ['-W', 'error', ...args], options);
  }
});
