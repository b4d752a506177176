import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { listen } from '../../src/compose/listen.ts';

it('binds every address of localhost in front of one handler, and lets go of all at a stop', async () => {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/', () => 'here');
  const port = await listen(app, 'localhost', 0, async () => ['127.0.0.1', '127.0.0.2', '::1']);
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const answer = await fetch(`http://${address}:${port}/`);
    assert.equal(await answer.text(), 'here', address);
  }
  await app.close();
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    await assert.rejects(fetch(`http://${address}:${port}/`), address);
  }
});
