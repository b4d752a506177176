import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FORMAT_FORMS, PATTERN_FORMS } from '#lib/text-forms.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let id: string;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  id = (await send('POST', '/v1/payment-requests', SMALLEST_BODY)).json.id;
});
after(() => service.stop());

const send = (method: string, path: string, body?: unknown, headers: object = {}) =>
  service.call(method, path, { headers: { ...merchant.headers, ...headers }, body });

const JSON_TYPE = { 'content-type': 'application/json' };

describe('an address with a slash at its end', () => {
  for (const [method, path] of [
    ['POST', '/v1/payment-requests/'],
    ['GET', '/v1/payment-requests/'],
    ['DELETE', '/v1/webhook-endpoints/'],
    ['GET', '/v1/payment-requests//timeline'],
    ['POST', '/oauth2/token/'],
  ] as const) {
    it(`is 404 with or without credentials: ${method} ${path}`, async () => {
      const body = method === 'POST' ? SMALLEST_BODY : undefined;
      for (const headers of [merchant.headers, {}]) {
        const { status, json } = await service.call(method, path, { headers, body });
        assert.deepEqual([status, json.code], [404, 'ROUTE_NOT_FOUND']);
        if (path.endsWith('/')) assert.match(json.detail, /Leave out the slash at its end/);
      }
    });
  }

  it('is 404 for OPTIONS too, so that no method is promised', async () => {
    assert.equal((await send('OPTIONS', '/v1/payment-requests/')).status, 404);
  });
});

describe('a format fault', () => {
  const faultOf = async (answer: ReturnType<typeof send>) => {
    const { status, json } = await answer;
    assert.equal(status, 400);
    assert.equal(json.errors.length, 1, JSON.stringify(json.errors));
    assert.equal(json.errors[0].code, 'INVALID_FORMAT');
    return json.errors[0].message as string;
  };
  const DATE = /as a calendar date YYYY-MM-DD, for example 2026-11-01/;
  const INSTANT = /as an RFC 3339 date-time with its time zone, for example 2026-11-01T00:00:00Z/;

  for (const dueDate of ['31/12/2026', '2026-11-01T00:00:00Z', '2026-02-30', '0000-01-01']) {
    it(`names the format of a date: ${dueDate}`, async () => {
      const { method, path } = { method: 'POST', path: '/v1/payment-requests' };
      assert.match(await faultOf(send(method, path, { ...SMALLEST_BODY, dueDate })), DATE);
    });
  }

  for (const expiryDateTime of [
    'tomorrow',
    '2026-11-01',
    '2026-11-01T00:00:00',
    '2026-11-01 00:00',
  ]) {
    it(`names the format of an instant: ${expiryDateTime}`, async () => {
      const asked = send('POST', '/v1/payment-requests', { ...SMALLEST_BODY, expiryDateTime });
      assert.match(await faultOf(asked), INSTANT);
    });
  }

  it('names the format of an instant in the address', async () => {
    const message = await faultOf(send('GET', '/v1/payment-requests?createdFrom=2026-11-01'));
    assert.match(message, INSTANT);
    assert.doesNotMatch(message, /%2B/);
  });

  it('says how + is sent where a + arrived as a space', async () => {
    for (const name of ['createdFrom', 'createdTo']) {
      const query = `${name}=2026-11-01T00:00:00+01:00`;
      const message = await faultOf(send('GET', `/v1/payment-requests?${query}`));
      assert.match(message, INSTANT);
      assert.match(message, /%2B/);
    }
  });

  it('names the format of the span of a replay', async () => {
    const path = '/v1/webhook-endpoints';
    const endpoint = (await send('POST', path, { url: 'https://8.8.8.8/' })).json;
    for (const from of ['yesterday', '2026-11-01']) {
      assert.match(await faultOf(send('POST', `${path}/${endpoint.id}/replay`, { from })), INSTANT);
    }
  });

  it('names the form of the pattern of a text', async () => {
    const payer = { ...SMALLEST_BODY.payer, preferredLanguage: 'French' };
    const message = await faultOf(
      send('POST', '/v1/payment-requests', { ...SMALLEST_BODY, payer }),
    );
    assert.match(message, /as two letters or as xx-YY, for example fr or fr-CA\.$/);
  });

  it('has words for each pattern and format of the documented calls', async () => {
    const { json } = await service.call('GET', '/openapi.json');
    const { schemas } = json.components;
    const asked: unknown[] = [];
    for (const operations of Object.values<Record<string, CallInDocument>>(json.paths)) {
      for (const { requestBody, parameters } of Object.values(operations)) {
        asked.push(requestBody, ...parameters.filter((each) => each.in === 'query'));
      }
    }
    const found = new Set<string>();
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { $ref, pattern, format } = node as Record<string, unknown>;
      if (typeof $ref === 'string') walk(schemas[$ref.split('/').at(-1) ?? '']);
      if (typeof pattern === 'string') {
        assert.ok(PATTERN_FORMS[pattern], pattern);
        found.add(pattern);
      }
      if (typeof format === 'string') assert.ok(FORMAT_FORMS[format], format);
      Object.values(node).forEach(walk);
    };
    walk(asked);
    assert.ok(found.size >= 5, `${[...found]}`);
  });
});

