/**
 * Processes of tests preload this file. It arms a failpoint also in production, where the setting
 * FAILPOINT is refused (decision 0058).
 */
import { armFailpoint, readFailpoint } from '#lib/failpoints/failpoint.ts';

armFailpoint(readFailpoint(process.env.TEST_FAILPOINT ?? ''));
