import type {
  FastifyRequest,
  FastifySchemaValidationError,
  preValidationHookHandler,
} from 'fastify';
import type { QuerySchema } from '#database/lists/list.ts';
import { firstFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { nearestWord } from '#lib/words/nearest-word.ts';
import { schemaFaults } from './field-faults.ts';

type Query = Record<string, unknown>;

interface Typed {
  readonly type?: unknown;
}

/**
 * A `preValidation` hook for calls with parameters in the address: gives each the type that its
 * schema names, as text knows none. A list is repeated, has commas, or both. Stricter than AJV's
 * coercion, which takes ` 5` and `0x5` for 5.
 * Use it with `attachValidation: true`, and `queryFaults` after.
 */
export function prepareQuery(schema: QuerySchema): preValidationHookHandler {
  const members = new Map(Object.entries(schema.properties));
  return (request, _reply, done) => {
    const query = request.query as Query;
    for (const name of Object.keys(query)) {
      if (members.has(name)) query[name] = typed(query[name], members.get(name));
    }
    done();
  };
}

/** The faults that the schema found in the parameters: one each, named by the parameter. */
export function queryFaults(request: FastifyRequest): FieldFault[] {
  const { validationError, query, routeOptions } = request;
  // Nearly every call is valid.
  if (!validationError) return [];
  const found = schemaFaults(validationError.validation as FastifySchemaValidationError[]);
  const { properties } = (routeOptions.schema?.querystring ?? NO_PARAMETERS) as QuerySchema;
  const faults = found.map((fault, index): FieldFault => {
    const isUnknown = fault.code === 'UNKNOWN_FIELD';
    // The name of an unknown parameter may have dots; a parameter of this service has none.
    const [name = fault.field] = isUnknown ? [fault.field] : fault.field.split('.');
    const message = isUnknown
      ? `${shown(name)} is not a parameter of this call.` +
        (index < MOST_ADVISED ? adviceForUnknown(name, properties) : '')
      : messageOf(fault, name, (query as Query)[name]);
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { field: name, pointer, code: fault.code, message };
  });
  return firstFaults(faults);
}

const NO_PARAMETERS: QuerySchema = { properties: {} };
/** Enough for any caller who makes a mistake; an attacker may send thousands of names. */
const MOST_ADVISED = 10;
/** Longer than any parameter: a sentence about it stays readable. */
const LONGEST_SHOWN = 64;

function shown(name: string): string {
  return name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
}

/** Names the parameter that was probably meant, and all that there are. */
function adviceForUnknown(name: string, properties: QuerySchema['properties']): string {
  const names = Object.keys(properties);
  if (names.length === 0) return ' The call has no parameters.';
  // Clients write a list of JavaScript, PHP or Ruby as `status[]` or `status[0]`.
  const [, list] = /^([^[\]]+)\[[^\]]*\]$/.exec(name) ?? [];
  if (list !== undefined && isList(properties[list])) {
    return ` For several values repeat ${list}, as in ${list}=…&${list}=…, without brackets.`;
  }
  const meant = nearestWord(name, names);
  const question = meant === null ? '' : ` Did you mean ${meant}?`;
  return `${question} The parameters are ${names.join(', ')}.`;
}

/** An offset behind a space: the address had `+`, which stands for a space there. */
const LOST_PLUS = /:\d{2}(?:\.\d+)? \d{2}:?\d{2}$/;
const LOST_PLUS_ADVICE =
  ' An address has + for a space: send the + of a time zone as %2B, or end with Z.';

function messageOf(fault: FieldFault, name: string, value: unknown): string {
  if (Array.isArray(value) && fault.code === 'INVALID_TYPE') return `Give ${name} only once.`;
  const message = fault.message.replace(fault.field, name);
  if (typeof value !== 'string' || !LOST_PLUS.test(value)) return message;
  return `${message}${LOST_PLUS_ADVICE}`;
}

/**
 * More values than any list of this service can have. Values above this number are therefore
 * repeated or unknown, and the first unknown value refuses the call.
 */
const MOST_VALUES = 50;

function typed(value: unknown, schema: unknown): unknown {
  if (isList(schema)) {
    const values = [value].flat().flatMap((each) => String(each).split(','));
    return [...new Set(values)].slice(0, MOST_VALUES);
  }
  const isNumber = (schema as Typed).type === 'integer';
  return isNumber && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function isList(schema: unknown): boolean {
  return (schema as Typed | undefined)?.type === 'array';
}
