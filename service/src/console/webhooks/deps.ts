import type { Database } from '#database/database.ts';
import type { SendTestDeps } from '#webhooks/deliveries/send-test.ts';
import type { EditEndpointDeps } from '#webhooks/endpoints/edit-by-form.ts';

/** A named block of proven code. */
export interface CodeBlock {
  readonly name: string;
  readonly code: string;
  /** HTML. */
  readonly coloured: string;
}

/** The needs of the pages about webhooks. */
export interface WebhookPagesDeps {
  readonly db: Database;
  readonly webhooks: Omit<EditEndpointDeps, 'db' | 'actor'> &
    SendTestDeps & {
      readonly publicApiUrl: string;
      readonly publicAuthUrl: string;
      /** `WEBHOOK_RETRY_SCHEDULE_SECONDS`: the wait before each attempt. */
      readonly retryScheduleSeconds: readonly number[];
      /** The code of the guide on webhooks, which the tests run. */
      readonly readCode: () => Promise<readonly CodeBlock[]>;
    };
}

/** The dependencies of a change, with the person who makes it. */
export function changeDeps({ db, webhooks }: WebhookPagesDeps, actor: string): EditEndpointDeps {
  return { ...webhooks, db, actor };
}
