import type { FastifySchemaValidationError } from 'fastify';
import { firstFaults } from '#lib/first-faults.ts';
import type { FieldFault, FieldFaultCode } from '#lib/problem.ts';
import { FORMAT_FORMS, PATTERN_FORMS } from '#lib/text-forms.ts';

/** The fault code of each schema keyword (contract §7). */
const CODE_OF_KEYWORD: Readonly<Record<string, FieldFaultCode>> = {
  required: 'REQUIRED',
  type: 'INVALID_TYPE',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  minItems: 'TOO_SHORT',
  maxItems: 'TOO_LONG',
  minProperties: 'TOO_SHORT',
  maxProperties: 'TOO_LONG',
  minimum: 'TOO_LOW',
  exclusiveMinimum: 'TOO_LOW',
  maximum: 'TOO_HIGH',
  exclusiveMaximum: 'TOO_HIGH',
  pattern: 'INVALID_FORMAT',
  format: 'INVALID_FORMAT',
  const: 'INVALID_VALUE',
  enum: 'INVALID_VALUE',
  uniqueItems: 'INVALID_VALUE',
  propertyNames: 'INVALID_FORMAT',
  additionalProperties: 'UNKNOWN_FIELD',
};

/** With the schemas that Ajv adds to each error (`verbose`). */
type SchemaError = FastifySchemaValidationError & { readonly parentSchema?: MemberSchema };

/** The part of a member's schema that its sentences need. */
interface MemberSchema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: unknown;
  readonly pattern?: unknown;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
}

/** The faults that the schema found, at most one a field, in the order of the schema. */
export function schemaFaults(
  errors: readonly FastifySchemaValidationError[] | undefined,
): FieldFault[] {
  return firstFaults((errors ?? []).map(schemaFault));
}

function schemaFault(error: FastifySchemaValidationError): FieldFault | null {
  const code = CODE_OF_KEYWORD[error.keyword];
  // Keywords that only combine others (anyOf, if) are reported by the combined keywords.
  if (!code) return null;
  // The fault inside propertyNames speaks of a key; the keyword itself follows and names it.
  if ('propertyName' in error && error.keyword !== 'propertyNames') return null;
  const pointer = error.instancePath + memberOf(error);
  const field = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return { field, pointer, code, message: sentence(code, field, error) };
}

/** The member that a keyword of the object above speaks of. */
function memberOf({ params }: FastifySchemaValidationError): string {
  const name = params.missingProperty ?? params.additionalProperty ?? params.propertyName;
  if (name === undefined) return '';
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function sentence(code: FieldFaultCode, field: string, error: SchemaError) {
  const name = field === '' ? 'the body' : field;
  const { parentSchema = {} } = error;
  const { limit, type, allowedValue, allowedValues } = error.params;
  switch (code) {
    case 'REQUIRED':
      return `Give ${name}${onlyValues(error)}.`;
    case 'INVALID_TYPE': {
      const form = formOf(parentSchema);
      const types = [type].flat().map(withArticle).join(' or ');
      return `Give ${name} as ${types}${form === null ? '' : `, ${form}`}.`;
    }
    case 'TOO_SHORT':
      return `Give ${name} at least ${limit} ${unit(error)}.`;
    case 'TOO_LONG':
      return `Give ${name} at most ${limit} ${unit(error)}.`;
    case 'TOO_LOW':
      return `Give ${name} as at least ${limit}.`;
    case 'TOO_HIGH':
      return `Give ${name} as at most ${limit}.`;
    case 'INVALID_VALUE':
      if (error.keyword === 'uniqueItems') return `Give ${name} no member twice.`;
      return `Give ${name} as ${[allowedValue ?? allowedValues].flat().join(' or ')}.`;
    case 'UNKNOWN_FIELD':
      return `${name} is not a field of this call.`;
    default:
      if (error.keyword === 'propertyNames') return `Give ${name} a key of an allowed length.`;
      return `Give ${name} ${formOf(error.params) ?? 'in the documented form'}.`;
  }
}

/** The form that a pattern or format lets pass; null: no words for any. */
function formOf({ format, pattern }: MemberSchema): string | null {
  const ofFormat = format === undefined ? undefined : FORMAT_FORMS[String(format)];
  return ofFormat ?? PATTERN_FORMS[String(pattern)] ?? null;
}

/** The values of a member that lacks, where its schema lists them. */
function onlyValues({ params, parentSchema }: SchemaError): string {
  const member = parentSchema?.properties?.[String(params.missingProperty)];
  const values = [member?.const ?? member?.enum ?? []].flat();
  return values.length === 0 ? '' : ` as ${values.join(' or ')}`;
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  return `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

function unit({ keyword, params }: FastifySchemaValidationError): string {
  const things = /Properties$|Items$/.test(keyword)
    ? ['member', 'members']
    : ['character', 'characters'];
  return (params.limit === 1 ? things[0] : things[1]) ?? '';
}