interface CallInDocument {
  readonly requestBody?: object;
  readonly parameters: readonly { readonly in?: string }[];
}

describe('several values in one parameter', () => {
  const LISTS = [
    ['/v1/payment-requests', 'status', 'PAID', 'FAILED'],
    ['/v1/refunds', 'status', 'CREATED', 'FAILED'],
    ['/v1/webhook-deliveries', 'status', 'PENDING', 'EXHAUSTED'],
    ['/v1/ledger-entries', 'type', 'PAYMENT', 'REFUND'],
    ['/v1/events', 'eventTypes', 'PAYMENT-FAILED', 'REFUND-FAILED'],
  ] as const;

  for (const [path, name, one, other] of LISTS) {
    it(`are repeated or have commas: ${name} of ${path}`, async () => {
      const bodies = [];
      for (const query of [
        `${one},${other}`,
        `${one}&${name}=${other}`,
        `${one},${one},${other}`,
      ]) {
        const { status, json, text } = await send('GET', `${path}?${name}=${query}`);
        assert.equal(status, 200, text);
        bodies.push(json.data);
        const next = json.links.at(-1).href.slice('https://pay.test'.length);
        assert.equal((await send('GET', next)).status, 200, next);
      }
      assert.deepEqual(bodies[1], bodies[0]);
      const wrong = await send('GET', `${path}?${name}=${one},none`);
      assert.equal(wrong.json.errors[0].field, name);
      assert.equal(wrong.json.errors[0].code, 'INVALID_VALUE');
    });
  }

  it('stand for every list parameter of the document', async () => {
    const { json } = await service.call('GET', '/openapi.json');
    const found = [];
    for (const [path, { get }] of Object.entries<Record<string, CallInDocument>>(json.paths)) {
      for (const parameter of get?.parameters ?? []) {
        const { name, schema } = parameter as { name?: string; schema?: { type?: string } };
        if (schema?.type === 'array') found.push(`${path} ${name}`);
      }
    }
    const known = LISTS.map(([path, name]) => `${path} ${name}`);
    assert.deepEqual(found.sort(), known.sort());
  });
});

describe('a body that is not JSON', () => {
  for (const [body, place] of [
    ["{'amount':1}", /at line 1, column 2: names and texts stand in double quotes\.$/],
    ['{"amount":1,}', /at line 1, column 13: leave out the comma/],
    ['{"amount":10,50}', /at line 1, column 14: .* decimals have a point/],
    ['\ufeff{"amount":1}', /at line 1, column 1: send UTF-8 without a byte order mark/],
    ['{\n  "secret": whsec_abc\n}', /at line 2, column 13: /],
  ] as const) {
    it(`is refused with the place of its fault: ${JSON.stringify(body)}`, async () => {
      const { status, json } = await send('POST', '/v1/payment-requests', body, JSON_TYPE);
      assert.deepEqual([status, json.code], [400, 'MALFORMED_JSON']);
      assert.match(json.detail, place);
      assert.doesNotMatch(json.detail, /whsec/);
    });
  }
});

