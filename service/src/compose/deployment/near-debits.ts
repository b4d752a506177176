/** For commands about refunds of every network: another network has no entries of a bank. */
export {
  findNearDebits,
  type NearDebit,
} from '#e-transfer/bank-transfer/refunds-out/near-debits-store.ts';
