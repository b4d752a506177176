import { AT, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const SAVED_VIEW_ROWS: RowsOfPart = {
  valid: {
    console_saved_views: {
      id: ID,
      issuer: 'https://login.example',
      subject: 'ada',
      merchant_id: 'mer_1',
      list: 'refunds',
      name: 'Open refunds',
      query: 'status=CREATED',
      created_at: AT,
    },
  },
  breaks: {
    console_saved_views_issuer_check: [{ issuer: '' }, { issuer: 'x'.repeat(501) }],
    console_saved_views_subject_check: [{ subject: '' }, { subject: 'x'.repeat(256) }],
    console_saved_views_list_check: [{ list: '' }, { list: 'Refunds' }, { list: 'x'.repeat(31) }],
    console_saved_views_name_check: [{ name: '' }, { name: 'x'.repeat(61) }],
    console_saved_views_query_check: [{ query: 'x'.repeat(1_001) }],
  },
  twins: { console_saved_views_name: { id: OTHER_ID } },
};
