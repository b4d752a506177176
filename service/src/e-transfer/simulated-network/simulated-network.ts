import type { MakeNetwork } from '../e-transfer-network.ts';

export const createSimulatedNetwork: MakeNetwork = () => ({
  isSimulated: true,
  createRequest: async () => Promise.reject(new Error('not built yet')),
  cancelRequest: async () => 'UNKNOWN',
  askState: async () => ({ state: 'UNKNOWN' }),
  registerRoutes() {},
  startBackground: () => null,
});
