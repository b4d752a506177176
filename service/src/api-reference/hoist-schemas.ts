import { isDeepStrictEqual } from 'node:util';

export type HoistedSchemas = ReturnType<typeof hoistSchemas>;

/**
 * Collects the schemas with a name, their `title`. The document then holds each schema once, and
 * generated clients have a type for it. Two schemas with one name must be equal.
 */
export function hoistSchemas() {
  const components = new Map<string, object>();

  function shown(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(shown);
    if (typeof node !== 'object' || node === null) return node;
    const { title } = node as { title?: unknown };
    return typeof title === 'string' ? referTo(title, node) : membersOf(node);
  }

  function referTo(name: string, schema: object): object {
    const component = membersOf(schema);
    const known = components.get(name);
    if (known && !isDeepStrictEqual(known, component)) {
      throw new Error(`two schemas are called ${name}`);
    }
    components.set(name, component);
    return { $ref: `#/components/schemas/${name}` };
  }

  function membersOf(node: object): object {
    const members = Object.entries(node).map(([name, value]) => [
      name,
      // The names of properties are the merchant's words: a property may be called `title`.
      name === 'properties' ? propertiesOf(value) : shown(value),
    ]);
    return Object.fromEntries(members);
  }

  function propertiesOf(properties: object): object {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, shown(schema)]),
    );
  }

  return {
    /** The schema as the document shows it: each named schema is a reference. */
    hoist: (schema: object) => shown(schema) as object,
    /** The referenced schemas, by name in alphabetical order. */
    components: () =>
      Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
