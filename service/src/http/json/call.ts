import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { unsupportedMediaType } from '#http/problems/unsupported-media-type.ts';
import type { NumberSources } from '#lib/json/parse-strict.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { schemaFaults } from './field-faults.ts';
import { dropAbsentMembers, type ObjectSchema, unknownMemberFaults } from './normalise-body.ts';

/**
 * A `preValidation` hook for calls with a JSON body: refuses a missing one and takes out what
 * counts as absent (contract §4). Use it with `attachValidation: true`, and `readJsonCall` after.
 */
export function prepareJsonBody(schema: ObjectSchema): preValidationHookHandler {
  return (request, _reply, done) => {
    prepareBody(request, schema);
    done();
  };
}

function prepareBody(request: FastifyRequest, schema: ObjectSchema): void {
  if (request.body === undefined || request.body === null) throw missingBody(request);
  dropAbsentMembers(request.body, schema);
}

/** `prepareJsonBody` for calls whose body may be left out: no body at all is an empty one. */
export function prepareOptionalJsonBody(schema: ObjectSchema): preValidationHookHandler {
  return (request, _reply, done) => {
    if (request.body === undefined) request.body = {};
    prepareBody(request, schema);
    done();
  };
}

/** The body of a JSON Patch (RFC 6902) is a list. */
const NOT_OPERATIONS: FieldFault = {
  field: '',
  code: 'INVALID_TYPE',
  message:
    'Give the body as an object with the fields to change (JSON Merge Patch), not as a list of ' +
    'operations.',
};

/**
 * `prepareJsonBody` for JSON Merge Patch (RFC 7396), where `null` takes a member away. The empty
 * string counts as absent in what a creation sends (contract §4), so that it takes away too.
 */
export function prepareMergePatch(schema: ObjectSchema): preValidationHookHandler {
  return (request, _reply, done) => {
    const { body } = request;
    if (body === undefined || body === null) throw missingBody(request);
    if (Array.isArray(body)) throw new Problem('VALIDATION_ERROR', { errors: [NOT_OPERATIONS] });
    const members = body as Record<string, unknown>;
    for (const name of Object.keys(schema.properties ?? {})) {
      if (Object.hasOwn(members, name) && members[name] === '') members[name] = null;
    }
    done();
  };
}

const NO_NUMBERS: NumberSources = new Map();

export interface JsonCall {
  /** The body's members; empty where the body is no object, which is among the faults then. */
  readonly members: Record<string, unknown>;
  /** The source texts of the members that are numbers. */
  readonly numberSources: NumberSources;
  /** The faults that the schema found, and with `Prefer: handling=strict` every unknown member. */
  readonly faults: readonly FieldFault[];
}

/** Reads what a call's body holds and what is wrong with it, so far as a schema can say. */
export function readJsonCall(request: FastifyRequest, schema: ObjectSchema): JsonCall {
  const { body } = request;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return {
    members: isObject ? (body as Record<string, unknown>) : {},
    numberSources: request.numberSources ?? NO_NUMBERS,
    faults: [
      ...schemaFaults(request.validationError?.validation),
      ...(isStrict(request) ? unknownMemberFaults(body, schema) : []),
    ],
  };
}

/** A call without any body has no media type either; the body `null` has one, and is no object. */
function missingBody(request: FastifyRequest): Problem {
  if (request.headers['content-type'] === undefined) return unsupportedMediaType(request);
  const fault: FieldFault = {
    field: '',
    code: 'INVALID_TYPE',
    message: 'Give the body as an object.',
  };
  return new Problem('VALIDATION_ERROR', { errors: [fault] });
}

/** RFC 7240: the caller asks for a fault for each member that would be ignored. */
export function isStrict({ headers }: FastifyRequest): boolean {
  if (headers.prefer === undefined) return false;
  return [headers.prefer]
    .flat()
    .flatMap((value) => value.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference));
}
