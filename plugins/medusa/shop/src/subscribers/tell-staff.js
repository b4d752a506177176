/** Here a shop tells its staff. The proof reads the line. */
module.exports.default = async function tellStaff({ event: { name, data } }) {
  console.log(`${name} ${JSON.stringify(data)}`);
};
module.exports.config = {
  event: [
    'payment-requests.payment-unmatched',
    'payment-requests.payment-returned',
    'payment-requests.refund-failed',
  ],
};
