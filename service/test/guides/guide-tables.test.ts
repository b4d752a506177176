import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FIELD_FAULT_MEANINGS, PROBLEMS } from '#http/problems/kinds.ts';
import { FIELD_FAULT_CODES, PROBLEM_CODES } from '#lib/problem.ts';
import { sandboxOutcomeOf } from '#messages/model/sandbox-outcomes.ts';
import { MESSAGE_REASONS } from '#payment-requests/model/messages/link-message.ts';
import { OUTCOME_DESCRIPTIONS } from '#sandbox/outcome-descriptions.ts';
import { runCli } from '../commands/run-cli.ts';
import { readGuide, snippetNamed, tableUnder } from '../support/documents/guide-snippets.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

interface Documented {
  readonly operationId: string;
}

const plain = (cell = '') => cell.replaceAll('`', '');

describe('the guides’ tables', () => {
  let service: TestService;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  let document: any;
  before(async () => {
    service = await startTestService();
    document = (await service.call('GET', '/openapi.json')).json;
  });
  after(() => service.stop());

  it('list every payer name of the simulator, with its effect', () => {
    const rows = tableUnder('testing.md', 'Payer names of the simulator');
    assert.deepEqual(
      rows.map(([name, effect]) => [plain(name), effect]),
      OUTCOME_DESCRIPTIONS,
    );
    for (const [name, , assertion] of rows) assert.ok(assertion, `${name} says what to assert`);
  });

  it('list the outcomes of messages to payers as the sandbox has them', () => {
    for (const [addresses = '', happens = ''] of tableUnder('testing.md', 'Messages to payers')) {
      for (const address of addresses
        .split(', ')
        .map(plain)
        .filter((each) => /[@+]/.test(each))) {
        const { status } = sandboxOutcomeOf(address, 'REQUEST');
        assert.ok(happens.includes(status), `${address}: ${status}`);
      }
    }
  });

  it('list every reason of a message with its meaning', () => {
    const rows = tableUnder('send-the-link.md', 'Reasons');
    assert.deepEqual(
      Object.fromEntries(rows.map(([code, meaning]) => [plain(code), meaning])),
      MESSAGE_REASONS,
    );
  });

  it('send the link by the call that is shown, and check the mail server', async () => {
    const merchant = await service.createMerchant();
    const body = JSON.parse(snippetNamed('send-the-link.json'));
    const { headers } = merchant;
    const { status, json } = await service.call('POST', '/v1/payment-requests', { headers, body });
    assert.equal(status, 201, JSON.stringify(json));
    assert.equal(json.linkMessage.status, 'SCHEDULED');
    const [, ...words] = snippetNamed('mail-check.sh').trim().split(' ');
    const { stderr } = await runCli(words, service.env);
    assert.match(stderr, /MAIL_SMTP_URL is not set/);
  });

  it('list every problem code with its status, and what to do', () => {
    const rows = tableUnder('errors-and-retries.md', 'Every problem');
    const listed = Object.fromEntries(rows.map(([code, status]) => [plain(code), Number(status)]));
    const codes = PROBLEM_CODES.map((code) => [code, PROBLEMS[code].status]);
    assert.deepEqual(listed, Object.fromEntries(codes));
    assert.equal(rows.length, PROBLEM_CODES.length);
    assert.deepEqual(Object.keys(PROBLEMS), [...PROBLEM_CODES], 'no text without its code');
    for (const [code, , remedy] of rows) assert.ok(remedy, `${code} says what to do`);
  });

  it('list every code of a field’s fault with its meaning', () => {
    const rows = tableUnder('errors-and-retries.md', 'Faults of a field');
    assert.deepEqual(
      rows.map(([code, meaning]) => [plain(code), meaning]),
      FIELD_FAULT_CODES.map((code) => [code, FIELD_FAULT_MEANINGS[code]]),
    );
  });

  it('list every call of the OpenAPI document in the API changelog', () => {
    const rows = tableUnder('api-changelog.md', 'Calls');
    const listed = rows.map(([call, operation]) => `${plain(call)} ${plain(operation)}`);
    const documented = Object.entries(document.paths as Record<string, object>).flatMap(
      ([path, operations]) =>
        Object.entries<Documented>(operations as never).map(([method, { operationId }]) => {
          const shown = path === '/oauth2/token' ? '{auth_url}' : path.replace(/^\/v1/, '');
          return `${method.toUpperCase()} ${shown} ${operationId}`;
        }),
    );
    assert.deepEqual(listed.toSorted(), documented.toSorted());
  });

  it('list every member of a payment request in the API changelog', () => {
    const rows = tableUnder('api-changelog.md', 'Members of a payment request');
    const properties = document.components.schemas.PaymentRequest.properties;
    assert.deepEqual(
      rows.map(([member]) => plain(member)).toSorted(),
      Object.keys(properties).toSorted(),
    );
  });

  it('list every webhook of the OpenAPI document in the API changelog', () => {
    const rows = tableUnder('api-changelog.md', 'Webhooks');
    const listed = rows.map(([type, operation]) => [plain(type), plain(operation)]);
    const documented = Object.entries<{ post: Documented }>(document.webhooks);
    assert.deepEqual(
      listed,
      documented.map(([type, { post }]) => [type, post.operationId]),
    );
  });

  it('open the API changelog with the version of the OpenAPI document', () => {
    const [latest] = readGuide('api-changelog.md').match(/(?<=^## )\d+\.\d+\.\d+$/m) ?? [];
    assert.equal(latest, document.info.version);
  });
});
