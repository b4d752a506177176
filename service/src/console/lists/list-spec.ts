import { type ShownStatus, type StatusKind, statusWord } from '#console/components/badges.ts';
import type { Action } from '#console/model/access-matrix.ts';
import { SECTIONS, type Section } from '#console/shell/sections.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { List, QuerySchema } from '#database/lists/list.ts';
import type { ReadPage } from '#database/lists/read-pages.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { type PageName, pageTexts, type Texts } from '#http/pages/texts.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { Act } from './acts.ts';
import type { ListColumns } from './columns.ts';

/** How a filter is typed or chosen; the words about a fault follow it. */
export type FilterForm = 'text' | 'email' | 'phone' | 'amount' | 'id' | 'choice' | 'choices';

/** A filter of a list: a field of the form, and a parameter of the address. */
export interface ListFilter {
  readonly name: string;
  readonly form: FilterForm;
  /** The parameter of the call that lists; left out: the name. */
  readonly parameter?: string;
  /** The parameters of the call for a value; left out: `parameter` has the value itself. */
  parametersOf?(value: string, visit: Pick<Visit, 'now' | 'timeZone'>): ListParameters;
  /** The values of a choice. */
  readonly options?: readonly string[];
  /** The word of a value; left out: `option.<value>` of the list's words. */
  readonly wordOf?: (language: ConsoleLanguage, value: string) => string;
  /** The name of the thing whose id is the value; left out or null: the chip shows the id. */
  nameOf?(db: Executor, id: string, visit: Visit): Promise<string | null | undefined>;
  /** The choices stand in the order of their words. */
  readonly isSorted?: true;
  /** The value of an address without this filter; left out: any. */
  readonly usual?: string;
  readonly maxLength?: number;
  /** Names a payer, or opens a payment link: no saved view keeps it. */
  readonly isPrivate?: true;
}

/** The days that narrow a list, beside a period that ends today. */
export interface DayFilter {
  /** The parameters of the address. */
  readonly names: readonly [from: string, to: string];
  /** The parameters of the call: instants, the second exclusive. */
  readonly parameters: readonly [from: string, to: string];
  /** The call takes days of this time zone instead, the second inclusive. */
  readonly datesIn?: string;
}

export const CREATED_DAYS: DayFilter = {
  names: ['from', 'to'],
  parameters: ['createdFrom', 'createdTo'],
};

/** The parameters of a list, as the call that lists takes them. */
export type ListParameters = Readonly<Record<string, string | number | readonly string[]>>;

/** The rows of a list, for a merchant or, with null, for the deployment. */
export interface ListRows<Row> extends Omit<List<ListParameters, Row, string | null>, 'schema'> {
  /** Validates the parameters; left out: the forms of the filters alone do. */
  readonly schema?: QuerySchema;
}

/** Views that each person has above the list, with the number of their rows. */
export interface ListTabs {
  /** The query of the list's address by the name of the tab; each has the word `tab.<name>`. */
  readonly queries: Readonly<Record<string, string>>;
  /** A tab without rows is left out. */
  readonly hidesEmpty?: true;
  /** A number above this is written with a plus; a tab that is not counted has none. */
  readonly most: number;
  /** Counts the rows of each tab; left out: the frame has the counts. */
  count?(db: Executor, visit: Visit): Promise<TabCounts>;
}

/** The rows of tabs, by their names. */
export type TabCounts = Readonly<Record<string, number>>;

/** Parts of a page around its list, as HTML. */
export interface ListFrame {
  /** Instead of the page's head: the list is a part of the page of another thing. */
  readonly heading?: string;
  /** Before the heading. */
  readonly before?: string;
  /** Instead of the list: there can be none here. */
  readonly instead?: string;
  /** Between the heading and the filters. */
  readonly intro?: string;
  /** The rows of the tabs, where the frame has read them. */
  readonly counts?: TabCounts;
}

