import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cookie } from '../http/cookies.ts';
import type { ShopRequest } from '../http/shop-request.ts';

/** A working day: the staff then opens the link again. */
const STAFF_SECONDS = 28_800;
/** 256 random bits cannot be guessed. */
const KEY_BYTES = 32;

/** The file of the staff's key in LOCAL_DIR. */
const KEY_FILE = 'shop-staff-key';

/** Reads the key of the staff's link, which `npm start` makes. A real shop has accounts instead. */
export function readStaffKey(localDir: string): string {
  const path = join(localDir, KEY_FILE);
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < KEY_BYTES) throw new Error(`${path} is too short: delete the file.`);
  return key;
}

/** Whether a text is the staff's key; the time of the comparison tells nothing about the key. */
export function isStaffKey(staffKey: string, text: string | null | undefined): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(text ?? ''), digest(staffKey));
}

/** Whether the request comes from a browser that opened the staff's link. */
export function isStaff({ cookies }: ShopRequest, staffKey: string): boolean {
  return isStaffKey(staffKey, cookies.get('staff'));
}

/** Keeps the access in this browser, so that no further URL holds the key. */
export function staffCookie(staffKey: string): Cookie {
  return { name: 'staff', value: staffKey, maxAgeSeconds: STAFF_SECONDS };
}