describe('a media type that a call does not take', () => {
  const patch = (type: string, body: unknown) =>
    send('PATCH', `/v1/payment-requests/${id}`, JSON.stringify(body), { 'content-type': type });
  const OPERATIONS = [{ op: 'replace', path: '/invoiceNumber', value: 'A' }];
  const TYPES = 'application/merge-patch+json or application/json';

  it('is answered with the types that it takes', async () => {
    const { status, json } = await patch('text/plain', {});
    assert.deepEqual([status, json.detail], [415, `Send the body as ${TYPES}.`]);
    const create = await send('POST', '/v1/payment-requests', 'x', { 'content-type': 'text/csv' });
    assert.equal(create.json.detail, 'Send the body as application/json.');
  });

  it('is told that a JSON Patch is no merge patch', async () => {
    const { status, json } = await patch('application/json-patch+json', OPERATIONS);
    assert.equal(status, 415);
    assert.match(json.detail, /takes a JSON Merge Patch \(RFC 7396\).* no JSON Patch\.$/);
  });

  it('is told so as well where the operations come as JSON', async () => {
    for (const type of ['application/json', 'application/merge-patch+json']) {
      const { status, json } = await patch(type, OPERATIONS);
      assert.equal(status, 400);
      assert.equal(json.errors[0].code, 'INVALID_TYPE');
      assert.match(json.errors[0].message, /JSON Merge Patch.*not as a list of operations/);
    }
  });
});

describe('a method that an address lacks', () => {
  it('is refused with the methods that the address has, and counted under its route', async () => {
    const path = `/v1/payment-requests/${id}`;
    const allowed = [405, 'GET, HEAD, PATCH, OPTIONS'];
    for (const method of ['DELETE', 'PROPFIND', 'REPORT']) {
      const { status, headers } = await send(method, path);
      assert.deepEqual([status, headers.get('allow')], allowed, method);
    }
    const options = await send('OPTIONS', `${path}?a=%20b`);
    assert.deepEqual([options.status, options.headers.get('allow')], [204, allowed[1]]);
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    const counted = metrics.split('\n').filter((line) => /duration_seconds_count/.test(line));
    const labels = ['method="DELETE"', 'status="405"', 'route="/v1/payment-requests/:id"'];
    const isRefusal = (line: string) => labels.every((label) => line.includes(label));
    assert.ok(counted.some(isRefusal), counted.join('\n'));
  });
});

describe('a call with several faults', () => {
  const bad = { 'content-type': 'text/plain', 'x-api-key': 'none' };
  const codeOf = async (method: string, path: string) => {
    const body = method === 'GET' ? undefined : 'x'.repeat(70_000);
    return (await service.call(method, path, { headers: bad, body })).json.code;
  };

  it('is refused for its route first, then for its method, then for its API key', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal(await codeOf(method, '/v1/nothing'), 'ROUTE_NOT_FOUND');
      assert.equal(await codeOf(method, '/v1/payment-requests/'), 'ROUTE_NOT_FOUND');
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      assert.equal(await codeOf(method, '/v1/payment-requests'), 'METHOD_NOT_ALLOWED');
    }
    assert.equal(await codeOf('GET', '/oauth2/token'), 'METHOD_NOT_ALLOWED');
    assert.equal(await codeOf('POST', '/v1/payment-requests'), 'API_KEY_INVALID');
    assert.equal(await codeOf('PATCH', `/v1/payment-requests/${id}`), 'API_KEY_INVALID');
    assert.equal(await codeOf('DELETE', `/v1/webhook-endpoints/${id}`), 'API_KEY_INVALID');
  });
});
