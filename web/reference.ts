/**
 * Makes the page that shows the API document: one script, which has its content's hash in its name, and a page without a script of its own,
 * so that the service may forbid inline scripts. The service serves both as files, like all pages; it never loads the 4 MB itself.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { shownDocuments } from './stamp.ts';

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
  await writeDocuments(folder);
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

type Element = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Element[];
};

/** @param folder of the pages */
async function writeDocuments(folder: string): Promise<void> {
  const parser = unified().use(remarkParse).use(remarkGfm).use(remarkRehype);
  for (const name of shownDocuments) {
    const text = await readFile(join(import.meta.dirname, '../docs', `${name}.md`), 'utf8');
    const tree = await parser.run(parser.parse(text));
    prepare(tree as Element);
    const body = renderToStaticMarkup(toJsxRuntime(tree, { Fragment, jsx, jsxs }));
    const title = /^# (.*)$/m.exec(text)?.[1] ?? name;
    await writeFile(
      join(folder, `document-${name}.html`),
      `<!doctype html>
<html lang="en">
  <head>
    <title>${title}</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font-family: sans-serif; line-height: 1.5 } td, th { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top } pre { overflow-x: auto }</style>
  </head>
  <body><p><a href="${home}">The API</a></p>${body}</body>
</html>
`,
    );
  }
}

/** Gives headings ids, and leads links to the documents that are served. The text of any other relative link stays. */
function prepare(element: Element): void {
  const { tagName = '', properties = {}, children = [] } = element;
  if (/^h[1-6]$/.test(tagName)) element.properties = { ...properties, id: slugOf(textOf(element)) };
  const href = tagName === 'a' ? String(properties['href']) : '#';
  if (!/^(#|https?:)/.test(href)) {
    const [, name = '', place = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (shownDocuments.includes(name)) properties['href'] = `${home}/${name}${place}`;
    else Object.assign(element, { tagName: 'span', properties: {} });
  }
  for (const child of children) prepare(child);
}

const textOf = ({ value = '', children = [] }: Element): string => value + children.map(textOf).join('');
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The package exports a plugin and not its script, so the plugin is asked for it once. */
async function referenceScript(): Promise<string> {
  const page = Fastify();
  await page.register(scalar, { routePrefix: home, configuration });
  const { statusCode, body } = await page.inject(`${home}/js/scalar.js`);
  await page.close();
  if (statusCode !== 200) throw new Error(`the script of the API page: ${statusCode}`);
  return body;
}
