import Fastify, { type FastifyInstance } from 'fastify';

const home = '/api/docs';
const paths = [home, `${home}/js/scalar.js`];

/** The page brings a script of its own inline; it reads nothing but the document. */
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'";

/** A server of its own, never listening, as no plugin can join one that serves already. */
async function makePage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await page.register(scalar, {
    routePrefix: home,
    configuration: { url: '/api/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true },
  });
  return page;
}

/** Shows the API document at `/api/docs`. What makes the page holds 4 MB of script, so it is loaded when it is first asked for. */
export function installReferencePage(app: FastifyInstance): void {
  let made: Promise<FastifyInstance> | undefined;
  for (const url of paths) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'public' },
      schema: { hide: true },
      handler: async (request, reply) => {
        made ??= makePage().catch((error: unknown) => {
          made = undefined;
          throw error;
        });
        const { statusCode, headers, rawPayload } = await (await made).inject(request.url);
        for (const name of ['content-type', 'location']) {
          const value = headers[name];
          if (value !== undefined) reply.header(name, value);
        }
        return reply.code(statusCode).header('Content-Security-Policy', contentSecurityPolicy).send(rawPayload);
      },
    });
  }
}
