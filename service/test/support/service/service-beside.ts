import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

/**
 * Starts another instance of a service, as another process would be: same database and secrets.
 * The instance has its own clock, which stands where the first one's does.
 */
export function startServiceBeside(
  first: TestService,
  { settings, ...options }: Pick<TestServiceOptions, 'settings' | 'roles' | 'hostClock'> = {},
): Promise<TestService> {
  return startTestService({
    ...options,
    start: first.clock.now(),
    // The first one drops it.
    database: { ...first.database, drop: async () => {} },
    settings: { ...first.env, ...settings },
  });
}
