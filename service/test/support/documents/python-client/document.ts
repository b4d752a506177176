import { startTestService } from '../../service/service.ts';

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

type Content = Readonly<Record<string, MediaType>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

let reading: Promise<string> | undefined;

/** The OpenAPI document of a sandbox, which has all operations. One service is asked once. */
export function readOpenApi(): Promise<string> {
  reading ??= readFromService();
  return reading;
}

async function readFromService(): Promise<string> {
  const service = await startTestService();
  try {
    return (await service.call('GET', '/openapi.json')).text;
  } finally {
    await service.stop();
  }
}

/** The name of the component that a reference names. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

export interface MerchantCall extends Operation {
  readonly method: string;
  /** Below {base_url}. */
  readonly path: string;
  readonly resolved: readonly Parameter[];
}

/** The operations that need an access token; the client makes the token call itself. */
export function merchantCalls({ paths, components }: OpenApi): MerchantCall[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.some((each) => 'accessToken' in each))
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: path.replace(/^\/v1/, ''),
        resolved: operation.parameters.map((each) =>
          '$ref' in each ? (components.parameters[nameOf(each.$ref)] as Parameter) : each,
        ),
      })),
  );
}
