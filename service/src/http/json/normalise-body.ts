import type { FieldFault } from '#lib/problem.ts';

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

/** The members that no schema names, for callers that ask for them (`Prefer: handling=strict`). */
export function unknownMemberFaults(
  body: unknown,
  schema: ObjectSchema,
  path: readonly string[] = [],
): FieldFault[] {
  if (!isObject(body) || !schema.properties) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const here = [...path, name];
    if (Object.hasOwn(schema.properties ?? {}, name)) {
      return unknownMemberFaults(value, memberSchema(schema, name), here);
    }
    const field = here.join('.');
    const pointer = here
      .map((part) => `/${part.replace(/~/g, '~0').replace(/\//g, '~1')}`)
      .join('');
    const message = `${field} is not a field of this call.`;
    return [{ field, pointer, code: 'UNKNOWN_FIELD' as const, message }];
  });
}

function memberSchema(schema: ObjectSchema, name: string): ObjectSchema {
  const member = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : {};
  return (member ?? {}) as ObjectSchema;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
