import { createSignInLink } from '../../../service/src/console/sign-in/links.ts';
import { connectDatabase } from '../../../service/src/database/database.ts';
import { systemClock } from '../../../service/src/lib/clock.ts';

/** Makes one-time links as `payreq console link` does, on a connection of its own. */
export interface LinkMaker {
  /** @returns the link's secret; null: the database cannot be used now */
  makeLink(merchantId: string, person: string): Promise<string | null>;
  close(): Promise<void>;
}

export function createLinkMaker(databaseUrl: string): LinkMaker {
  const db = connectDatabase({ url: databaseUrl, poolSize: 1 });
  return {
    async makeLink(merchantId, person) {
      const grant = { role: 'administrator', merchantId } as const;
      const link = { name: person, grant, actor: 'proof' };
      const made = createSignInLink({ db, clock: systemClock }, link);
      return made.then(({ token }) => token).catch(() => null);
    },
    close: () => db.close(),
  };
}
