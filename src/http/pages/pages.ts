import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentLook, isPlain, withAttributes, withLook } from './document-look.ts';
import { PreparedAnswer } from './prepared-answer.ts';

/**
 * The Content-Security-Policy of the pages: they may only run their own scripts and call this service. The
 * terminal writes inline styles, and images are fetched with a token first (`blob:`).
 * @param hashes of the scripts in the document itself, as in CSP level 3, section 2.3.1
 */
const pagePolicy = (hashes: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The same for a page that others show in a frame, and that answers them with a form. */
const framed = (policy: string, origins: readonly string[]): string =>
  policy
    .replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ') || "'none'"}`)
    .replace("form-action 'self'", `form-action ${["'self'", ...origins].join(' ')}`);

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the document of the pages, which pages of these origins may show in a frame. Scripts read the attributes of its root. */
    sendFramedPage: (attributes: Readonly<Record<string, string>>, origins: readonly string[]) => Promise<FastifyReply>;
  }
}

/** The page of the API document has inline styles and adds more at run time. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths that never belong to the application's router. */
const notPages = /^\/(api|ws|assets|avatars|healthz|readyz|metrics)(\/|$)/;
const secondsOfAYear = 31_536_000;

/**
 * Serves the built pages: hashed files in `/assets/`, the icon, the page of the API document, and the application.
 * The application is served at `/` and, for browsers, at every path that no other route answers; its own router selects the page.
 * @param folder the output of `npm run pages`; if it does not exist, nothing is served
 * @param lookNow what the document says of this installation
 * @returns whether an unmatched request is for the application, and its answer
 */
export async function installPages(
  app: FastifyInstance,
  folder: string,
  lookNow: () => Promise<DocumentLook>,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined> {
  const policy = policyOf(join(folder, 'index.html'));
  app.decorateReply('sendFramedPage', async function sendFramedPage(this: FastifyReply, attributes, origins) {
    const text = await readFile(join(folder, 'index.html'), 'utf8').catch(
      () => '<!doctype html><html lang="en"></html>',
    );
    const document = withAttributes(withLook(text, await lookNow()), attributes);
    this.header('Content-Security-Policy', framed(await policy(), origins)).removeHeader('X-Frame-Options');
    return await this.header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(document);
  });
  if (!existsSync(join(folder, 'index.html'))) return () => undefined;
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, index: false });

  const described = describedDocument(join(folder, 'index.html'), lookNow);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('Content-Security-Policy', await policy()).header('Cross-Origin-Opener-Policy', 'same-origin');
    const answer = await described();
    if (answer === undefined) return reply.sendFile('index.html', { maxAge: 0, cacheControl: true });
    return await answer.send(request, reply);
  };

  const isPage = ({ method, url, headers }: FastifyRequest): boolean =>
    (method === 'GET' || method === 'HEAD') &&
    !notPages.test(url.split('?', 1)[0] ?? '/') &&
    (headers.accept ?? '').includes('text/html');

  const options = { config: { access: 'public', isUncounted: true }, schema: { hide: true } } as const;
  app.get('/', options, (request, reply) => sendPage(request, reply));
  const forGood = { maxAge: secondsOfAYear * 1000, immutable: true };
  app.get<{ Params: { '*': string } }>('/assets/*', options, (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, forGood),
  );
  // As large as all other files together, so its requests count towards the rate limit.
  const counted = { config: { access: 'public' }, schema: { hide: true } } as const;
  app.get<{ Params: { rest: string } }>('/assets/reference-:rest', counted, (request, reply) =>
    reply.sendFile(`assets/reference-${request.params.rest}`, forGood),
  );
  app.get('/api/docs', counted, (_request, reply) =>
    reply
      .header('Content-Security-Policy', referencePolicy)
      .sendFile('reference.html', { maxAge: 0, cacheControl: true }),
  );
  for (const name of ['terminal', 'errors']) {
    app.get(`/api/docs/${name}`, counted, (_request, reply) =>
      reply
        .header('Content-Security-Policy', referencePolicy)
        .sendFile(`document-${name}.html`, { maxAge: 0, cacheControl: true }),
    );
  }
  app.get('/favicon.svg', options, (_request, reply) => reply.sendFile('favicon.svg', { maxAge: 0 }));
  return (request, reply) => (isPage(request) ? sendPage(request, reply) : undefined);
}

/** The policy for the document as it is now: pages that are built while the service runs have other scripts. */
function policyOf(document: string): () => Promise<string> {
  let known: { mtimeMs: number; policy: string } | undefined;
  return async () => {
    // The document is missing for a moment while a new build takes its place.
    const mtimeMs = await stat(document).then(
      ({ mtimeMs: time }) => time,
      () => known?.mtimeMs,
    );
    if (mtimeMs === undefined) return pagePolicy([]);
    if (known?.mtimeMs !== mtimeMs) {
      const text = await readFile(document, 'utf8');
      const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
      const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      known = { mtimeMs, policy: pagePolicy(hashes) };
    }
    return known.policy;
  };
}

/**
 * The document with what it says of the installation, as it is now, because pages can be built while the service runs. Undefined for a
 * plain one, and for a moment while a new build takes its place.
 */
function describedDocument(
  document: string,
  lookNow: () => Promise<DocumentLook>,
): () => Promise<PreparedAnswer | undefined> {
  let known: { mtimeMs: number; key: string; answer: PreparedAnswer } | undefined;
  return async () => {
    const look = await lookNow();
    if (isPlain(look)) return undefined;
    const key = JSON.stringify(look);
    try {
      const { mtimeMs } = await stat(document);
      if (known?.mtimeMs === mtimeMs && known.key === key) return known.answer;
      const text = withLook(await readFile(document, 'utf8'), look);
      known = { mtimeMs, key, answer: new PreparedAnswer('text/html; charset=utf-8', () => text) };
      return known.answer;
    } catch {
      // It is being replaced.
    }
    return known?.answer;
  };
}
