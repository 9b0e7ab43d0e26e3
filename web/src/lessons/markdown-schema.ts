import type { Options } from 'rehype-sanitize';

/**
 * All that HTML in a lesson may be. Whatever is not named here goes, elements and attributes: scripts, styles, frames, forms, every `on...`, every
 * address of another kind. Elements that go leave their text, except those whose text is no text for readers.
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
    // The last three are what footnotes are made of.
    a: ['href', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    img: ['src', 'alt', 'width', 'height'],
    // The language of a block, as its fence names it.
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    h2: [['className', 'sr-only']],
    section: ['dataFootnotes'],
    // The boxes of task lists.
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
  // A list of addresses that is empty would allow all.
  protocols: { href: ['http', 'https', 'mailto'], src: ['https'] },
  // So that no `id` of a lesson is one that the page has itself.
  clobber: ['id', 'ariaDescribedBy'],
  clobberPrefix: 'lesson-',
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'math', 'title', 'textarea'],
  allowComments: false,
  allowDoctypes: false,
};
