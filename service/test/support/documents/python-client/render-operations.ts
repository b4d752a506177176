import { parameterName, snakeCase } from '#api-reference/call-examples/python-names.ts';
import type { OpenApi } from '../openapi-document.ts';
import {
  describeCalls,
  type PythonBody,
  type PythonCall,
  type TypedParameter,
} from './describe-calls.ts';
import { bracketed, docstring, HEAD, indent, literal } from './python-text.ts';

/** A change of the URL makes new credentials, which only its first answer has. */
const REPEATABLE: Readonly<Record<string, string>> = {
  updatePaymentRequest: 'if_match is None',
  updateWebhookEndpoint: '"url" not in body',
};
/** A code that more of the calls have says nothing about one of them. */
const MOST_SHARE = 0.25;
const WIDTH_DEPTH = 2;
const QUERY = 'query: dict[str, object] = ';

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly text?: string | undefined;
  /** Left out: the argument must be given. */
  readonly value?: 'None';
}

const optional = (name: string, type: string, text?: string): Argument => ({
  name,
  type: type.endsWith('None') ? type : `${type} | None`,
  value: 'None',
  text,
});

const LIMITS = [optional('timeout_seconds', 'float'), optional('retries', 'int')];
const LIMIT_VALUES = '(timeout_seconds, retries)';

/** clients/python/src/payment_requests/_operations.py */
export function renderOperations(document: OpenApi): string {
  const { calls, types } = describeCalls(document);
  const common = commonCodes(calls);
  const methods = calls.flatMap((call) => [
    methodOf(call, common),
    ...(call.hasCsv ? [exportOf(call)] : []),
  ]);
  const text = methods.join('\n\n');
  const used = [...types.definitions().keys(), 'Amount', 'Day', 'Instant'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text.replace(/"""[\s\S]*?"""/g, '')),
  );
  return `${HEAD}
"""Every operation of the API that needs an access token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast, overload

from ._checks import path_segment
from ._lists import CsvExport, PagedList
from ._operation_calls import OperationCalls
${bracketed('from .models import (', used.sort(), ')').replace(/^(from .models import )\(([^\n]*)\)$/, '$1$2')}


class Operations(OperationCalls):
    """The operations of the API; their errors are PaymentRequestsErrors.

    Each one takes \`timeout_seconds\`, the limit of one attempt, and \`retries\`, 0 to 10. Each POST
    takes \`idempotency_key\`, 1 to 255 visible ASCII characters: the service does a repeated call
    with an equal key once in 72 hours. The default key covers the client's own retries alone.
    \`strict\` makes the service refuse unknown fields; it is the default with credentials of the
    sandbox.
    """

${indent(text)}
`;
}

/** The codes that nearly every call can have. */
function commonCodes(calls: readonly PythonCall[]): ReadonlySet<string> {
  const all = calls.flatMap(codesOf);
  const counts = Map.groupBy(all, (code) => code);
  return new Set(
    [...counts]
      .filter(([, { length }]) => length > calls.length * MOST_SHARE)
      .map(([code]) => code),
  );
}

function codesOf({ responses }: PythonCall): string[] {
  return Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  );
}

function methodOf(call: PythonCall, common: ReadonlySet<string>): string {
  const codes = codesOf(call).filter((code) => !common.has(code));
  const raised = codes.length === 0 ? '' : `Raises ProblemError: ${codes.join(', ')}.`;
  if (call.cursor !== null) return listOf(call, raised);
  const tag = call.parametersIn.header.find(({ name }) => name === 'If-None-Match');
  if (tag) return readOf(call, tag, raised);
  return plainOf(call, raised);
}

const required = ({ name, type }: TypedParameter): Argument => ({
  name: parameterName(name),
  type,
});
const filter = ({ name, type, description }: TypedParameter) =>
  optional(parameterName(name), type, description);

/** The address as an f-string, whose ids are checked. */
function pathOf({ path }: PythonCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `{path_segment(${parameterName(name)})}`);
  return filled === path ? `"${path}"` : `f"${filled}"`;
}

/** The values of a query by their names on the wire. */
const queryOf = (parameters: readonly TypedParameter[], head = '') =>
  bracketed(
    `${head}{`,
    parameters.map(({ name }) => `"${name}": ${parameterName(name)}`),
    '}',
    WIDTH_DEPTH,
  );

function functionOf(
  name: string,
  positional: readonly Argument[],
  named: readonly Argument[],
  answer: string,
): string {
  const written = ({ name, type, value }: Argument) =>
    `${name}: ${type}${value === undefined ? '' : ` = ${value}`}`;
  const parts = ['self', ...positional.map(written), '*', ...named.map(written)];
  return bracketed(`def ${name}(`, parts, `) -> ${answer}:`, 1);
}

function textOf({ summary, description }: PythonCall, named: readonly Argument[], raised: string) {
  const told = named.flatMap(({ name, text }) => (text ? [`- \`${name}\`: ${text}`] : []));
  return docstring([`${summary}.`, description ?? '', told.join('\n'), raised], WIDTH_DEPTH);
}

