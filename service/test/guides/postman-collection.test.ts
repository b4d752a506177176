import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import vm from 'node:vm';
import { GUIDES_FOLDER } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import { type DnsServer, startDnsServer } from '../support/network/dns-server.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

interface Field {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Request {
  readonly method: string;
  readonly auth?: { readonly type: string; readonly basic?: readonly Field[] };
  readonly header: readonly Field[];
  readonly url: {
    readonly raw: string;
    readonly host: readonly string[];
    readonly path?: readonly string[];
    readonly query?: readonly Field[];
    readonly variable?: readonly Field[];
  };
  readonly body?: {
    readonly mode: string;
    readonly raw?: string;
    readonly urlencoded?: readonly Field[];
  };
}

interface Event {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}

interface Item {
  readonly name: string;
  readonly request: Request;
  readonly event?: readonly Event[];
}

interface Collection {
  readonly info: { readonly name: string; readonly schema: string };
  readonly auth: { readonly bearer: readonly Field[] };
  readonly event: readonly Event[];
  readonly variable: readonly Field[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

const FILE = join(GUIDES_FOLDER, 'payment-requests.postman_collection.json');
const collection: Collection = JSON.parse(readFileSync(FILE, 'utf8'));
const items = collection.item.flatMap(({ item }) => item);
const formOf = (fields: readonly Field[]) =>
  new URLSearchParams(Object.fromEntries(fields.map(({ key, value }) => [key, value])));
const enabled = (fields: readonly Field[] = []) => fields.filter(({ disabled }) => !disabled);

describe('the Postman collection', () => {
  let dns: DnsServer;
  let service: TestService;
  let variables: Map<string, string>;
  let tokenCalls = 0;

  before(async () => {
    dns = await startDnsServer(() => 'NXDOMAIN');
    service = await startTestService({ settings: { WEBHOOK_RESOLVERS: dns.address } });
    const { username, password, apiKey } = await service.createMerchant();
    variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
    const own = { username, password, api_key: apiKey };
    const addresses = {
      origin: service.url,
      base_url: `${service.url}/v1`,
      auth_url: `${service.url}/oauth2/token`,
    };
    for (const [key, value] of Object.entries({ ...own, ...addresses })) variables.set(key, value);
  });
  after(async () => {
    await service.stop();
    await dns.close();
  });

  /** Replaces `{{name}}`, as Postman does; an unknown variable is a fault of the collection. */
  function fill(text: string): string {
    return text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return randomUUID();
      const value = variables.get(name);
      assert.ok(value !== undefined, `the collection has no variable ${name}`);
      return value;
    });
  }

  /** Runs scripts with the parts of Postman's `pm` that they use. */
  async function run(events: readonly Event[] = [], listen: string, answer?: object) {
    const waiting: Promise<void>[] = [];
    const store = {
      get: (key: string) => variables.get(key),
      set: (key: string, value: string) => variables.set(key, value),
    };
    const sendRequest = (
      request: { url: string; method: string; header: object; body: { urlencoded: Field[] } },
      done: (error: unknown, response: object) => void,
    ) => {
      tokenCalls += 1;
      const form = formOf(request.body.urlencoded);
      const sent = fetch(request.url, {
        method: request.method,
        headers: { ...request.header },
        body: form,
      });
      waiting.push(
        sent.then(async (response) => {
          const body = await response.json();
          done(null, { code: response.status, json: () => body });
        }),
      );
    };
    const pm = { variables: store, collectionVariables: store, sendRequest, response: answer };
    for (const { script } of events.filter((event) => event.listen === listen)) {
      vm.runInNewContext(script.exec.join('\n'), { pm, btoa });
    }
    await Promise.all(waiting);
  }

  async function send(name: string) {
    const item = items.find((each) => each.name === name);
    assert.ok(item, `the collection has no ${name}`);
    await run(collection.event, 'prerequest');
    const { method, auth, header, url, body } = item.request;
    const values = new Map(url.variable?.map(({ key, value }) => [`:${key}`, fill(value)]));
    const path = url.path?.map((segment) => values.get(segment) ?? segment).join('/');
    const headers = new Headers(enabled(header).map(({ key, value }) => [key, fill(value)]));
    if (auth === undefined) headers.set('authorization', `Bearer ${fill('{{access_token}}')}`);
    if (auth?.basic) {
      const [username, password] = auth.basic.map(({ value }) => fill(value));
      headers.set('authorization', `Basic ${btoa(`${username}:${password}`)}`);
    }
    const form = body?.urlencoded && formOf(body.urlencoded);
    const answer = await fetch(fill(url.host.join('')) + (path === undefined ? '' : `/${path}`), {
      method,
      headers,
      body: body?.raw ?? form ?? null,
    });
    const text = await answer.text();
    const json = text === '' ? undefined : JSON.parse(text);
    await run(item.event, 'test', { code: answer.status, json: () => json });
    return { status: answer.status, json };
  }

  it('has the shape of format 2.1 and declares every variable that it uses', () => {
    assert.match(collection.info.schema, /\/v2\.1\.0\/collection\.json$/);
    for (const { name, request } of items) {
      const { url, body, method } = request;
      assert.match(method, /^(GET|POST|PATCH|DELETE)$/, name);
      assert.equal(url.raw, [...url.host, ...(url.path ?? [])].join('/'), name);
      for (const segment of url.path ?? []) {
        const isNamed = url.variable?.some(({ key }) => `:${key}` === segment);
        assert.equal(segment.startsWith(':'), isNamed ?? false, `${name}: ${segment}`);
      }
      if (body) assert.ok(Array.isArray(body[body.mode as 'urlencoded']) || body.raw, name);
      fill(JSON.stringify(request));
    }
    const names = items.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  it('has every call of the OpenAPI document', async () => {
    const { json } = await service.call('GET', '/openapi.json');
    const documented = Object.entries(json.paths as Record<string, object>).flatMap(
      ([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const collected = items.map(({ request: { method, url } }) => {
      const path = url.raw
        .replace('{{auth_url}}', '/oauth2/token')
        .replace('{{base_url}}', '/v1')
        .replace('{{origin}}', '')
        .replace(/:(\w+)/g, '{$1}');
      return `${method} ${path}`;
    });
    assert.deepEqual(new Set(collected), new Set(documented));
  });

  it('buys one token, creates, reads, simulates and lists', async () => {
    assert.equal((await send('Get an access token')).status, 200);
    const created = await send('Create a payment request');
    assert.equal(created.status, 201, JSON.stringify(created.json));
    const read = await send('Read a payment request');
    assert.deepEqual([read.status, read.json.id], [200, created.json.id]);
    assert.equal((await send('Update a payment request')).status, 200);
    assert.equal((await send('Simulate an outcome: The institution refuses')).status, 202);
    assert.equal((await send('Read the timeline of a payment request')).status, 200);
    assert.equal((await send('List payment requests')).json.data.length, 1);
    // The feed waits for older transactions of the server, also of other databases.
    await eventually(async () => (await send('Follow the events')).json.data.length === 1);
    assert.equal((await send('Create a payment request: With every field')).status, 201);
    assert.equal((await send('Cancel a payment request')).json.status, 'CANCELLED');
    assert.equal((await send('Read the key set')).status, 200);
    assert.equal(tokenCalls, 1);
  });

  it('finds its webhook endpoint, delivery and replay again', async () => {
    assert.equal((await send('Register a webhook endpoint')).status, 201);
    assert.equal((await send('Read a webhook endpoint')).status, 200);
    assert.equal((await send('Change a webhook endpoint')).status, 200);
    assert.equal((await send('Send a test to a webhook endpoint')).status, 202);
    assert.equal((await send('Read a webhook delivery')).status, 200);
    assert.equal((await send('Send a span of time to a webhook endpoint again')).status, 202);
    assert.equal((await send('Read the progress of a replay')).status, 200);
    assert.equal((await send('Delete a webhook endpoint')).status, 204);
  });
});
