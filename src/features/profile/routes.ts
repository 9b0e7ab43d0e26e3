import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { unsupportedMediaType } from '../../http/protocol/media-types.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { readFileField } from '../../http/protocol/upload.ts';
import type { DataExport } from './data-export.ts';
import { AvatarBody, AvatarParams, ProfileBody, ProfileSchema } from './schema.ts';
import type { ProfileService } from './service.ts';

const tags = ['profile'];

function sendAvatar(request: FastifyRequest, reply: FastifyReply, { key, bytes }: { key: string; bytes: Buffer }) {
  reply
    .header('ETag', `"${key}"`)
    .header('Cache-Control', 'public, max-age=31536000, immutable')
    .header('X-Content-Type-Options', 'nosniff')
    // Pages of other origins show it as well.
    .header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (request.headers['if-none-match'] === `"${key}"`) return reply.code(304).send();
  return reply.type('image/webp').send(bytes);
}

export const profileRoutes =
  (profiles: ProfileService, data: DataExport): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/profile/me', {
      config: { access: 'user' },
      schema: { tags, summary: "The caller's profile", response: { 200: ProfileSchema, ...errors(401) } },
      handler: (request) => profiles.profile(callerOf(request).id),
    });

    app.get('/api/profile/data', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Download all that is stored about the caller',
        description:
          'A tar archive with JSON, the files that were handed in, the recordings of terminals, and what attempts whose results are shown left on their machines, at most about a gigabyte of it; `README.txt` says what is what. It is made while it is read. 429: another one of the caller is being read.',
        response: {
          200: { description: 'The archive.', content: { 'application/x-tar': { schema: Type.String() } } },
          ...errors(401, 403, 429),
        },
      },
      handler: async (request, reply) => {
        const { id } = callerOf(request);
        const content = Readable.from(data.open(id));
        content.once('close', () => data.close(id));
        return (
          reply
            .header('Content-Disposition', 'attachment; filename="my-data.tar"')
            .type('application/x-tar')
            // The types declare the answer as text, but it is streamed.
            .send(content as unknown as string)
        );
      },
    });

    app.put('/api/profile/me', {
      config: {
        access: 'user',
        readOnly: {
          fields: ['id', 'username', 'role', 'avatar_url', 'is_active', 'created_at', 'last_login_at'],
          read: (request) => profiles.profile(callerOf(request).id),
        },
      },
      schema: {
        tags,
        summary: "Change the caller's profile",
        description:
          'Omitted fields are unchanged. `null` clears `full_name`, an empty text clears `bio`. The other fields of a profile may be sent back as they are; a different value is 422 `read_only`. A username that is the e-mail address follows a new one. Another address: 403 `login_not_recent` where the service sends mail and the login is older than 15 minutes, and `scope` with a personal token.',
        body: ProfileBody,
        response: { 200: ProfileSchema, ...errors(400, 401, 403, 415) },
      },
      handler: (request) => profiles.update(callerOf(request), request.body, customerNetworkOf(request.clientAddress)),
    });

    app.delete('/api/profile/avatar', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "Remove the caller's picture",
        description: 'Succeeds even if there is none.',
        response: { 200: ProfileSchema, ...errors(401) },
      },
      handler: (request) => profiles.removeAvatar(callerOf(request).id),
    });

    app.get('/avatars/:file', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'A picture of a user, or the logo of the installation',
        description:
          'Public for everybody who knows its address, which cannot be guessed; `GET /api/site` has that of the logo. A new picture has a new address.',
        params: AvatarParams,
        response: {
          200: {
            description: '256 x 256 pixels; a logo at most 512 x 128.',
            content: { 'image/webp': { schema: Type.String({ format: 'binary' }) } },
          },
          304: Type.Null({ description: 'Not modified.' }),
          ...errors(404, 503),
        },
      },
      handler: async (request, reply) => sendAvatar(request, reply, await profiles.avatar(request.params.file)),
    });

    // Only this route accepts multipart bodies. Elsewhere they remain an unsupported type.
    await app.register(async (uploads: typeof app) => {
      await uploads.register(multipart);
      uploads.post('/api/profile/avatar', {
        config: { access: 'user' },
        bodyLimit: profiles.maxPictureBytes,
        schema: {
          tags,
          summary: "Set the caller's picture",
          description:
            'PNG, JPEG, WebP or GIF, detected by content and not by name. Other content is 415. More than 5 MiB or 40 megapixels is 413, a damaged picture 422. It is stored as a WebP of 256 x 256 pixels without metadata. Of an animation, the first frame is stored.',
          consumes: ['multipart/form-data'],
          body: AvatarBody,
          response: { 200: ProfileSchema, ...errors(400, 401, 413, 415, 503) },
        },
        validatorCompiler: () => () => true,
        handler: async (request) => {
          if (!request.isMultipart()) throw unsupportedMediaType(request);
          return await profiles.setAvatar(callerOf(request).id, await readFileField(request, profiles.maxPictureBytes));
        },
      });
    });
  };
