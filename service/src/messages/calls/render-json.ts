import type { StoredMessage } from '#messages/model/message.ts';

/** A message as it is answered (messages §2); `undefined` is left out. */
export function messageMembers(message: StoredMessage) {
  const { preview } = message;
  return {
    id: message.id,
    kind: message.kind,
    channel: message.channel,
    status: message.status,
    scheduledDateTime: message.dueAt,
    sentDateTime: message.sentAt ?? undefined,
    attempts: message.attempts,
    attemptLog: message.attemptLog.map(({ readDateTime, ...attempt }) => ({
      ...(readDateTime !== null && { readDateTime }),
      ...attempt,
    })),
    reason: message.reason ?? undefined,
    preview: preview
      ? { ...(preview.subject !== null && { subject: preview.subject }), text: preview.text }
      : undefined,
  };
}
