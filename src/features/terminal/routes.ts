import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { isFromOwnPage } from '../../http/access/own-origin.ts';
import { networkOf } from '../../http/limits/connections-per-address.ts';
import { refuse } from '../../http/protocol/errors.ts';
import { closeCodes, parseSize } from './protocol.ts';
import { relayHeader } from './relays/passes.ts';
import type { TerminalService } from './service.ts';
import type { TerminalRequest } from './terminal-request.ts';

/** The terminal's WebSocket. Every request is accepted first, so that a browser receives the close code. */
export const terminalRoutes =
  (terminals: TerminalService, corsOrigins: readonly string[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/ws/terminal/:container_id',
      config: { access: 'own' },
      schema: { hide: true },
      handler: async (_request, reply) => {
        const answer = reply.code(426).headers({ Connection: 'Upgrade', Upgrade: 'websocket' });
        return await refuse(answer, 'upgrade_required', 'This address requires a WebSocket connection');
      },
      wsHandler: async (socket, request) => {
        if (isForeign(request, corsOrigins)) socket.close(closeCodes.forbidden, 'This origin may not open terminals');
        else await terminals.serve(socket, parseRequest(request));
      },
    });
  };

/** Whether a page of another site opened the connection. Clients other than browsers send no origin. */
function isForeign(request: FastifyRequest, corsOrigins: readonly string[]): boolean {
  const { origin } = request.headers;
  return origin !== undefined && !corsOrigins.includes(origin) && !isFromOwnPage(request);
}

const wholeNumber = (text: unknown): number => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0);

function parseRequest(request: FastifyRequest): TerminalRequest {
  const { container_id } = request.params as { container_id: string };
  const { token, cols, rows, session, is_plain } = request.query as Record<string, string | string[] | undefined>;
  const hasSize = cols !== undefined || rows !== undefined;
  return {
    containerId: wholeNumber(container_id) || undefined,
    token: typeof token === 'string' ? token : '',
    size: hasSize ? (parseSize(wholeNumber(cols ?? '80'), wholeNumber(rows ?? '24')) ?? 'invalid') : undefined,
    pass: request.headers[relayHeader]?.toString(),
    sessionId: session === undefined ? undefined : String(session),
    isPlain: is_plain === 'true',
    network: networkOf(request.ip),
  };
}
