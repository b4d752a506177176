import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type CheckDeps, fault, fine, type Verdict } from './verdict.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The file that WEBHOOK_CA_FILE names can be read, and holds certificates. */
export async function checkCaFile({ webhookCaFile, clock }: CheckDeps): Promise<Verdict> {
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
  const count = certificates.length === 1 ? '1 certificate' : `${certificates.length} certificates`;
  return fine(`WEBHOOK_CA_FILE holds ${count}, readable and not ended.`);
}
