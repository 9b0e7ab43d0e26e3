/**
 * Makes the page that shows the API document: one script, which has its content's hash in its name, and a page without a script of its own,
 * so that the service may forbid inline scripts. The service serves both as files, like all pages; it never loads the 4 MB itself.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const home = '/api/docs';
const configuration = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
};

/** @param folder of the pages, with a folder `assets` */
export async function writeReferencePage(folder: string): Promise<void> {
  const script = `${await referenceScript()}\n;Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 16);
  const name = `assets/reference-${hash}.js`;
  await writeFile(join(folder, name), script);
  await writeFile(
    join(folder, 'reference.html'),
    `<!doctype html>
<html lang="en">
  <head>
    <title>Learning platform service: the API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="/${name}"></script>
  </body>
</html>
`,
  );
}

/** The package exports a plugin and not its script, so the plugin is asked for it once. */
async function referenceScript(): Promise<string> {
  const page = Fastify();
  await page.register(scalar, { routePrefix: home, configuration });
  const { statusCode, body } = await page.inject(`${home}/js/scalar.js`);
  await page.close();
  if (statusCode !== 200) throw new Error(`the script of the API page: ${statusCode}`);
  return body;
}
