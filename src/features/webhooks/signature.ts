import { createHmac, randomBytes } from 'node:crypto';

/** As Standard Webhooks writes secrets: a prefix and base64. */
const prefix = 'whsec_';

export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

export type Message = { id: string; body: string };

/** The headers of Standard Webhooks. @param secrets each signs: two while one replaces the other */
export function signedHeaders({ id, body }: Message, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    ...{ 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signatures.join(' ') },
    'content-type': 'application/json',
    'user-agent': 'learning-platform-webhooks',
  };
}
