import type { FastifyRequest } from 'fastify';
import type { Action } from '#console/model/access-matrix.ts';
import type { Section } from '#console/shell/sections.ts';
import type { ConsoleFile, Visit } from '#console/shell/visit.ts';
import type { Language } from '#http/negotiation/choose-language.ts';
import type { Texts } from '#http/pages/texts.ts';
import type { Page } from '#lib/cursor.ts';
import type { FieldFault } from '#lib/problem.ts';

/** How a filter is typed or chosen; the words about a fault follow it. */
export type FilterForm = 'text' | 'email' | 'phone' | 'amount' | 'id' | 'choice' | 'choices';

/** A filter of a list: a field of the form, and a parameter of the address. */
export interface ListFilter {
  /** The parameter of the call that lists, too. */
  readonly name: string;
  readonly form: FilterForm;
  /** The values of a choice; each has the word `option.<value>`. */
  readonly options?: readonly string[];
  readonly maxLength?: number;
  /** Names a payer, or opens a payment link: no saved view keeps it. */
  readonly isPrivate?: true;
}

export interface ListColumn<Row> {
  readonly name: string;
  /** Whether the list shows it unless told otherwise. */
  readonly isUsual: boolean;
  /** Numbers stand at the right edge. */
  readonly isNumber?: true;
  /** HTML. */
  cell(row: Row, visit: Visit): string;
}

/** The parameters of a list, as the call that lists takes them. */
export type ListParameters = Readonly<Record<string, string | number | readonly string[]>>;

/** A list of the console: the only description that its page, its views and its file need. */
export interface ListSpec<Row> {
  /** Names the list in saved views and file names. */
  readonly name: string;
  /** Below `/console`, with the parts of the route. */
  readonly path: string;
  readonly section: Section;
  readonly action: Action;
  readonly filters: readonly ListFilter[];
  /** Whether the days of creation narrow the list (`createdFrom`, `createdTo`). */
  readonly hasDays: boolean;
  /** Whether people may save views of the list: it is one of a merchant. */
  readonly hasViews: boolean;
  readonly columns: readonly ListColumn<Row>[];
  /**
   * The words: `title`, `empty`, `emptyNext`, `filter.<name>`, `column.<name>`, `option.<value>`.
   */
  readonly words: (language: Language) => (key: string) => string;
  /** The page of a row, below the origin; null: there is none. */
  rowAddress(row: Row, visit: Visit): string | null;
  /** @throws Problem VALIDATION_ERROR with all faults of the parameters */
  read(visit: Visit, request: FastifyRequest, parameters: ListParameters): Promise<Page<Row>>;
  /** All rows that match, as CSV. @throws as `read` */
  csv(visit: Visit, request: FastifyRequest, parameters: ListParameters): Promise<ConsoleFile>;
  /** HTML beside the title: the act that adds a row. */
  readonly actions?: (visit: Visit) => string;
  /** HTML of the empty list without filters, after its sentence. */
  readonly emptyActions?: (visit: Visit) => string;
}

/** A fault with its place in the form. */
export type ListFault = Pick<FieldFault, 'field' | 'code'>;

/** The words of a list, from its texts: a test looks up each in every language. */
export function wordsOf<Key extends string>(
  texts: Readonly<Record<Language, Texts<Key>>>,
): ListSpec<never>['words'] {
  return (language) => (key) => texts[language].text(key as Key);
}