function listOf(call: PythonCall, raised: string): string {
  const { cursor, answerType, parametersIn } = call;
  const order = ['limit', cursor];
  // The filters come first: they are not in the order.
  const query = parametersIn.query.toSorted(
    (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
  );
  const named = [...query.map(filter), ...LIMITS];
  const sent = query.filter(({ name }) => name !== cursor);
  const continued = cursor === 'none' ? ['"cursor"', 'None'] : [`"${cursor}"`, `${cursor}`];
  const head = functionOf(
    snakeCase(call.operationId),
    parametersIn.path.map(required),
    named,
    `PagedList[${answerType}]`,
  );
  const values = [pathOf(call), 'query', ...continued, LIMIT_VALUES];
  return `${head}
${indent(`${textOf(call, named, raised)}
${queryOf(sent, QUERY)}
${bracketed('return self._list(', values, ')', WIDTH_DEPTH)}`)}`;
}

/** A list as CSV: all that match, without pages. */
function exportOf(call: PythonCall): string {
  const paging = ['limit', 'cursor'];
  const filters = call.parametersIn.query.filter(({ name }) => !paging.includes(name));
  const named = [...filters.map(filter), ...LIMITS];
  const name = snakeCase(call.operationId).replace(/^list_/, 'export_');
  const file = `${call.path.split('/').at(-1)}.csv`;
  const head = functionOf(name, call.parametersIn.path.map(required), named, 'CsvExport');
  const text = docstring(
    [
      `${call.summary}, as CSV: all that match, without pages.`,
      'A merchant has one export at a time. The client retries until the answer begins.',
    ],
    WIDTH_DEPTH,
  );
  return `${head}
${indent(`${text}
${queryOf(filters, QUERY)}
${bracketed('return self._export(', [pathOf(call), 'query', literal(file), LIMIT_VALUES], ')', WIDTH_DEPTH)}`)}`;
}

/** A read that can wait for a change; its type says that only a known version gives None. */
function readOf(call: PythonCall, tag: TypedParameter, raised: string): string {
  const name = snakeCase(call.operationId);
  const ids = call.parametersIn.path.map(required);
  const answer = call.answerType ?? 'None';
  const version = parameterName(tag.name.toLowerCase().replaceAll('-', '_'));
  const queries = call.parametersIn.query.map(filter);
  const known = optional(version, 'str', `${tag.description} The answer is then None.`);
  const named = [...queries, known, ...LIMITS];
  const values = [pathOf(call), queryOf(call.parametersIn.query), LIMIT_VALUES];
  const whole = [...queries, { name: version, type: 'None', value: 'None' as const }, ...LIMITS];
  const partly = [...queries, { name: version, type: 'str' }, ...LIMITS];
  return `@overload
${functionOf(name, ids, whole, answer)} ...

@overload
${functionOf(name, ids, partly, `${answer} | None`)} ...

${functionOf(name, ids, named, `${answer} | None`)}
${indent(`${textOf(call, named, raised)}
${bracketed('answer = self._get(', [...values, `${version}=${version}`], ')', WIDTH_DEPTH)}
return cast("${answer} | None", answer)`)}`;
}

const bodyArgument = ({ type, isRequired }: PythonBody): Argument =>
  isRequired ? { name: 'body', type } : optional('body', type);

/** The members that the client fills in, and those that are given. */
function sentBody({ isRequired, constants }: PythonBody): string {
  const fixed = Object.entries(constants).map(([name, value]) => `"${name}": ${literal(value)}, `);
  return `{${fixed.join('')}**${isRequired ? 'body' : '(body or {})'}}`;
}

function tupleOf(names: readonly string[]): string {
  return `(${names.map(literal).join(', ')}${names.length === 1 ? ',' : ''})`;
}

function plainOf(call: PythonCall, raised: string): string {
  const { method, body, answerType, parametersIn } = call;
  const given = body ? [bodyArgument(body)] : [];
  const headers = parametersIn.header.map(({ name }) => name);
  const named = [
    ...parametersIn.query.map(filter),
    ...(headers.includes('Idempotency-Key') ? [optional('idempotency_key', 'str')] : []),
    ...(headers.includes('If-Match') ? [optional('if_match', 'str')] : []),
    ...(method === 'POST' || method === 'PATCH' ? [optional('strict', 'bool')] : []),
    ...LIMITS,
  ];
  const sent = body ? sentBody(body) : '{}';
  const amounts = body?.amounts ?? [];
  const ifMatch = headers.includes('If-Match') ? ['if_match=if_match'] : [];
  const forms: Readonly<Record<string, readonly string[]>> = {
    GET: [pathOf(call), queryOf(parametersIn.query), LIMIT_VALUES],
    DELETE: [pathOf(call), LIMIT_VALUES],
    POST: [
      ...[pathOf(call), sent, LIMIT_VALUES, 'idempotency_key=idempotency_key', 'strict=strict'],
      ...ifMatch,
      ...(amounts.length > 0 ? [`amounts=${tupleOf(amounts)}`] : []),
    ],
    PATCH: [
      ...[pathOf(call), sent, LIMIT_VALUES, 'strict=strict'],
      ...[`repeatable=${REPEATABLE[call.operationId] ?? 'True'}`, ...ifMatch],
    ],
  };
  const result = answerType === null ? '' : 'answer = ';
  const sending = bracketed(
    `${result}self._${method.toLowerCase()}(`,
    forms[method] ?? [],
    ')',
    WIDTH_DEPTH,
  );
  const head = functionOf(
    snakeCase(call.operationId),
    [...parametersIn.path.map(required), ...given],
    named,
    answerType ?? 'None',
  );
  const end = answerType === null ? sending : `${sending}\nreturn cast(${answerType}, answer)`;
  return `${head}
${indent(`${textOf(call, named, raised)}
${end}`)}`;
}
