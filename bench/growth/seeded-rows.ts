import { createHash } from 'node:crypto';
import { OWNERS, YEAR_MS } from './seed-rows.ts';

/** The values by which a call finds a seeded payment request. */
export interface SeededRow {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantTransactionId: string;
  readonly payerEmail: string;
  readonly shortCode: string;
  readonly createdAt: Date;
}

/**
 * Computes a row's values from its number, as the seed's SQL does (seed-rows.ts).
 *
 * @param number 1 is the oldest row, `rows` the newest
 */
export function seededRow(number: number, rows: number, newest: Date): SeededRow {
  const h = md5(`growth${number}`);
  const part = (index: number) => Number.parseInt(h.slice(index * 7, index * 7 + 7), 16);
  const [m, t] = [part(0), part(3)];
  const back = (BigInt(Math.floor((rows - number) / 3)) * 3n * BigInt(YEAR_MS)) / BigInt(rows);
  const createdMs = newest.getTime() - Number(back);
  const hex = `${createdMs.toString(16).padStart(12, '0')}7${h.slice(0, 3)}8${h.slice(3, 18)}`;
  return {
    id: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
    merchantId: ownerOf(m),
    merchantTransactionId: h,
    payerEmail: t % 50 === 0 ? 'none@shop.example' : `Payer${t % 2_000_003}@example.com`,
    shortCode: md5(h).slice(0, 16),
    createdAt: new Date(createdMs),
  };
}

function ownerOf(m: number): string {
  if (m % 10 < 4) return OWNERS.giant;
  return m % 10 < 6 ? OWNERS.small : `mer_${m % OWNERS.others}`;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
