import { isKeyword } from '#api-reference/call-examples/python-names.ts';
import type { Schema } from '#api-reference/document-types.ts';
import type { OpenApi } from '../openapi-document.ts';
import { bracketed, docstring, indent, literal, pascalCase } from './python-text.ts';

/** The name of the component that a reference names. */
const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';

/** Answers have exact decimals; bodies may have what a caller has at hand. */
type Direction = 'answer' | 'body';

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** A longer choice of values gets a name of its own. */
const LONGEST_CHOICE = 50;

export interface PythonTypes {
  /** The type of a schema; an object without a name of its own is called `name`. */
  typeOf(schema: Schema, name: string, direction: Direction): string;
  /** The definitions of all types so far, each behind those that it uses. */
  definitions(): ReadonlyMap<string, string>;
  /** The members that are amounts, by name. */
  amounts(): ReadonlySet<string>;
}

/** Collects the types that the operations of a document use. */
export function pythonTypes({ components }: OpenApi): PythonTypes {
  const defined = new Map<string, string>();
  const amounts = new Set<string>();

  function define(name: string, make: () => string): string {
    if (!defined.has(name)) defined.set(name, make());
    return name;
  }

  function componentOf(name: string): string {
    const schema = components.schemas[name];
    if (!schema) throw new Error(`the document has no schema ${name}`);
    if (schema.properties) return typeOf(schema, name, 'answer');
    if (defined.has(name)) return name;
    const { enum: values, description } = schema;
    const [head, parts] = values
      ? ['Literal[', values.map(literal)]
      : ['Union[', typeOf(schema, name, 'answer').split(' | ')];
    const text = description ? `\n${docstring([description], 0)}` : '';
    return define(name, () => `${bracketed(`${name} = ${head}`, parts, ']')}${text}`);
  }

  function typeOf(schema: Schema, name: string, direction: Direction): string {
    if (schema.$ref !== undefined) return componentOf(nameOf(schema.$ref));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return choiceOf(schema.enum, name);
    if (schema.anyOf) return unionOf(schema.anyOf, name, direction);
    const types = [schema.type ?? 'object'].flat();
    return [...new Set(types.map((type) => plainType({ ...schema, type }, name, direction)))].join(
      ' | ',
    );
  }

  function choiceOf(values: readonly unknown[], name: string): string {
    const choice = `Literal[${values.map(literal).join(', ')}]`;
    if (choice.length <= LONGEST_CHOICE || defined.has(name)) {
      return defined.has(name) ? name : choice;
    }
    return define(name, () => bracketed(`${name} = Literal[`, values.map(literal), ']'));
  }

  function unionOf(variants: readonly Schema[], name: string, direction: Direction): string {
    const types = variants.map((variant, at) => {
      const told = Object.values(variant.properties ?? {}).find(({ const: value }) => value);
      const mark = typeof told?.const === 'string' ? pascalCase(told.const) : `Variant${at + 1}`;
      return typeOf(variant, variant.properties ? `${name}${mark}` : name, direction);
    });
    return [...new Set(types)].join(' | ');
  }

  function plainType(schema: Schema & { type: string }, name: string, direction: Direction) {
    const { type, format, items } = schema;
    if (type === 'array') return `list[${items ? typeOf(items, name, direction) : 'object'}]`;
    if (type === 'object') return objectOf(schema, name, direction);
    if (type === 'number') return direction === 'body' ? 'Amount' : 'Decimal';
    if (direction === 'body' && format === 'date-time') return 'Instant';
    if (direction === 'body' && format === 'date') return 'Day';
    return SCALARS[type] ?? 'object';
  }

  function objectOf(schema: Schema, name: string, direction: Direction): string {
    const { properties, patternProperties = {}, additionalProperties } = schema;
    if (!properties) {
      const [named] = Object.values(patternProperties);
      const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      const values = named ?? others;
      return `dict[str, ${values ? typeOf(values, `${name}Value`, direction) : 'object'}]`;
    }
    for (const [member, { type }] of Object.entries(properties)) {
      if (type === 'number') amounts.add(member);
      if (type === 'integer' && amounts.has(member)) throw new Error(`${member} is two kinds`);
    }
    // The parts are defined first.
    const members = Object.entries(properties).map(([member, part]) => ({
      member,
      type: typeOf(part, name + pascalCase(member), direction),
      // The client fills a constant in.
      isRequired:
        schema.required?.includes(member) === true &&
        !(direction === 'body' && part.const !== undefined),
      description: part.description,
    }));
    return define(name, () => typedDict(name, members, schema.description));
  }

  return { typeOf, definitions: () => defined, amounts: () => amounts };
}

interface Member {
  readonly member: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

function typedDict(name: string, members: readonly Member[], description = ''): string {
  const typeOf = ({ type, isRequired }: Member) => (isRequired ? type : `NotRequired[${type}]`);
  if (members.some(({ member }) => isKeyword(member))) {
    // The class form has no place for a keyword.
    const lines = members.map((each) => `"${each.member}": ${typeOf(each)},`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${indent(lines.join('\n'), 2)}\n    },\n)`;
  }
  const lines = members.flatMap((each) => [
    `${each.member}: ${typeOf(each)}`,
    ...(each.description ? [docstring([each.description], 1)] : []),
  ]);
  const text = description ? `${docstring([description], 1)}\n\n` : '';
  const body = `${text}${lines.join('\n')}` || 'pass';
  return `class ${name}(TypedDict):\n${indent(body)}`;
}
