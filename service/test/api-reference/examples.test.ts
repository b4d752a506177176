import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fillPath, makeThings } from '../support/call-examples/example-things.ts';
import { runSamples } from '../support/call-examples/run-samples.ts';
import { readShownCalls, type ShownCall } from '../support/call-examples/shown-calls.ts';
import { whyNoPython } from '../support/clients/python.ts';
import { type DnsServer, startDnsServer } from '../support/network/dns-server.ts';
import {
  type Answer,
  type CallOptions,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface Content {
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >;
}

interface DocumentedCall {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

let dns: DnsServer;
let service: TestService;
let merchant: TestMerchant;
let calls: readonly DocumentedCall[];

before(async () => {
  dns = await startDnsServer(() => 'NXDOMAIN');
  service = await startTestService({ settings: { WEBHOOK_RESOLVERS: dns.address } });
  merchant = await service.createMerchant();
  const { json } = await service.call('GET', '/openapi.json');
  calls = Object.entries(json.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
});
after(async () => {
  await service.stop();
  await dns.close();
});

/** The status under which an example's answer stands; that of a request alone is in its name. */
function statusOf({ responses }: Operation, name: string): number {
  const status = Object.entries(responses).find(([, { content }]) =>
    Object.values(content ?? {}).some(({ examples }) => examples?.[name]),
  );
  return Number(status?.[0] ?? 400);
}

/** The path of a call, with a thing of its own for it to find. */
async function pathOf({ path }: DocumentedCall): Promise<string> {
  return fillPath(path, await makeThings(service, merchant, path));
}

async function send(call: DocumentedCall, options: CallOptions): Promise<Answer> {
  const isToken = call.operation.operationId === 'createAccessToken';
  const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
  const headers = isToken ? { authorization: `Basic ${basic}` } : merchant.headers;
  return service.call(call.method, await pathOf(call), {
    ...options,
    headers: { ...headers, ...options.headers },
  });
}

function encode(type: string, value: unknown): string {
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(value as Record<string, string>).toString()
    : JSON.stringify(value);
}

describe('every documented example', () => {
  it('with a body can be sent unchanged in each media type, and gets the documented answer', async () => {
    const sent: string[] = [];
    for (const call of calls) {
      for (const [type, { examples }] of Object.entries(
        call.operation.requestBody?.content ?? {},
      )) {
        for (const [name, { value }] of Object.entries(examples ?? {})) {
          const { status, text } = await send(call, {
            headers: { 'content-type': type },
            body: encode(type, value),
          });
          const what = `${call.operation.operationId} ${name}`;
          assert.equal(status, statusOf(call.operation, name), `${what}: ${text}`);
          sent.push(what);
        }
      }
    }
    assert.ok(sent.length >= 15, `only ${sent}`);
  });

  it('without a body gets the documented answer', async () => {
    const without = calls.filter(({ operation }) => !operation.requestBody);
    assert.ok(without.length >= 9);
    for (const call of without) {
      const { status, text } = await send(call, {});
      assert.ok(status === 200 || status === 204, `${call.operation.operationId}: ${text}`);
    }
  });

  it('is there for every call: what it may send, and what it is answered', () => {
    for (const { operation } of calls) {
      const bodies = Object.values(operation.requestBody?.content ?? {});
      const answers = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => Object.values(content ?? {}).slice(0, 1));
      for (const { examples } of [...bodies, ...answers]) {
        assert.ok(Object.keys(examples ?? {}).length > 0, operation.operationId);
      }
    }
  });

  it('for a created payment request has the members of a real one, in their order', async () => {
    const create = calls.find(({ operation }) => operation.operationId === 'createPaymentRequest');
    assert.ok(create);
    const bodies = create.operation.requestBody?.content['application/json']?.examples ?? {};
    const answers = create.operation.responses['201']?.content?.['application/json']?.examples;
    for (const name of ['short', 'full']) {
      const { json } = await send(create, { body: bodies[name]?.value });
      assert.deepEqual(keysOf(answers?.[name]?.value), keysOf(json), name);
    }
  });
});

describe('the code of each call in the reference', () => {
  let shown: readonly ShownCall[];
  before(async () => {
    shown = await readShownCalls(service);
    assert.ok(shown.length >= calls.length);
  });

  // PHP has its run in npm run test:slow: a bare machine has no PHP.
  for (const language of ['curl', 'TypeScript', 'Python']) {
    it(`makes the documented call in ${language}, and no other`, async (test) => {
      const reason = language === 'Python' && (await whyNoPython());
      if (reason) return test.skip(reason);
      const { expected, made } = await runSamples(service, language, shown);
      assert.deepEqual(made, expected);
    });
  }

  it('is the same in the form for machines', async () => {
    for (const { id, code } of shown.slice(0, 5)) {
      const { text } = await service.call('GET', `/docs/${id}.md`);
      assert.deepEqual(Object.keys(code), ['curl', 'TypeScript', 'Python', 'PHP']);
      for (const [label, each] of Object.entries(code)) {
        assert.ok(text.includes(`**${label}**`), `${id} ${label}`);
        assert.ok(text.includes(`\`\`\`\n${each}\n\`\`\``), `${id} ${label}`);
      }
    }
  });
});

/** Every member's path, in the order of the text. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) => keysOf(member, `${path}/${key}`));
}
