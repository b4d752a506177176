import { type TObject, type TProperties, Type } from 'typebox';
import { UUID } from '#lib/text-forms.ts';
import type { Surface } from './surface.ts';

/** A tool as data. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: TObject;
  readonly changesData?: true;
  /**
   * @param given fits `input`
   * @returns a text, or members for JSON
   * @throws Problem
   */
  // biome-ignore lint/suspicious/noExplicitAny: `input` has proved the type
  readonly run: (surface: Surface, given: any) => Promise<unknown>;
}

export const ID = Type.String({ pattern: UUID, description: 'The id, as a UUID.' });

export function input(...properties: readonly TProperties[]): TObject {
  return Type.Object(Object.assign({}, ...properties), { additionalProperties: false });
}
