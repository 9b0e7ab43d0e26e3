import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Which modules share a file. Few large files compress better than many small ones, and a browser loads only six at a time. `early` runs
 * while the others are loading. Every page needs `start`. `first-pages` are the pages that visits begin with, and what all pages share.
 */
export const scriptGroups = [
  { name: 'early', test: /[\\/]src[\\/]early\.ts$/, priority: 30 },
  { name: 'start', tags: ['$initial' as const], priority: 20 },
  { name: 'first-pages', test: /[\\/](login|dashboard|courses)-page\.tsx$/, priority: 10 },
];

/**
 * Has the document run `early` as soon as that is loaded (it would otherwise wait for the scripts that import it), and ask for
 * `first-pages`, which would otherwise be known only when `early` runs.
 */
export function earlyScripts(): Plugin {
  return {
    name: 'early-scripts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const addressOf = (name: string): string | undefined => {
          const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
          return chunk && `/${chunk.fileName}`;
        };
        const [early, pages] = [addressOf('early'), addressOf('first-pages')];
        const tags: HtmlTagDescriptor[] = [];
        if (early) tags.push({ tag: 'script', attrs: { type: 'module', crossorigin: true, src: early } });
        if (pages) tags.push({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: pages } });
        return tags.map((tag) => ({ ...tag, injectTo: tag.tag === 'script' ? 'head-prepend' : 'head' }));
      },
    },
  };
}
