import type { FastifyReply } from 'fastify';
import type { OverviewReads } from '#database/replica/overview-reads.ts';

/** Reads for one call, whose answer states how old a replica's rows may be (contract §4, List). */
export function stateReplicaLag(reads: OverviewReads, reply: FastifyReply): OverviewReads {
  return {
    async read(work) {
      const answer = await reads.read(work);
      // A stream's headers go before its first batch; that batch is its newest.
      if (!reply.raw.headersSent) stateLag(reply, answer.lagSeconds);
      return answer;
    },
  };
}

/** States how old a replica's rows may be, in seconds; null: the primary answered. */
export function stateLag(reply: FastifyReply, lagSeconds: number | null): void {
  if (lagSeconds !== null) reply.header('x-replica-lag', lagSeconds.toFixed(1));
}
