const flows = require('@medusajs/medusa/core-flows');
const { Modules } = require('@medusajs/framework/utils');

const PROVIDERS = ['pp_payment-requests_sandbox', 'pp_payment-requests_production'];

/** `medusa exec ./seed.js`: a region, a book of 10.00 and a way to ship it; prints their ids. */
module.exports.default = async function seed({ container }) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(flows.createSalesChannelsWorkflow, {
    salesChannelsData: [{ name: 'Web shop' }],
  });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Web shop', type: 'publishable', created_by: '' }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      { name: 'Canada', currency_code: 'cad', countries: ['ca'], payment_providers: PROVIDERS },
    ],
  });
  const [location] = await run(flows.createStockLocationsWorkflow, {
    locations: [{ name: 'Halifax', address: { country_code: 'ca', address_1: '1 Pier' } }],
  });
  const link = container.resolve('link');
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' },
  });
  await run(flows.linkSalesChannelsToStockLocationWorkflow, {
    id: location.id,
    add: [channel.id],
  });
  const [profile] = await run(flows.createShippingProfilesWorkflow, {
    data: [{ name: 'Books', type: 'default' }],
  });
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const set = await fulfillment.createFulfillmentSets({
    name: 'Post',
    type: 'shipping',
    service_zones: [{ name: 'Canada', geo_zones: [{ country_code: 'ca', type: 'country' }] }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  });
  const [option] = await run(flows.createShippingOptionsWorkflow, [
    {
      name: 'Post',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Post', description: 'By post', code: 'post' },
      prices: [{ currency_code: 'cad', amount: 2.5 }],
    },
  ]);
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: 'Tides of Fundy',
        status: 'published',
        shipping_profile_id: profile.id,
        sales_channels: [{ id: channel.id }],
        options: [{ title: 'Cover', values: ['Soft'] }],
        variants: [
          {
            title: 'Soft',
            options: { Cover: 'Soft' },
            manage_inventory: false,
            prices: [{ currency_code: 'cad', amount: 10 }],
          },
        ],
      },
    ],
  });
  const ids = {
    publishableKey: key.token,
    regionId: region.id,
    shippingOptionId: option.id,
    variantId: product.variants[0].id,
  };
  console.log(`SEEDED ${JSON.stringify(ids)}`);
};
