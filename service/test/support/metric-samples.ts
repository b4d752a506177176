import type { Deployment } from '#telemetry/deployment.ts';

export const TEST_DEPLOYMENT: Deployment = { environment: 'sandbox', version: '1.2.3' };

/** Prometheus text without the label that every series has, so that a test names only its own. */
export function withoutEnvironment(text: string): string {
  return text
    .replaceAll(/,environment="[a-z]+"/g, '')
    .replaceAll(/\{environment="[a-z]+",/g, '{')
    .replaceAll(/\{environment="[a-z]+"\}/g, '');
}

/** The value of one series, or undefined when the text does not have it. */
export function sampleOf(text: string, series: string): number | undefined {
  const line = withoutEnvironment(text)
    .split('\n')
    .find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
