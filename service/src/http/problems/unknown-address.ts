import { createAddressFinder, type DocumentedCall } from './nearest-address.ts';

export interface UnknownAddressDeps {
  /** The origin of {base_url}: the reference is served there. */
  readonly origin: string;
  readonly publicApiUrl: string;
  readonly publicAuthUrl: string;
  /** The documented calls; read at the first unknown address. */
  readonly calls: () => readonly DocumentedCall[];
  /** Whether the deployment has the calls of the sandbox. */
  readonly isSandbox: boolean;
}

/** @returns a function that says, for a path without query, what to do about an unknown address */
export function createUnknownAddressAdvice(deps: UnknownAddressDeps): (path: string) => string {
  const { origin, publicApiUrl, publicAuthUrl, calls, isSandbox } = deps;
  const sandboxPath = `${new URL(publicApiUrl).pathname}/sandbox/`;
  let findAddresses: ReturnType<typeof createAddressFinder> | undefined;
  return (path) => {
    if (!isSandbox && path.startsWith(sandboxPath)) {
      return 'Simulations exist only in the sandbox, which is another deployment.';
    }
    // Many clients put the token call of another service behind {base_url}.
    if (/\/tokens?\/*$/i.test(path)) return `The address of the token call is ${publicAuthUrl}.`;
    findAddresses ??= createAddressFinder(calls());
    const [nearest, ...others] = findAddresses(path);
    const all = `All calls are listed at ${origin}/docs.`;
    if (nearest === undefined) return all;
    if (others.length === 0) return `The nearest address is ${nearest}. ${all}`;
    return `The nearest addresses are: ${[nearest, ...others].join('; ')}. ${all}`;
  };
}
