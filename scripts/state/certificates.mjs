import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileFailure } from '../lib/failure.mjs';

/** @typedef {{ ca: string, cert: string, key: string }} TlsFiles paths of PEM files */

const DAY_MS = 86_400_000;
// Browsers refuse a server certificate that lasts longer than 398 days.
const VALID_MS = 397 * DAY_MS;
// Renewed well before the end, so that a service that runs for weeks keeps a valid certificate.
const RENEWED_BEFORE_END_MS = 60 * DAY_MS;
// Also valid for a machine whose clock is a little behind.
const BACKDATED_MS = DAY_MS;

/**
 * The local certificate authority and a server certificate for localhost, 127.0.0.1 and ::1, made
 * at the first start (contract §2). The authority's key is never stored: it can sign no
 * certificate for another name. Near the end of the certificate, both are renewed.
 * @param {string} localDir @returns {Promise<TlsFiles & { isNew: boolean }>}
 */
export async function ensureCertificates(localDir) {
  const folder = join(localDir, 'tls');
  const files = {
    ca: join(folder, 'ca.pem'),
    cert: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
  };
  if (areGood(files)) return { ...files, isNew: false };
  const pems = await makeCertificates();
  try {
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh);
    writeFileSync(join(fresh, 'ca.pem'), pems.ca);
    writeFileSync(join(fresh, 'cert.pem'), pems.cert);
    writeFileSync(join(fresh, 'key.pem'), pems.key, { mode: 0o600 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    throw fileFailure(error, `write ${folder}`);
  }
  return { ...files, isNew: true };
}

/** @param {TlsFiles} files */
function areGood(files) {
  if (!Object.values(files).every((path) => existsSync(path))) return false;
  try {
    const ca = new X509Certificate(readFileSync(files.ca));
    const cert = new X509Certificate(readFileSync(files.cert));
    const key = createPublicKey(readFileSync(files.key));
    const lasts = Date.parse(cert.validTo) - Date.now() > RENEWED_BEFORE_END_MS;
    return lasts && cert.verify(ca.publicKey) && cert.publicKey.equals(key);
  } catch {
    return false;
  }
}

async function makeCertificates() {
  const x509 = await loadX509();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [caKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const notBefore = new Date(Date.now() - BACKDATED_MS);
  const notAfter = new Date(Date.now() + VALID_MS);
  const usage = x509.KeyUsageFlags;
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Payment requests, local certificate authority',
    notBefore,
    notAfter,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const cert = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: ca.subject,
    notBefore,
    notAfter,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(usage.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    ca: `${ca.toString('pem')}\n`,
    cert: `${cert.toString('pem')}\n`,
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

/** Loaded only when something is to make; its dependency injector needs the polyfill first. */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
