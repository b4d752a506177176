import { defineMiddlewares } from '@medusajs/framework/http';

/** The largest webhook is some kilobytes; the signature is over the bytes as they came. */
export default defineMiddlewares({
  routes: [
    {
      matcher: '/hooks/payment-requests/*',
      method: 'POST',
      bodyParser: { preserveRawBody: true, sizeLimit: '256kb' },
    },
  ],
});
