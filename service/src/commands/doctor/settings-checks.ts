import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { listSigningKeys } from '#access/signing-keys/key-store.ts';
import { signingKeyStates } from '#access/signing-keys/states.ts';
import { countText } from '#lib/words/count-text.ts';
import { isPepperOfCredentials } from '#merchants/credentials/check-store.ts';
import { findMailServerFault } from '#messages/mail/check/check-mail.ts';
import { findUnreadableSecrets } from './find-unreadable-secrets.ts';
import { type Checks, examplesOf, fault, fine } from './verdict.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Secrets, keys and files that the settings name. */
export const SETTINGS_CHECKS = {
  async secrets({ db, secretsKey }) {
    const { checked, unreadable } = await findUnreadableSecrets(db, secretsKey);
    if (unreadable.length === 0) return fine(`Every encrypted secret can be read (${checked}).`);
    return fault(
      `${unreadable.length} of ${checked} encrypted secrets cannot be read with this ` +
        `SECRETS_KEY: ${examplesOf(unreadable)}.`,
    );
  },
  async pepper({ db, credentialsPepper }) {
    const isRight = await isPepperOfCredentials(db, credentialsPepper);
    if (isRight) return fine('Passwords and API keys are hashed with this CREDENTIALS_PEPPER.');
    if (isRight === null) return fine('No stored hash can prove the CREDENTIALS_PEPPER yet.');
    return fault(
      'Passwords and API keys are hashed with another CREDENTIALS_PEPPER: nobody can sign in.',
    );
  },
  async 'signing key'({ db, clock }) {
    const states = signingKeyStates(await listSigningKeys(db), clock.now());
    const signing = states.find(({ state }) => state === 'SIGNING');
    if (signing) return fine(`Key ${signing.key.keyId} signs access tokens.`);
    return fault('No key signs access tokens. Run payreq keys rotate.');
  },
  /** The file that WEBHOOK_CA_FILE names can be read, and holds certificates. */
  async 'webhook CA'({ webhookCaFile, clock }) {
    if (webhookCaFile === null) return fine('Webhooks trust the authorities of the system alone.');
    let pem: string;
    try {
      pem = await readFile(webhookCaFile, 'utf8');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return fault(`WEBHOOK_CA_FILE cannot be read (${reason}): the service does not start.`);
    }
    const certificates = pem.match(CERTIFICATE) ?? [];
    if (certificates.length === 0) {
      return fault(`WEBHOOK_CA_FILE (${webhookCaFile}) holds no certificate in PEM.`);
    }
    const now = clock.now();
    for (const [index, certificate] of certificates.entries()) {
      const nth = `Certificate ${index + 1} of WEBHOOK_CA_FILE`;
      try {
        const { validToDate } = new X509Certificate(certificate);
        if (validToDate < now) return fault(`${nth} ended on ${validToDate.toISOString()}.`);
      } catch {
        return fault(`${nth} cannot be read.`);
      }
    }
    const count = countText(certificates.length, 'certificate');
    return fine(`WEBHOOK_CA_FILE holds ${count}, readable and not ended.`);
  },
  /** The mail server takes the service's connection and password (messages §5). No mail is sent. */
  async 'mail server'({ mailSmtpUrl: server }) {
    if (server === null) return fine('No mail server is configured: the service sends no e-mail.');
    const found = await findMailServerFault(server);
    return found === null ? fine('The mail server takes the service.') : fault(found);
  },
} satisfies Checks;
