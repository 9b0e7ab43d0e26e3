import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A push as a Git host reports it. */
export type Push = {
  /** Undefined for an event that is no push. */
  ref: string | undefined;
  defaultBranch: string | undefined;
  /** Hashes of what identifies it: the id of the delivery, and its body. */
  digests: string[];
};

/** Its form is that of Standard Webhooks, which GitLab's signing tokens have; the others take any text. */
export const newPushSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Seconds by which the time of a message of Standard Webhooks may differ. */
const toleranceSeconds = 300;
/** Events that report a push. Others are taken and ignored. */
const pushEvents = ['push', 'Push Hook'];

/** Whether a host has signed these bytes: GitHub, Gitea and Forgejo with HMAC, GitLab with its token or after Standard Webhooks. */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const one = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const hex = createHmac('sha256', secret).update(body).digest('hex');
  const [hub, gitea, token, standard] = [
    'x-hub-signature-256',
    'x-gitea-signature',
    'x-gitlab-token',
    'webhook-signature',
  ].map(one);
  // The strongest that is there decides: a wrong signature is not made good by another header.
  if (standard !== undefined) return isStandard(one('webhook-id'), one('webhook-timestamp'), standard, body, secret);
  if (hub !== undefined) return isSame(hub, `sha256=${hex}`);
  if (gitea !== undefined) return isSame(gitea, hex);
  return token !== undefined && isSame(token, secret);
}

function isStandard(id = '', time = '', signatures: string, body: Buffer, secret: string): boolean {
  if (id === '' || !/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds)
    return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  return signatures.split(' ', 5).some((signature) => isSame(signature, `v1,${expected}`));
}

/** In a time that says nothing of where they differ, or of how long the secret is. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** @returns undefined where the body is no JSON object */
export function readPush(headers: IncomingHttpHeaders, body: Buffer): Push | undefined {
  let content: unknown;
  try {
    content = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (typeof content !== 'object' || content === null) return undefined;
  const { ref, repository, project } = content as Record<string, unknown>;
  const event =
    headers['x-github-event'] ?? headers['x-gitea-event'] ?? headers['x-forgejo-event'] ?? headers['x-gitlab-event'];
  const id =
    headers['x-github-delivery'] ??
    headers['x-gitea-delivery'] ??
    headers['x-gitlab-event-uuid'] ??
    headers['webhook-id'];
  const branch = [repository, project]
    .map((one) => (one as { default_branch?: unknown } | null | undefined)?.default_branch)
    .find((name) => typeof name === 'string');
  const isPush = typeof event === 'string' && pushEvents.includes(event);
  return {
    ref: isPush && typeof ref === 'string' ? ref : undefined,
    defaultBranch: branch as string | undefined,
    digests: [body, ...(typeof id === 'string' ? [`id ${id}`] : [])].map((part) =>
      createHash('sha256').update(part).digest('base64url'),
    ),
  };
}
