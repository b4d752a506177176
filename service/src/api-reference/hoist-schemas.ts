import { isDeepStrictEqual } from 'node:util';

export interface HoistedSchemas {
  /** The schema as the document shows it: each named one a reference. */
  hoist(schema: object): object;
  /** What was referred to, by name in the order of the alphabet. */
  components(): Readonly<Record<string, object>>;
}

/**
 * Collects the schemas that have a name, their `title`, so that the document holds each once and
 * generated clients have a type for it. Two that share a name must be the same.
 */
export function hoistSchemas(): HoistedSchemas {
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
      // The names of properties are the merchant's words: `title` could be one of them.
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
    hoist: (schema) => shown(schema) as object,
    components: () =>
      Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
