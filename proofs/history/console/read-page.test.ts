import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statusBadge } from '../../../service/src/console/components/badges.ts';
import { actForm } from '../../../service/src/console/forms/render-form.ts';
import type { RequestDetails } from '../../../service/src/console/payment-requests/read-details.ts';
import { deliveryList } from '../../../service/src/console/payment-requests/request-page.ts';
import type { Visit } from '../../../service/src/console/shell/visit.ts';
import { readDeliveries, readHidden, readIds, readStatus } from './read-page.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const VISIT = { language: 'en', merchantId: 'mer_1', csrf: 'token', can: () => true };

describe('the reader of a console page', () => {
  it('finds the deliveries that can be sent again, with their status', () => {
    const told = { eventType: 'PAYMENT-COMPLETED', attempts: 1, last: null };
    const delivery = { id: ID, status: 'SUCCEEDED', ...told };
    const waiting = { ...delivery, id: ID.replace(/1$/, '2'), status: 'PENDING' };
    const shown = { deliveries: [delivery, waiting], events: new Map([[ID, {}]]) };
    const html = deliveryList(VISIT as unknown as Visit, shown as unknown as RequestDetails);
    assert.deepEqual(readDeliveries(html), [
      { id: ID, status: 'SUCCEEDED' },
      { id: waiting.id, status: 'PENDING' },
    ]);
  });

  it('finds status, token and ids', () => {
    const badge = statusBadge({ language: 'fr' }, 'request.PAID');
    assert.equal(readStatus(`<p class="headline"><span>1.00</span>${badge}</p>`), 'PAID');
    assert.equal(readStatus(badge), undefined);
    const form = actForm(VISIT as unknown as Visit, '/sign-out', 'Sign out');
    assert.equal(readHidden(form, 'csrf'), 'token');
    const merchantId = `mer_${'0a'.repeat(12)}`;
    assert.deepEqual(readIds(`<a href="/console/m/${merchantId}/${ID}">${ID}</a>`), [
      merchantId,
      ID,
    ]);
  });
});
