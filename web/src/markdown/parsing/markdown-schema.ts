import type { Options } from 'rehype-sanitize';
import { lessonPrefix } from './references.ts';

/**
 * The allowed HTML in a lesson. All other elements and attributes are removed: scripts, styles, frames, forms, every `on...`, every other
 * kind of URL. Removed elements leave their text, except those whose text is not for readers.
 */
export const markdownSchema: Options = {
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'div', 'section', 'details', 'summary'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['a', 'img', 'code', 'pre', 'kbd', 'samp', 'var', 'strong', 'b', 'em', 'i', 'u', 's', 'del', 'ins', 'mark'],
    ...['sub', 'sup', 'small', 'q', 'cite', 'abbr', 'span', 'figure', 'figcaption', 'input'],
  ],
  attributes: {
    '*': ['id', 'title', 'lang', 'dir'],
    // Footnotes use the last four.
    a: ['href', 'name', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    img: ['src', 'alt', 'width', 'height'],
    // The language of a block, as in its fence.
    code: [['className', /^language-[\w+#.-]{1,40}$/], 'dataFormula'],
    h2: [['className', 'sr-only']],
    section: ['dataFootnotes'],
    // The checkboxes of task lists.
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    ol: ['start', 'reversed'],
    li: ['value'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    td: ['align', 'colSpan', 'rowSpan'],
    details: ['open'],
    abbr: ['title'],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  ancestors: Object.fromEntries(
    ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((tag) => [tag, ['table']]),
  ),
  // An empty list of protocols would allow all.
  protocols: { href: ['http', 'https', 'mailto'], src: ['https', 'data'] },
  // Prevents an `id` in a lesson from colliding with one of the page.
  clobber: ['id', 'name', 'ariaDescribedBy'],
  clobberPrefix: lessonPrefix,
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'math', 'title', 'textarea'],
  allowComments: false,
  allowDoctypes: false,
};
