import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PaymentRequestsProvider } from './provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [PaymentRequestsProvider] });
