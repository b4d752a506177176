import type { FieldFault } from '#lib/problem.ts';
import { nearestWord } from '#lib/words/nearest-word.ts';

/** The part of a JSON schema that these walks need. */
export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[] | undefined;
}

type Members = Record<string, unknown>;

/**
 * Takes out of a body what counts as absent (contract §4): `null` anywhere, and the empty string in
 * an optional field. Free-form objects (`metadata`) are the merchant's own and stay as they are.
 */
export function dropAbsentMembers(body: unknown, schema: ObjectSchema): void {
  if (!isObject(body) || !schema.properties) return;
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value === null || (value === '' && !schema.required?.includes(name))) delete body[name];
    else if (typeof value === 'object') dropAbsentMembers(value, memberSchema(schema, name));
  }
}

/** Enough for any caller who makes a mistake; a body can have thousands of unknown members. */
const MOST_ADVISED = 10;

/** The members that no schema names, for callers that ask for them (`Prefer: handling=strict`). */
export function unknownMemberFaults(body: unknown, schema: ObjectSchema): FieldFault[] {
  return unknownMembers(body, schema).map(({ path, siblings }, index) => {
    const field = path.join('.');
    const pointer = path
      .map((part) => `/${part.replace(/~/g, '~0').replace(/\//g, '~1')}`)
      .join('');
    const advice = index < MOST_ADVISED ? adviceFor(path.at(-1) ?? '', siblings) : '';
    const message = `${field} is not a field of this call.${advice}`;
    return { field, pointer, code: 'UNKNOWN_FIELD' as const, message };
  });
}

export interface UnknownMember {
  /** The names that lead to the member; the last is its own. */
  readonly path: readonly string[];
  /** The names that the schema has at this place. */
  readonly siblings: readonly string[];
}

/** The members that no schema names. They are ignored (contract §4). */
export function unknownMembers(
  body: unknown,
  schema: ObjectSchema,
  path: readonly string[] = [],
): UnknownMember[] {
  const { properties } = schema;
  if (!isObject(body) || !properties) return [];
  const siblings = Object.keys(properties);
  return Object.entries(body).flatMap(([name, value]) => {
    const here = [...path, name];
    return Object.hasOwn(properties, name)
      ? unknownMembers(value, memberSchema(schema, name), here)
      : [{ path: here, siblings }];
  });
}

function adviceFor(name: string, siblings: readonly string[]): string {
  if (siblings.length === 0) return ' The call has no fields here.';
  const meant = nearestWord(name, siblings);
  return meant === null ? ` The fields are ${siblings.join(', ')}.` : ` Did you mean ${meant}?`;
}

function memberSchema(schema: ObjectSchema, name: string): ObjectSchema {
  const member = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : {};
  return (member ?? {}) as ObjectSchema;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
