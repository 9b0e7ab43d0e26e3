/** What webhooks can report. Triggers of the database write all but `test`. */
export const webhookEvents = [
  'attempt.started',
  'attempt.submitted',
  'attempt.graded',
  'member.added',
  'member.removed',
  'content.published',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
