import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { problemHeaders } from '#http/problems/kinds.ts';
import { PROBLEM_CODES } from '#lib/problem.ts';

export interface CheckedAnswer {
  readonly method: string;
  /** The path of the address that was asked, without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly servers: readonly { readonly url: string }[];
}

interface DocumentedOperation {
  readonly servers?: readonly { readonly url: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, object>> }>
  >;
}

interface Route {
  readonly pattern: RegExp;
  /** The operation's place in the document, as a JSON Pointer. */
  readonly pointer: string;
  readonly method: string;
  readonly operation: DocumentedOperation;
}

export type AnswerCheck = (answer: CheckedAnswer) => void;

/**
 * Each document has one check in a process: schemas are compiled when an answer first needs them.
 */
const checks = new Map<string, AnswerCheck>();

/** Holds answers to the OpenAPI document: status, media type, body, a problem's code and headers. */
export function answerCheckOf(documentText: string): AnswerCheck {
  const known = checks.get(documentText);
  if (known) return known;
  const check = createCheck(documentText);
  checks.set(documentText, check);
  return check;
}

function createCheck(documentText: string): AnswerCheck {
  const document: Documented = JSON.parse(documentText);
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  // Its default export is the function and, beside itself, a module's.
  (ajvFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema(closed(document) as object, 'document');
  const routes = routesOf(document);
  const validators = new Map<string, ValidateFunction>();

  function validatorAt(pointer: string): ValidateFunction {
    const known = validators.get(pointer);
    if (known) return known;
    const made = ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, made);
    return made;
  }

  return (answer) => {
    const { method, path, status, headers, text } = answer;
    const where = `${method} ${path} → ${status} ${text.slice(0, 500)}`;
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const route = routes.find((each) => each.method === asked && each.pattern.test(path));
    const type = headers.get('content-type')?.split(';')[0];
    assert.ok(headers.has('x-request-id'), `no X-Request-Id: ${where}`);
    if (type === 'application/problem+json') checkProblem(answer, where);
    if (!route) {
      // Pages for people; and what is at no address, or not asked that way.
      assert.ok(status < 400 || /html|problem/.test(type ?? ''), `not a problem: ${where}`);
      if (type === 'application/problem+json' && text !== '') {
        checkBody(validatorAt('/components/schemas/Problem'), text, where);
      }
      return;
    }
    if (status === 405 || method === 'OPTIONS') return;
    const response = route.operation.responses[status];
    assert.ok(response, `the document has no such status: ${where}`);
    if (!response.content) return assert.equal(text, '', `the document has no body: ${where}`);
    assert.ok(type && response.content[type], `the document has no ${type}: ${where}`);
    if (method === 'HEAD' || !/json$/.test(type)) return;
    const pointer = `${route.pointer}/responses/${status}/content/${escaped(type)}/schema`;
    checkBody(validatorAt(pointer), text, where);
  };
}

function checkProblem({ status, headers, text, method }: CheckedAnswer, where: string): void {
  if (method === 'HEAD') return;
  const { code, ...problem } = JSON.parse(text);
  assert.ok(PROBLEM_CODES.includes(code), `no code: ${where}`);
  assert.equal(problem.status, status, where);
  assert.equal(problem.requestId, headers.get('x-request-id'), where);
  for (const name of problemHeaders(code)) {
    assert.ok(headers.has(name), `no ${name}: ${where}`);
  }
}

function checkBody(validate: ValidateFunction, text: string, where: string): void {
  if (validate(JSON.parse(text))) return;
  const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
  assert.fail(`the body does not fit the document: ${where}\n${faults?.join('\n')}`);
}

function routesOf({ paths, servers }: Documented): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const server = (operation.servers ?? servers)[0]?.url ?? '';
      const base = new URL(server).pathname.replace(/\/$/, '');
      const pattern = `${base}${path}`.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
      return {
        pattern: new RegExp(`^${pattern}$`),
        pointer: `/paths/${escaped(path)}/${method}`,
        method,
        operation,
      };
    }),
  );
}

/** RFC 6901, in a fragment. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/**
 * The document with every object closed: merchants must take members that they do not know, but we
 * must not answer any that the document does not know.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([name, value]) => [name, closed(value)]);
  const isOpen = 'type' in node && node.type === 'object' && 'properties' in node;
  return {
    ...Object.fromEntries(members),
    ...(isOpen && !('additionalProperties' in node) && { additionalProperties: false }),
  };
}
