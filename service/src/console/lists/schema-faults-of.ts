import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { schemaFaults } from '#http/json/field-faults.ts';
import type { FieldFault } from '#lib/problem.ts';

/** The faults that a call's schema finds in values of a form, by the validator of the calls. */
export function schemaFaultsOf(
  request: FastifyRequest,
  schema: object,
  value: unknown,
): FieldFault[] {
  const validate = request.compileValidationSchema(schema);
  if (validate(value)) return [];
  return schemaFaults(validate.errors as FastifySchemaValidationError[]);
}
