import type { Meter } from '@opentelemetry/api';

/** The kinds of batched calls: a closed list of the code. */
export type BatchedCalls = 'create' | 'read' | 'list' | 'link' | 'token' | 'report' | 'refund';

/** The batches of calls that share statements (database/batcher.ts). */
export type DatabaseMetrics = ReturnType<typeof measureDatabase>;

/** The buckets range from a single call to the largest batch. */
const SIZE_BUCKETS = [1, 2, 5, 10, 20, 50, 100];

export function measureDatabase(meter: Meter) {
  const sizes = meter.createHistogram('database_batch_size', {
    description: 'How many calls shared one statement, by what they asked for.',
    advice: { explicitBucketBoundaries: SIZE_BUCKETS },
  });
  return {
    /** A batch: its calls were one statement and one commit. */
    batched: (calls: BatchedCalls, size: number) => sizes.record(size, { calls }),
  };
}
