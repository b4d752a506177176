import { STATUS_CODES } from 'node:http';
import type { FastifySchema } from 'fastify';
import type { AnswerHeader } from '#http/json/documented-headers.ts';
import type { CallExample, DocumentedAnswer } from '#http/json/route-schema.ts';
import { problemHeaders } from '#http/problems/kinds.ts';
import { ProblemSchema } from '#http/problems/schemas.ts';
import type { ProblemCode } from '#lib/problem.ts';
import { describeParameters } from './describe-parameters.ts';
import type { HoistedSchemas } from './hoist-schemas.ts';
import { problemsOfOperation } from './problems-of-operation.ts';
import { securityOf } from './security-schemes.ts';
import type { Operation } from './watch-operations.ts';

type Node = Record<string, unknown>;

/** A call as an operation object of the document (OpenAPI 3.1, 4.8.10). */
export function describeOperation({ schema, url }: Operation, { hoist }: HoistedSchemas): Node {
  const { operationId, summary, description, tags } = schema;
  const requestBody = bodyOf(schema, hoist);
  return {
    operationId,
    summary,
    description,
    tags,
    security: securityOf(schema),
    parameters: describeParameters(schema, url, hoist),
    ...(requestBody && { requestBody }),
    responses: responsesOf(schema, hoist),
  };
}

function bodyOf(schema: FastifySchema, hoist: HoistedSchemas['hoist']): Node | null {
  const body = (schema.body ?? schema.bodyReadByHand) as object | undefined;
  if (!body) return null;
  const examples = namedExamples(schema.examples ?? [], ({ body: value }) => value);
  const content = { schema: hoist(body), ...(examples && { examples }) };
  const types = schema.bodyTypes ?? ['application/json'];
  return {
    required: schema.isBodyOptional !== true,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}

/** The answers of a call by status; JavaScript orders numeric keys of an object. */
function responsesOf(schema: FastifySchema, hoist: HoistedSchemas['hoist']): Node {
  const responses: Record<string, Node> = {};
  for (const [status, answer] of Object.entries(schema.answers ?? {})) {
    const examples = schema.examples?.filter((example) => String(example.status) === status) ?? [];
    responses[status] = answerOf(schema, { ...answer, status: Number(status) }, examples, hoist);
  }
  for (const [status, codes] of problemsOfOperation(schema)) {
    const refusal = refusalOf(status, codes, hoist);
    const answer = responses[status];
    // The token call has its own refusals (RFC 6749) beside those of every call.
    responses[status] = answer
      ? { ...answer, content: { ...(answer.content as Node), ...(refusal.content as Node) } }
      : refusal;
  }
  return responses;
}

function answerOf(
  schema: FastifySchema,
  { status, description, headers = [], content }: DocumentedAnswer & { readonly status: number },
  examples: readonly CallExample[],
  hoist: HoistedSchemas['hoist'],
): Node {
  const limits: readonly AnswerHeader[] = schema.scopes ? ['RateLimit-Policy', 'RateLimit'] : [];
  // The sandbox warns of unknown members of every body.
  const hasWarning = schema.body !== undefined && status < 300;
  const warning: readonly AnswerHeader[] = hasWarning ? ['Payment-Requests-Warning'] : [];
  return {
    description,
    headers: headersOf([...new Set(['X-Request-Id' as const, ...headers, ...limits, ...warning])]),
    ...(content && {
      content: Object.fromEntries(
        Object.entries(content).map(([type, answerSchema], index) => {
          const named = namedExamples(index === 0 ? examples : [], ({ answer }) => answer);
          return [type, { schema: hoist(answerSchema), ...(named && { examples: named }) }];
        }),
      ),
    }),
  };
}

function refusalOf(status: number, codes: ProblemCode[], hoist: HoistedSchemas['hoist']): Node {
  const special = [...new Set(codes.flatMap(problemHeaders))];
  return {
    description: `${STATUS_CODES[status]}: ${codes.join(', ')}.`,
    headers: headersOf(['X-Request-Id', ...special.filter((name) => name !== 'Allow')]),
    content: {
      'application/problem+json': {
        schema: { allOf: [hoist(ProblemSchema), { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

function headersOf(names: readonly AnswerHeader[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function namedExamples(
  examples: readonly CallExample[],
  pick: (example: CallExample) => unknown,
): Node | null {
  const named = examples
    .filter((example) => pick(example) !== undefined)
    .map((example) => [example.name, { summary: example.summary, value: pick(example) }]);
  return named.length === 0 ? null : Object.fromEntries(named);
}
