import type { FastifySchema } from 'fastify';
import type { HoistedSchemas } from './hoist-schemas.ts';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** Every call reads this header. */
const OF_EVERY_CALL = ['X-Request-Id'] as const;

/** The parameters of a call in its address and headers. */
export function describeParameters(
  { params, querystring, callHeaders = [], examples = [] }: FastifySchema,
  url: string,
  hoist: HoistedSchemas['hoist'],
): object[] {
  const shown = Object.assign({}, ...examples.map((example) => example.parameters ?? {}));
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return [
    ...inPath.map((name) => {
      const schema = (params as ObjectSchema | undefined)?.properties[name];
      if (!schema) throw new Error(`the parameter ${name} of ${url} has no schema`);
      return parameter('path', name, schema, true, shown[name], hoist);
    }),
    ...Object.entries((querystring as ObjectSchema | undefined)?.properties ?? {}).map(
      ([name, schema]) => parameter('query', name, schema, false, shown[name], hoist),
    ),
    ...[...callHeaders, ...OF_EVERY_CALL].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
  ];
}

function parameter(
  where: 'path' | 'query',
  name: string,
  { description, ...schema }: Readonly<Record<string, unknown>>,
  required: boolean,
  example: unknown,
  hoist: HoistedSchemas['hoist'],
): object {
  return {
    name,
    in: where,
    required,
    description,
    schema: hoist(schema),
    // Only the headers that every call needs: a page that tries calls would send every example.
    ...(required && example !== undefined && { example }),
  };
}
