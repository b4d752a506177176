import type { Readable } from 'node:stream';
import type { Action } from '#console/model/access-matrix.ts';
import type { Viewer } from '#console/sessions/sessions.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import type { PageScript } from '#http/pages/scripts.ts';
import type { ZonedMerchant } from '#merchants/find-named-merchant.ts';
import type { PageHead } from './page-head.ts';
import type { Section } from './sections.ts';

/** The merchant of a page's address. */
export type VisitedMerchant = ZonedMerchant;

/** A signed-in person's call of a page or form, after the access matrix has allowed it. */
export interface Visit {
  readonly viewer: Viewer;
  /** null: the page concerns no single merchant. */
  readonly merchant: VisitedMerchant | null;
  /** The merchant whose pages the navigation shows: that of the page, or the person's only one. */
  readonly shownMerchant: VisitedMerchant | null;
  /** The merchant's id. @throws Error on a page without `:merchant` in its path */
  readonly merchantId: string;
  /** The parts of the path, by their names in the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The path of the address, below `/console`. */
  readonly path: string;
  readonly language: ConsoleLanguage;
  /** The zone of the page's days and times: of its address, the person, the merchant, or books. */
  readonly timeZone: string;
  /** The deployment's `TIME_ZONE`: the zone of banks' days and of reports. */
  readonly bookZone: string;
  readonly currency: string;
  readonly now: Date;
  /** The audit log's actor. */
  readonly actor: string;
  readonly requestId: string;
  /** The hidden member of every form. */
  readonly csrf: string;
  /**
   * Whether the person may do an action now or after a fresh sign-in: here, or at the merchant that
   * is named.
   */
  can(action: Action, merchantId?: string): boolean;
}

/** A page of the console, without the frame that all pages share. */
export interface ConsolePage {
  /** Never holds payer data: browsers keep titles in their history. */
  readonly title: string;
  /** Stands above the body, with the page's title unless it has its own; left out: no head. */
  readonly head?: Partial<PageHead>;
  /** HTML. */
  readonly body: string;
  /** The entry of the navigation that is shown as current; left out: that of the path. */
  readonly section?: Section;
  /** Default 200. */
  readonly status?: number;
  /** A line above the page about the step before, as plain text. */
  readonly notice?: string | null;
  readonly scripts?: readonly PageScript[];
  /** The page has a frame with another page of ours. */
  readonly hasFrame?: true;
  /** The page holds the search itself, so that the bar shows none. */
  readonly hasSearch?: true;
  /** The numbers of the navigation that the page has read; left out: the frame reads them. */
  readonly work?: Readonly<Partial<Record<Section, number>>>;
}

/** An answer 303. */
export interface ConsoleRedirect {
  /** A path that begins with `/console`. */
  readonly to: string;
  /**
   * Becomes `?done=` of the next page. The frame says the text that `console.shell.done` has for
   * it; for other keys the page itself reads the query and sets its `notice`.
   */
  readonly done?: string;
}

/** A file to download. */
export interface ConsoleFile {
  readonly fileName: string;
  readonly type: string;
  readonly content: string | Buffer | Readable;
  /** Shown in the browser instead: an image of the page. */
  readonly isInline?: true;
  /** The policy of its own contents; left out: that of pages. */
  readonly policy?: string;
}

export type ConsoleAnswer = ConsolePage | ConsoleRedirect | ConsoleFile;
