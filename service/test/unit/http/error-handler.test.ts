import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { systemClock } from '#lib/clock.ts';
import { PROBLEM_CODES, Problem } from '#lib/problem.ts';

describe('the answer of a problem', () => {
  it('is kept by no cache, whatever its code and whatever the route said before', async () => {
    const app = Fastify();
    registerErrorHandler(app, { origin: 'https://pay.test', clock: systemClock });
    app.get<{ Params: { code: (typeof PROBLEM_CODES)[number] } }>('/:code', (request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      throw new Problem(request.params.code);
    });
    for (const code of PROBLEM_CODES) {
      const answer = await app.inject(`/${code}`);
      assert.equal(answer.statusCode, PROBLEMS[code].status, code);
      assert.equal(answer.headers['cache-control'], 'no-store', code);
    }
    await app.close();
  });
});
