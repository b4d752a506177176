/** `MsgId` and `PmtInfId` of a payment file: the day and 64 random bits. */
const MESSAGE_ID = /^PRS-\d{8}-[0-9A-F]{16}$/;

/** Whether a bank names a payment file of this service. */
export const isOurMessageId = (text: string): boolean => MESSAGE_ID.test(text);
