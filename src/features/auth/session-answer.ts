import type { FastifyRequest } from 'fastify';
import { deviceOf } from '../../values/device.ts';
import type { Client } from './login-store.ts';
import { toUser } from './schema.ts';
import type { Session } from './service.ts';

export const clientOf = ({ headers, clientAddress }: FastifyRequest): Client => ({
  device: deviceOf(headers['user-agent']),
  address: clientAddress,
});

/** A session in the API's format. */
export const toSession = ({ access_token, token_type, expires_in, user }: Session) => ({
  ...{ access_token, token_type, expires_in },
  user: toUser(user),
});