/** A list of the console: the only description that its page, its views and its file need. */
export interface ListSpec<Row = unknown> {
  /** Names the list in saved views. */
  readonly name: string;
  /** Below `/console`, with the parts of the route. */
  readonly path: string;
  /** Its scope is that of the list: a merchant's rows, or those of the deployment. */
  readonly action: Action;
  readonly filters: readonly ListFilter[];
  readonly days?: DayFilter;
  /** A value of a wrong form filters nothing. */
  readonly isLenient?: true;
  /** The first `usual` columns are shown unless the person chooses others. */
  readonly columns: ListColumns<Row>;
  readonly usual: number;
  /** The most rows of a page; left out: some two screens. */
  readonly pageRows?: number;
  readonly words: ListWords;
  readonly tabs?: ListTabs;
  /** The word of the sentence under the title that says what the rows are. */
  readonly lead?: 'lead' | 'leadOwn';
  readonly rows: ListRows<Row>;
  /** Reads that a replica may serve; left out: the primary. */
  readonly reads?: OverviewReads;
  /** Reads a page where it is more than the rows. */
  readonly readPage?: ReadPage<ListParameters, Row>;
  /** The page of a row, below the origin; left out or null: there is none. */
  rowAddress?(row: Row, visit: Visit): string | null;
  /** The words of the row's link after the list's first column, for screen readers. */
  rowName?(row: Row, visit: Visit): string;
  /**
   * When a row came: the first page then says how many rows are newer than those that it shows.
   * Left out: it says nothing.
   */
  cameAt?(row: Row): Date;
  /** Beside the title, as the one that adds a row; each has a word of the list. */
  readonly acts?: readonly Act[];
  /** Under the sentence of the empty list without filters. */
  readonly emptyActs?: readonly Act[];
  /** In a column of its own, with the word `column.acts`. */
  readonly rowActs?: readonly Act<Row>[];
  /** The line above the rows about all rows that match, by the parameters of the call, as HTML. */
  summary?(db: Executor, visit: Visit, query: ListParameters): Promise<string>;
  /** @throws Problem for the address of nothing */
  readonly frame?: (visit: Visit) => Promise<ListFrame> | ListFrame;
}

/** A fault with its place in the form. */
/** A list that is the page of a section: it has the section's path and right. */
export function listAt(section: Section, words: ListWords) {
  return { ...SECTIONS[section], name: section.replace('operator.', ''), words };
}

export type ListFault = Pick<FieldFault, 'field' | 'code'>;

/**
 * The words of a list: `title`, `empty`, `emptyNext`, `lead`, `filter.<name>`, `column.<name>`,
 * `option.<value>`, and those of every list. A test looks up each in every language.
 */
export type ListWords = (language: ConsoleLanguage) => Texts<string>;

export function listWords(page: PageName): ListWords {
  const texts = pageTexts(page, 'console.lists');
  return (language) => texts[language] as Texts<string>;
}

type Statuses<Status extends string> = Readonly<Record<Status, number>>;

/** Tabs by the filter `status`, each with its statuses; the tab `all` has every status. */
export function statusTabs<Status extends string>(
  tabs: Readonly<Record<string, readonly Status[]>>,
  /** `read` gives null where there are too many to count. */
  {
    most,
    read,
  }: Pick<ListTabs, 'most'> & {
    readonly read: (db: Executor, visit: Visit) => Promise<Statuses<Status> | null>;
  },
): ListTabs {
  const all = Object.entries({ all: [], ...tabs });
  return {
    queries: Object.fromEntries(
      all.map(([name, statuses]) => [name, statuses.map((each) => `status=${each}`).join('&')]),
    ),
    most,
    async count(db, visit) {
      const counts = await read(db, visit);
      if (counts === null) return {};
      const sumOf = (statuses: readonly Status[]) =>
        statuses.reduce((sum, status) => sum + counts[status], 0);
      const numbers = Object.entries(tabs).map(([name, statuses]) => [name, sumOf(statuses)]);
      return { ...Object.fromEntries(numbers), all: sumOf(Object.keys(counts) as Status[]) };
    },
  };
}

/** The filter by statuses of a kind. */
export function statusFilter(
  kind: StatusKind,
  options: readonly string[],
  form: 'choice' | 'choices' = 'choices',
): ListFilter {
  return {
    name: 'status',
    form,
    options,
    wordOf: (language, value) => statusWord(language, `${kind}.${value}` as ShownStatus),
  };
}
