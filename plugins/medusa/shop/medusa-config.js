const { defineConfig } = require('@medusajs/framework/utils');

/** Each provider's id with its options: the credentials.json and the addresses of a service. */
const services = JSON.parse(process.env.PAYMENT_REQUESTS ?? '{}');

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: process.env.SECRET,
      cookieSecret: process.env.SECRET,
    },
  },
  admin: { disable: true },
  plugins: ['@payment-requests/medusa'],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: Object.entries(services).map(([id, options]) => ({
          resolve: '@payment-requests/medusa/providers/payment-requests',
          id,
          options: { ...options, displayMessage: 'Harbour Books' },
        })),
      },
    },
  ],
});
