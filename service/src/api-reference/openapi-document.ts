import { ANSWER_HEADERS, CALL_HEADERS } from '#http/json/documented-headers.ts';
import { exampleProblem } from '#http/problems/description.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import type { Environment } from '#lib/environment.ts';
import { PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';
import { FULL_SCOPE } from '#merchants/scopes.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { type HoistedSchemas, hoistSchemas } from './hoist-schemas.ts';
import { API_DESCRIPTION, SANDBOX_DESCRIPTION, TAGS } from './openapi-texts.ts';
import { problemsOfOperation } from './problems-of-operation.ts';
import { securityOf, securitySchemes } from './security-schemes.ts';
import type { Operation } from './watch-operations.ts';

export interface OpenApiDocumentOptions {
  readonly environment: Environment;
  /** {base_url} */
  readonly publicApiUrl: string;
  /** {auth_url} */
  readonly publicAuthUrl: string;
  readonly operations: readonly Operation[];
}

/**
 * The OpenAPI 3.1 document of a deployment (contract §9), made from the routes' own schemas. Equal
 * routes give equal bytes.
 */
export function openApiDocument(options: OpenApiDocumentOptions) {
  const { environment, publicApiUrl, publicAuthUrl } = options;
  const schemas = hoistSchemas();
  const isSandbox = environment === 'sandbox';
  const paths = pathsOf(options, schemas);
  const webhooks = describeWebhooks(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment Requests API',
      version: '1.0.0',
      summary: 'Ask a payer for an amount, and be told when it is paid.',
      description: API_DESCRIPTION + (isSandbox ? SANDBOX_DESCRIPTION : ''),
      contact: { name: 'Reference and guides', url: `${new URL(publicApiUrl).origin}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: new URL(publicApiUrl).origin, description: isSandbox ? 'Sandbox' : 'Production' },
    ],
    security: securityOf({ scopes: [FULL_SCOPE] }),
    tags: TAGS.filter(({ name }) => isSandbox || name !== 'Sandbox'),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(publicAuthUrl),
      schemas: schemas.components(),
      parameters: Object.fromEntries(
        Object.entries(CALL_HEADERS).map(([name, header]) => [
          name,
          { name, in: 'header', required: false, ...header },
        ]),
      ),
      headers: ANSWER_HEADERS,
      examples: Object.fromEntries(
        usedProblems(options.operations).map((code) => [
          code,
          {
            summary: PROBLEMS[code].title,
            value: exampleProblem(code, new URL(publicApiUrl).origin),
          },
        ]),
      ),
    },
  };
}

function usedProblems(operations: readonly Operation[]): ProblemCode[] {
  const used = new Set(
    operations.flatMap(({ schema }) => [...problemsOfOperation(schema).values()].flat()),
  );
  return PROBLEM_CODES.filter((code) => used.has(code));
}

const METHODS = ['post', 'get', 'patch', 'put', 'delete'];

/**
 * By group and collection, then shorter addresses first: a collection, its items, the parts of an
 * item.
 */
function inReadingOrder(operations: readonly Operation[]): Operation[] {
  const collectionOf = ({ url }: Operation) => url.split('/', 3).join('/');
  const collections = operations.map(collectionOf);
  const place = (operation: Operation) => [
    TAGS.findIndex(({ name }) => name === operation.schema.tags?.[0]),
    // The token call comes before the calls that need a token.
    operation.schema.isBasic ? -1 : collections.indexOf(collectionOf(operation)),
    operation.url.length,
    METHODS.indexOf(operation.method),
  ];
  return operations
    .map((operation) => ({ operation, place: place(operation) }))
    .sort((one, other) => {
      const differing = one.place.findIndex((value, index) => value !== other.place[index]);
      return differing < 0 ? 0 : (one.place[differing] ?? 0) - (other.place[differing] ?? 0);
    })
    .map(({ operation }) => operation);
}

/**
 * Every address with its calls, from the origin of {base_url}. Client generators ignore the servers
 * of an operation, so a call names a server of its own only where {auth_url} has another origin.
 */
function pathsOf(
  { operations, publicApiUrl, publicAuthUrl }: OpenApiDocumentOptions,
  schemas: HoistedSchemas,
): Record<string, Record<string, unknown>> {
  const own = new URL(publicApiUrl).origin;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of inReadingOrder(operations)) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    const { origin } = new URL(operation.schema.isBasic ? publicAuthUrl : publicApiUrl);
    const described = describeOperation(operation, schemas);
    paths[path] ??= {};
    paths[path][operation.method] =
      origin === own ? described : { ...described, servers: [{ url: origin }] };
  }
  return paths;
}
