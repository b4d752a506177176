import { Type } from 'typebox';
import { FIELD_FAULT_CODES, PROBLEM_CODES } from '#lib/problem.ts';
import { MOST_FAULTS } from './responses.ts';

/** One fault of one field or parameter (contract §7). */
const FieldFaultSchema = Type.Object(
  {
    field: Type.String({ description: 'The field’s path, or the parameter’s name.' }),
    pointer: Type.String({
      description: 'A JSON Pointer to the field (RFC 6901); empty for the body as a whole.',
    }),
    code: Type.Enum([...FIELD_FAULT_CODES], { description: 'What is wrong, for programs.' }),
    message: Type.String({ description: 'What to give, for people.' }),
  },
  { title: 'FieldFault' },
);

/** Every refusal's body (RFC 9457; contract §7). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page that explains the problem.' }),
    title: Type.String({ description: 'The problem in a few words.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What happened in this case, for people.' }),
    instance: Type.String({ format: 'uri', description: 'This one occurrence.' }),
    code: Type.Enum([...PROBLEM_CODES], { description: 'What to decide by.' }),
    requestId: Type.String({ description: 'Quote it when you ask the operator.' }),
    timestamp: Type.String({ format: 'date-time' }),
    errors: Type.Optional(
      Type.Array(FieldFaultSchema, {
        minItems: 1,
        maxItems: MOST_FAULTS,
        description:
          'Of a VALIDATION_ERROR: every fault, at once. ' +
          `Of more than ${MOST_FAULTS} the first ones; detail says how many there are.`,
      }),
    ),
  },
  { title: 'Problem', description: 'Why a call was refused.' },
);
