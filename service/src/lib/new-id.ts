import { v7 } from 'uuid';

/** A new identifier: a UUID of version 7, whose order in time keeps indexes compact. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an identifier; anything else needs no look into the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
