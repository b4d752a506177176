import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderRequest } from '#webhooks/https/render-request.ts';

const TARGET = { host: 'shop.example:8443', path: '/hooks?a=b' };

describe('a rendered request', () => {
  it('has its length in bytes', () => {
    assert.equal(
      renderRequest(TARGET, { 'webhook-id': 'e1' }, '"é"'),
      'POST /hooks?a=b HTTP/1.1\r\nhost: shop.example:8443\r\nwebhook-id: e1\r\n' +
        'content-length: 4\r\nconnection: keep-alive\r\n\r\n"é"',
    );
  });

  it('takes no character that ends a line, or that is not ASCII', () => {
    for (const value of ['a\r\nx: y', 'a\n', 'a\0', 'é']) {
      assert.throws(() => renderRequest(TARGET, { traceparent: value }, ''), TypeError);
      assert.throws(() => renderRequest({ ...TARGET, path: value }, {}, ''), TypeError);
      assert.throws(() => renderRequest({ ...TARGET, host: value }, {}, ''), TypeError);
    }
  });
});
