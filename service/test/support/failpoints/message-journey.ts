import assert from 'node:assert/strict';
import { type SmtpServer, startSmtpServer } from '../mail/smtp-server.ts';
import { aroundLonger, type Journey } from './journey.ts';
import { createOne, startTrial, type Trial } from './trial.ts';

/** A trial with a mail server, which the payer's mails reach from the sandbox, too. */
export interface MessageTrial extends Trial {
  readonly server: SmtpServer;
}

export async function startMessageTrial(): Promise<MessageTrial> {
  const server = await startSmtpServer();
  const trial = await startTrial('sandbox', () => ({
    MAIL_SMTP_URL: server.url,
    MAIL_FROM: 'pay@pay.example',
    MAIL_SANDBOX_RECIPIENTS: 'ada@example.com',
    MAIL_RATE: '100',
  }));
  return {
    ...trial,
    server,
    async close() {
      await trial.close();
      await server.close();
    },
  };
}

/** The mail server has the mail, and the database does not know it. */
const TAKEN = new Set([
  'message-sent',
  ...['before', 'after', 'before-commit'].map((moment) => `${moment}/message-record`),
]);

export const MESSAGE: Journey<string> = {
  title: 'the sending of a link by e-mail',
  role: 'background',
  failpoints: [
    ...aroundLonger('message-claim', 'message-extend-lease'),
    'message-read-last',
    'message-recipient-named',
    'message-sent',
    ...aroundLonger('message-record'),
  ],
  async prepare(trial) {
    // An address gets ten messages in a day.
    await trial.database.sql(`UPDATE messages SET address_hash = NULL`);
    return createOne(trial, 'Ada Payer', { deliveryMode: 'EMAIL' });
  },
  finish: async () => {},
  async check(trial, id, failpoint) {
    const { json } = await trial.call('GET', `/payment-requests/${id}`);
    assert.equal(json.linkMessage.status, 'SENT');
    const { mails } = (trial as MessageTrial).server;
    const head = `Message-ID: <${json.linkMessage.id}@pay.example>`;
    const copies = mails.filter(({ data }) => data.includes(json.paymentLink));
    assert.ok(copies.every(({ data }) => data.includes(head)));
    assert.equal(copies.length, TAKEN.has(failpoint) ? 2 : 1);
  },
};
