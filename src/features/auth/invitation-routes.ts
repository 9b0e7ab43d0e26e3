import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { errors } from '../../http/protocol/schemas.ts';
import type { InvitationService } from './invitation-service.ts';
import { InvitationBody, InvitedSchema } from './schema.ts';

/** Invitations, for those who are invited. */
export const invitationRoutes =
  (invitations: InvitationService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/auth/invitation', {
      config: { access: 'public' },
      schema: {
        tags: ['auth'],
        summary: 'Read an invitation, or accept it with a password',
        description:
          'Without a password nothing changes. With one, the account has it from then on, the invitation cannot be used again, and all tokens of the account are invalid. 429: too many wrong codes from one network.',
        body: InvitationBody,
        response: { 200: InvitedSchema, ...errors(403, 415, 429, 503) },
      },
      handler: async ({ body: { code, password }, clientAddress }) => {
        const { username, email, full_name } = await invitations.open(
          code,
          password ?? undefined,
          customerNetworkOf(clientAddress),
        );
        return { username, email, full_name };
      },
    });
  };
