import { html } from 'ghtml';
import { type ReferenceDocument, resolve, type Schema } from '../document-types.ts';

/** No schema nests deeper; a schema within itself would never end. */
const DEEPEST = 8;
/** A named schema with more members is folded: the text around it stays together. */
const MOST_OPEN_MEMBERS = 4;

/** The members of a schema as nested lists; empty for a value without members. */
export function membersOf(document: ReferenceDocument, schema: Schema, depth = 0): string {
  if (depth > DEEPEST) return '';
  const { properties, required = [], items, anyOf } = resolve(document, schema);
  if (items) return membersOf(document, items, depth);
  if (anyOf) return variantsOf(document, anyOf, depth);
  if (!properties) return '';
  // A reader begins with what must be there.
  const place = ([name]: [string, unknown]) => (required.includes(name) ? 0 : 1);
  const lines = Object.entries(properties)
    .sort((one, other) => place(one) - place(other))
    .map(([name, member]) =>
      memberOf(document, { name, member, isRequired: required.includes(name) }, depth + 1),
    );
  return html`<ul class="members">!${lines.join('\n')}</ul>`;
}

interface Member {
  readonly name: string;
  readonly member: Schema;
  readonly isRequired: boolean;
}

function memberOf(
  document: ReferenceDocument,
  { name, member, isRequired }: Member,
  depth: number,
): string {
  const schema = resolve(document, member);
  const description = member.description ?? schema.description;
  return html`<li><code class="name">${name}</code>
<span class="type">${typeOf(document, member)}</span>
!${isRequired ? '<span class="required">required</span>' : ''}
!${limitsLine(schema)}!${description ? html`<p>${description}</p>` : ''}
!${folded(document, member, depth)}</li>`;
}

function folded(document: ReferenceDocument, member: Schema, depth: number): string {
  const members = membersOf(document, member, depth);
  if (members === '') return '';
  const schema = resolve(document, member);
  const target = schema.items ? resolve(document, schema.items) : schema;
  const count = Object.keys(target.properties ?? {}).length;
  if (!target.anyOf && count <= MOST_OPEN_MEMBERS) return members;
  const what = target.title ? `Members of ${target.title}` : 'Members';
  return html`<details><summary>${what}</summary>!${members}</details>`;
}

/** Each variant of a value, named by the constants that tell it from the others. */
function variantsOf(
  document: ReferenceDocument,
  variants: readonly Schema[],
  depth: number,
): string {
  return variants
    .map((variant) => {
      const members = membersOf(document, variant, depth + 1);
      if (members === '') return '';
      const name = variantName(document, variant);
      return html`<details><summary>${name}</summary>!${members}</details>`;
    })
    .join('\n');
}

function variantName(document: ReferenceDocument, variant: Schema): string {
  const { title, properties = {} } = resolve(document, variant);
  const constants = Object.entries(properties).flatMap(([name, member]) => {
    const { const: value } = resolve(document, member);
    return value === undefined ? [] : `${name} ${String(value)}`;
  });
  return title ?? constants.join(', ');
}

/** The type of a value in words, as in "array of Link" or "string, date-time". */
export function typeOf(document: ReferenceDocument, schema: Schema): string {
  const resolved = resolve(document, schema);
  const { type, format, items, anyOf, title } = resolved;
  if (resolved.const !== undefined) return `always ${JSON.stringify(resolved.const)}`;
  if (resolved.enum) return 'one of the values';
  if (items) return `array of ${typeOf(document, items)}`;
  if (anyOf) return [...new Set(anyOf.map((each) => typeOf(document, each)))].join(' or ');
  const types = [type ?? 'any'].flat().join(' or ');
  if (types === 'object' && title) return title;
  return format ? `${types}, ${format}` : types;
}

function limitsLine(schema: Schema): string {
  const limits = limitsOf(schema);
  return limits ? html`<span class="limits">· ${limits}</span>` : '';
}

/** The limits of a value in words; empty for none. */
export function limitsOf(schema: Schema): string {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least === undefined && most === undefined) return [];
    if (least === undefined) return `at most ${most}${unit}`;
    if (most === undefined) return `at least ${least}${least === 1 ? unit.slice(0, -1) : unit}`;
    return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  };
  return [
    schema.enum ? schema.enum.map(String).join(', ') : [],
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' members'),
    schema.default === undefined ? [] : `default ${String(schema.default)}`,
  ]
    .flat()
    .join('; ');
}
