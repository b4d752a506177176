import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Reads the path of a PEM file and checks that the file holds certificates; null: no file. */
export function readCaFile(path: string): string | null {
  if (path === '') return null;
  const certificates = readText(path).match(CERTIFICATE);
  if (!certificates) throw new Error(`names "${path}", which holds no PEM certificate`);
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw new Error(`names "${path}", which holds a damaged certificate`);
    }
  }
  return path;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new Error(`names "${path}", which cannot be read (${code})`);
  }
}
