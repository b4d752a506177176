import { Type } from 'typebox';
import { FIELD_FAULT_CODES, PROBLEM_CODES } from '#lib/problem.ts';
import { MOST_FAULTS } from './responses.ts';

/** A fault of a field or parameter (contract §7). */
const FieldFaultSchema = Type.Object(
  {
    field: Type.String({ description: 'The field’s path, or the parameter’s name.' }),
    pointer: Type.String({
      description: 'A JSON Pointer to the field (RFC 6901); empty for the body as a whole.',
    }),
    code: Type.Enum([...FIELD_FAULT_CODES], { description: 'The fault, for programs.' }),
    message: Type.String({ description: 'The expected value, for people.' }),
  },
  { title: 'FieldFault' },
);

/** Every refusal's body (RFC 9457; contract §7). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page that explains the problem.' }),
    title: Type.String({ description: 'The problem in a few words.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'The cause in this case, for people.' }),
    instance: Type.String({ format: 'uri', description: 'This occurrence of the problem.' }),
    code: Type.Enum([...PROBLEM_CODES], { description: 'The problem, for programs.' }),
    requestId: Type.String({ description: 'Quote this id when you ask the operator.' }),
    timestamp: Type.String({ format: 'date-time' }),
    errors: Type.Optional(
      Type.Array(FieldFaultSchema, {
        minItems: 1,
        maxItems: MOST_FAULTS,
        description:
          'Every fault of a VALIDATION_ERROR; of more than ' +
          `${MOST_FAULTS} faults the first ones, and detail has the number.`,
      }),
    ),
  },
  { title: 'Problem', description: 'Why a call was refused.' },
);
