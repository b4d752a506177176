import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerJsonBody } from '#http/json/body.ts';
import { isId } from '#lib/new-id.ts';
import type { TokenScope } from '../../network-connection.ts';
import type { DeliverDeps } from '../refunds-out/deliver-files.ts';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import type { UsedToken } from '../tokens/token-store.ts';
import { type AdmitDeps, admit } from './admit.ts';
import { claimFile, endClaim, waitingFiles } from './hand-out.ts';
import { ProgramRefusal } from './program-refusal.ts';
import { checkDigest, takeUpload } from './take-upload.ts';

export type ProgramRoutesDeps = AdmitDeps & DeliverDeps;

/** Each holds its file in memory: 25 MB. */
const UPLOADS_AT_ONCE = 2;
const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;

declare module 'fastify' {
  interface FastifyRequest {
    bankToken: UsedToken | null;
  }
}

/** The calls of banks' programs, for the operators' listener (bank-connection §6). */
export function registerProgramRoutes(app: FastifyInstance, deps: ProgramRoutesDeps): void {
  app.decorateRequest('bankToken', null);
  app.register(async (scope) => {
    answerRefusals(scope);
    registerUpload(scope, deps);
    registerHandOut(scope, deps);
  });
}

/** Only a program reads the answer: the sentence is for the log of its person. */
function answerRefusals(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, _request, reply) => {
    const refusal =
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? new ProgramRefusal(413, 'PAYLOAD_TOO_LARGE', 'The file is above 25 MB.')
        : error;
    if (!(refusal instanceof ProgramRefusal)) throw error;
    const { status, code, message, retryAfterSeconds } = refusal;
    if (retryAfterSeconds !== null) reply.header('retry-after', `${retryAfterSeconds}`);
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="bank programs"');
    return reply.code(status).send({ code, detail: message });
  });
}

/** Finds the token before the body is read. */
const admitted =
  (deps: ProgramRoutesDeps, scope: TokenScope) => async (request: FastifyRequest) => {
    const { headers, socket } = request;
    request.bankToken = await admit(deps, scope, headers, socket.remoteAddress ?? '');
  };

function registerUpload(app: FastifyInstance, deps: ProgramRoutesDeps): void {
  let open = 0;
  async function takeTurn(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (open >= UPLOADS_AT_ONCE) {
      throw new ProgramRefusal(503, 'BUSY', 'Two files are being taken: try again.', 5);
    }
    open += 1;
    // Also of a caller that goes away: the body of a call has 30 s to arrive.
    reply.raw.once('close', () => {
      open -= 1;
    });
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.put<{ Params: { name: string } }>(
      '/bank-files/:name',
      {
        schema: { hide: true },
        bodyLimit: LARGEST_STATEMENT_BYTES,
        onRequest: [admitted(deps, 'bank-files/write'), takeTurn],
      },
      async (request, reply) => {
        const bytes = bytesOf(request);
        const {
          fileId: id,
          isNew,
          ...verdict
        } = await takeUpload(deps, bytes, accountsOf(request));
        if (verdict.state === 'TAKEN')
          return reply.code(isNew ? 201 : 200).send({ id, ...verdict });
        if (verdict.state === 'REFUSED') {
          return reply.code(422).send({ id, code: 'FILE_REFUSED', detail: verdict.reason });
        }
        const sentence = 'The file is stored, and read soon. Send it again to hear the verdict.';
        throw new ProgramRefusal(503, 'VERDICT_PENDING', sentence, 60);
      },
    );
  });
}

/** @throws ProgramRefusal that names the member of the call */
function bytesOf({ params, headers, body }: FastifyRequest): Buffer {
  const { name } = params as { readonly name: string };
  if (!FILE_NAME.test(name)) {
    const sentence = 'name: 1 to 100 letters, digits, dots, dashes and underscores.';
    throw new ProgramRefusal(400, 'NAME_INVALID', sentence);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    const sentence = 'Content-Encoding: leave it out. A gzip or zip file is sent as it is.';
    throw new ProgramRefusal(415, 'ENCODING_NOT_SUPPORTED', sentence);
  }
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ProgramRefusal(400, 'BODY_EMPTY', 'The body is empty: send the bytes of the file.');
  }
  checkDigest(headers['content-digest'], body);
  return body;
}

function registerHandOut(app: FastifyInstance, deps: ProgramRoutesDeps): void {
  registerJsonBody(app);
  const options = {
    schema: { hide: true },
    onRequest: admitted(deps, 'payment-files/send'),
  };
  app.get<{ Querystring: { status?: string } }>(
    '/payment-files',
    options,
    async (request, reply) => {
      if (request.query.status !== 'WAITING') {
        throw new ProgramRefusal(400, 'STATUS_INVALID', 'status: it must be WAITING.');
      }
      return reply.send({ data: await waitingFiles(deps, accountsOf(request)) });
    },
  );
  app.post<{ Params: { id: string } }>(
    '/payment-files/:id/claim',
    options,
    async (request, reply) => {
      const claimId = claimIdOf(request);
      const bytes = await claimFile(deps, request.params.id, claimId, accountsOf(request));
      const digest = createHash('sha256').update(bytes).digest('base64');
      reply.header('content-digest', `sha-256=:${digest}:`);
      return reply.type('application/xml').send(bytes);
    },
  );
  app.post<{ Params: { id: string } }>(
    '/payment-files/:id/sent',
    options,
    async (request, reply) => {
      await endClaim(deps, request.params.id, claimIdOf(request), accountsOf(request));
      return reply.code(204).send();
    },
  );
}

const accountsOf = ({ bankToken }: FastifyRequest) => bankToken?.accounts ?? [];

/** @throws ProgramRefusal */
function claimIdOf({ body }: FastifyRequest): string {
  const { claimId } = (body ?? {}) as { readonly claimId?: unknown };
  if (typeof claimId === 'string' && isId(claimId)) return claimId.toLowerCase();
  const sentence = 'claimId: a UUID that the program keeps before it asks, and sends each time.';
  throw new ProgramRefusal(400, 'CLAIM_ID_INVALID', sentence);
}
