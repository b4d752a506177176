import { X509Certificate } from 'node:crypto';
import { readRegularFile } from './read-regular-file.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** All public authorities together take 250 KiB. */
const MOST_BYTES = 1_048_576;

/** Reads the path of a PEM file and checks that the file holds certificates; null: no file. */
export function readCaFile(path: string): string | null {
  if (path === '') return null;
  const certificates = readRegularFile(path, MOST_BYTES).match(CERTIFICATE);
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
