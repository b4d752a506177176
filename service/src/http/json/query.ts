import type {
  FastifyRequest,
  FastifySchemaValidationError,
  preValidationHookHandler,
} from 'fastify';
import { firstFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { schemaFaults } from './field-faults.ts';

type Query = Record<string, unknown>;

interface Typed {
  readonly type?: unknown;
}

/** The part of a JSON schema that is needed here. */
interface QuerySchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * A `preValidation` hook for calls with parameters in the address: gives each the type that its
 * schema names, as text knows none. Stricter than AJV's coercion, which takes ` 5` and `0x5` for 5.
 * Use it with `attachValidation: true`, and `queryFaults` after.
 */
export function prepareQuery(schema: QuerySchema): preValidationHookHandler {
  const members = Object.entries(schema.properties);
  const types = new Map(members.map(([name, member]) => [name, (member as Typed).type]));
  return (request, _reply, done) => {
    const query = request.query as Query;
    for (const name of Object.keys(query)) {
      if (types.has(name)) query[name] = typed(query[name], types.get(name));
    }
    done();
  };
}

/** The faults that the schema found in the parameters: one each, named by the parameter. */
export function queryFaults({ validationError, query }: FastifyRequest): FieldFault[] {
  // Nearly every call is valid.
  if (!validationError) return [];
  const found = schemaFaults(validationError.validation as FastifySchemaValidationError[]);
  const faults = found.map((fault): FieldFault => {
    const [name = fault.field] = fault.field.split('.');
    const message =
      fault.code === 'UNKNOWN_FIELD'
        ? `${name} is not a parameter of this call.`
        : fault.message.replace(fault.field, name) + adviceFor(name, (query as Query)[name]);
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { field: name, pointer, code: fault.code, message };
  });
  return firstFaults(faults);
}

/** An offset behind a space: the address had `+`, which stands for a space there. */
const LOST_PLUS = /:\d{2}(?:\.\d+)? \d{2}:?\d{2}$/;

/** A further sentence for the two usual mistakes with addresses. */
function adviceFor(name: string, value: unknown): string {
  if (Array.isArray(value) && value.some((each) => String(each).includes(','))) {
    return ` For several values repeat the parameter, as in ${name}=…&${name}=….`;
  }
  if (typeof value !== 'string' || !LOST_PLUS.test(value)) return '';
  return ' An address has + for a space: send the + of a time zone as %2B, or end with Z.';
}

function typed(value: unknown, type: unknown): unknown {
  if (type === 'array') return Array.isArray(value) ? value : [value];
  if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) {
    return Number(value);
  }
  return value;
}
