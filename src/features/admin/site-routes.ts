import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { unsupportedMediaType } from '../../http/protocol/media-types.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { readFileField } from '../../http/protocol/upload.ts';
import { AvatarBody } from '../profile/schema.ts';
import type { RetentionService } from '../retention/service.ts';
import { RetentionDueSchema, RetentionQuery, SiteBody, SiteSettingsSchema } from '../site/schema.ts';
import type { SiteService } from '../site/service.ts';

/** How the installation presents itself, set by administrators. */
export const adminSiteRoutes =
  (site: SiteService, retention: RetentionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    app.get('/api/admin/site', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'The settings of the installation',
        response: { 200: SiteSettingsSchema, ...errors(401, 403) },
      },
      handler: () => site.settings(),
    });

    app.put('/api/admin/site', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change the settings of the installation',
        description:
          'Omitted fields are unchanged. A chosen `accent` that cannot be read on the background of a theme is darkened or lightened there, as `colors` shows.',
        body: SiteBody,
        response: { 200: SiteSettingsSchema, ...errors(401, 403, 415) },
      },
      handler: (request) => site.change(callerOf(request), request.body),
    });

    app.get('/api/admin/site/retention', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'What the next round would remove with these days',
        description: 'It removes nothing. Omitted days count nothing. A round removes daily what is kept no longer.',
        querystring: RetentionQuery,
        response: { 200: RetentionDueSchema, ...errors(401, 403) },
      },
      handler: (request) => retention.due(request.query),
    });

    app.delete('/api/admin/site/logo', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Remove the logo of the installation',
        description: 'Succeeds even if there is none.',
        response: { 200: SiteSettingsSchema, ...errors(401, 403) },
      },
      handler: (request) => site.removeLogo(callerOf(request)),
    });

    await app.register(async (uploads: typeof app) => {
      await uploads.register(multipart);
      uploads.put('/api/admin/site/logo', {
        config: { access: 'admin' },
        bodyLimit: site.maxPictureBytes,
        schema: {
          tags,
          summary: 'Set the logo of the installation',
          description:
            'Files, limits and refusals are those of `POST /api/profile/avatar`. It is stored as a WebP of at most 512 x 128 pixels, in its proportions and with its transparency.',
          consumes: ['multipart/form-data'],
          body: AvatarBody,
          response: { 200: SiteSettingsSchema, ...errors(400, 401, 403, 413, 415, 503) },
        },
        validatorCompiler: () => () => true,
        handler: async (request) => {
          if (!request.isMultipart()) throw unsupportedMediaType(request);
          return await site.setLogo(callerOf(request), await readFileField(request, site.maxPictureBytes));
        },
      });
    });
  };
