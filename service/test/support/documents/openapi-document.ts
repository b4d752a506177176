import {
  type DocumentedCall,
  type Parameter,
  type ReferenceDocument,
  resolve,
  type Schema,
} from '#api-reference/document-types.ts';
import { startTestService } from '../service/service.ts';

/** The whole document; its schemas become types. */
export interface OpenApi extends ReferenceDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let reading: Promise<string> | undefined;

/** The OpenAPI document of a sandbox, which has all operations. A single service is asked, once. */
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

export interface PlacedCall extends DocumentedCall {
  readonly method: string;
  readonly path: string;
  readonly resolved: readonly Parameter[];
}

/** Every operation with its place, and its parameters in place of references. */
export function placedCalls(document: ReferenceDocument): PlacedCall[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      resolved: (operation.parameters ?? []).map((each) => resolve<Parameter>(document, each)),
    })),
  );
}

/**
 * The operations that need an access token, with paths below {base_url}. The client makes the token
 * call itself.
 */
export function merchantCalls(document: OpenApi): PlacedCall[] {
  return placedCalls(document)
    .filter(({ security }) => security?.some((each) => 'accessToken' in each))
    .map((call) => ({ ...call, path: call.path.replace(/^\/v1/, '') }));
}
