import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from '#lib/json/schema-types.ts';

type Builders = typeof Type;

/** Schemas with every builder, in every way in which the service's schemas use it. */
function schemasBy(type: Builders): readonly unknown[] {
  const text = type.String({ maxLength: 5, description: 'A text.' });
  const optional = type.Optional(text);
  return [
    text,
    type.String(),
    type.Boolean({ default: true }),
    type.Integer({ minimum: 1 }),
    type.Number({ maximum: 2 }),
    type.Null(),
    type.Enum(['A', 'B'], { description: 'One of two.' }),
    type.Enum([...['C']]),
    type.Literal('one', { description: 'Always this.' }),
    type.Literal(2),
    type.Literal(false),
    type.Array(text, { maxItems: 3 }),
    type.Union([text, type.Null()], { description: 'A text or null.' }),
    type.Record(type.String(), text, { maxProperties: 4 }),
    type.Unsafe<string | null>({ ...text, type: ['string', 'null'] }),
    type.Object({}),
    type.Object({ first: text, second: optional, third: type.Optional(optional) }),
    type.Object(
      {
        lost: type.Unsafe({ ...optional }),
        kept: type.Unsafe(optional),
        inner: type.Optional(type.Object({ deep: type.Optional(type.Array(optional)) })),
      },
      { additionalProperties: false, description: 'An object.' },
    ),
    { ...optional, description: 'Copied.' },
  ];
}

describe('the builders of schemas', () => {
  it('give the JSON Schema that TypeBox gives, member by member', () => {
    const [ours, theirs] = [schemasBy(Type), schemasBy(TypeBox)];
    assert.deepEqual(
      ours.map((schema) => JSON.stringify(schema)),
      theirs.map((schema) => JSON.stringify(schema)),
    );
  });

  it('keep the schemas that they are given as they are', () => {
    const text = Type.String();
    const list = Type.Array(text);
    Type.Object({ text: Type.Optional(text), list });
    assert.deepEqual([JSON.stringify(text), list.items === text], ['{"type":"string"}', true]);
  });
});
