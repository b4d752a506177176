import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { readDkimKey, readMailSender, readSmtpUrl } from '../../src/settings/read-smtp-url.ts';

describe('MAIL_SMTP_URL', () => {
  it('names a server with TLS, with STARTTLS, or on this machine', () => {
    assert.equal(readSmtpUrl(''), null);
    assert.deepEqual(readSmtpUrl('smtps://desk%40shop:p%3Aw@mail.example'), {
      host: 'mail.example',
      port: 465,
      isTls: true,
      needsStartTls: false,
      auth: { user: 'desk@shop', pass: 'p:w' },
    });
    assert.equal(readSmtpUrl('smtp://u:p@mail.example:25')?.needsStartTls, true);
    assert.equal(readSmtpUrl('smtp://u:p@127.0.0.1')?.needsStartTls, false);
    assert.equal(readSmtpUrl('smtp://localhost?requireTLS=true')?.needsStartTls, true);
    assert.equal(readSmtpUrl('smtp://relay.example')?.needsStartTls, true);
    assert.equal(readSmtpUrl('smtp://relay.example:25?requireTLS=false')?.needsStartTls, false);
    assert.deepEqual(readSmtpUrl('smtp://[::1]:2525/'), {
      host: '::1',
      port: 2525,
      isTls: false,
      needsStartTls: false,
      auth: null,
    });
  });

  it('refuses what names no mail server, or half of the credentials', () => {
    for (const bad of [
      'mail.example',
      'https://mail.example',
      'smtp://',
      'smtp://mail.example/path',
      'smtp://mail.example?pool=true',
      'smtp://mail.example?requireTLS=no',
      'smtp://u:p@mail.example?requireTLS=false',
      'smtps://mail.example?requireTLS=false',
      'smtp://user@mail.example',
      'smtp://u:%ff@mail.example',
    ]) {
      assert.throws(() => readSmtpUrl(bad), /^Error: (must|has)/, bad);
    }
  });
});

describe('MAIL_FROM', () => {
  it('is one e-mail address', () => {
    assert.equal(readMailSender(''), null);
    assert.equal(readMailSender('notices@pay.example'), 'notices@pay.example');
    for (const bad of ['pay.example', 'a@b@c', 'A <a@b.example>', 'a@b.example, c@d.example']) {
      assert.throws(() => readMailSender(bad), /must be one e-mail address/, bad);
    }
  });
});

describe('MAIL_DKIM_KEY', () => {
  it('is a key with which a mail is signed', () => {
    const format = { type: 'pkcs8', format: 'pem' } as const;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(format);
    assert.equal(readDkimKey(`${rsa}`), rsa);
    const other = generateKeyPairSync('ed25519').privateKey.export(format);
    for (const bad of [`${other}`, 'no key']) assert.throws(() => readDkimKey(bad), /RSA key/);
  });
});
