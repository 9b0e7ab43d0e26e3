import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HtmlTagDescriptor, minifySync, type Plugin } from 'vite';

/**
 * Which modules share a file. Few large files compress better than many small ones, and a browser loads only six at a time. `early` runs
 * while the others are loading. Every page needs `start`. `first-pages` are the pages that visits begin with, and what all pages share.
 * The last two are what several later pages share: the first load has the names of all files, so a file for each module costs it more.
 */
export const scriptGroups = [
  { name: 'early', test: /[\\/]src[\\/](early|strings[\\/](decimal|\w+[\\/]plural))\.ts$/, priority: 30 },
  { name: 'start', tags: ['$initial' as const], priority: 20 },
  { name: 'first-pages', test: /[\\/](login|dashboard|courses)-page\.tsx$/, priority: 10 },
  { name: 'markdown', test: /[\\/]src[\\/]markdown[\\/]/, minShareCount: 3, priority: 6 },
  {
    name: 'shared',
    test: /[\\/]src[\\/](api|attempts|help|routing|teaching-model|ui)[\\/]|[\\/]lucide-react[\\/]/,
    minShareCount: 4,
    priority: 5,
  },
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

const place = /<!-- document\.css and document\.js .*-->/;

/**
 * Puts document.css and document.js into the document, so that its first answer can be drawn and used before anything else has arrived.
 * The style sheet of the pages moves to the end of the document, where it does not delay this. The scripts wait for it.
 */
export function selfSufficientDocument(): Plugin {
  const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  return {
    name: 'self-sufficient-document',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
        if (!place.test(html)) throw new Error('web/index.html has no place for document.css and document.js');
        return sheets
          .reduce((text, sheet) => text.replace(sheet, ''), html)
          .replace(
            place,
            () =>
              `<style>\n${read('document.css')}</style>\n    <script>${minifySync('document.js', read('document.js')).code}</script>`,
          )
          .replace('  </body>', () => `${sheets.join('')}  </body>`);
      },
    },
  };
}
