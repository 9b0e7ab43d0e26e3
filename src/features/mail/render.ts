import type { MailContent, MailKind, MailLanguage } from '../../database/tables.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { ru } from './texts/ru.ts';

const texts = { en, de, ru };

/** A mail's matter, in the words of nobody yet. */
export type MailMatter = {
  kind: MailKind | 'test';
  language: MailLanguage;
  content: MailContent;
  /** The full name, or the username. */
  name: string;
  username: string;
  /** Where the button leads to. */
  link: string;
};
export type MailSite = {
  /** Null: the general name in the language of the mail. */
  siteName: string | null;
  publicUrl: string;
  timeZone: string;
};
export type RenderedMail = { senderName: string; subject: string; text: string; html: string };

/** Characters of a name or a title: more says nothing. */
const maxWords = 150;
const essential: readonly MailMatter['kind'][] = ['address', 'password', 'invitation', 'account_deletion', 'test'];

/** Subject, text and HTML in the language of the recipient. Names and titles are one line each, and never markup. */
export function renderMail(matter: MailMatter, { siteName, publicUrl, timeZone }: MailSite): RenderedMail {
  const { kind, language, link } = matter;
  const words = texts[language];
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone });
  const time = (moment?: string): string => (moment ? `${format.format(new Date(moment))} (${timeZone})` : '');
  const { title = '', names = [], count = 0, until, opens_at, closes_at } = matter.content;
  const values = {
    ...{ title: oneLine(title), username: oneLine(matter.username), count },
    ...{ until: time(until), opens: time(opens_at), closes: time(closes_at) },
  };
  const { subject, lines, action } = words[kind];
  const head = oneLine(typeof subject === 'string' ? subject : subject(values));
  const paragraphs = [words.greeting(oneLine(matter.name)), ...lines(values)];
  const list = names.map(oneLine);
  const profile = `${publicUrl}/profile`;
  const isEssential = essential.includes(kind);
  const foot = isEssential ? [words.essential] : [words.optional, profile];
  const product = oneLine(siteName ?? words.product);
  return {
    senderName: product,
    subject: head,
    text: [
      ...paragraphs,
      ...list.map((item) => `- ${item}`),
      `${action}:\n${link}`,
      '-- ',
      `${product}\n${foot.join('\n')}`,
    ]
      .join('\n\n')
      .replaceAll('\n\n- ', '\n- '),
    html: htmlOf({
      language,
      head,
      paragraphs,
      list,
      action,
      link,
      fallback: words.fallback,
      foot: [product, ...foot],
    }),
  };
}

type Parts = Record<'language' | 'head' | 'action' | 'link' | 'fallback', string> &
  Record<'paragraphs' | 'list' | 'foot', string[]>;

/** No pictures, and nothing that is loaded: who reads a mail is nobody's business. */
function htmlOf({ language, head, paragraphs, list, action, link, fallback, foot }: Parts): string {
  const href = escaped(link);
  const items = list.map((item) => `<li>${escaped(item)}</li>`).join('');
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(head)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#16181d;font:16px/1.5 sans-serif"><div style="max-width:560px">
${paragraphs.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${items === '' ? '' : `<ul>${items}</ul>`}
<p><a href="${href}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6b62;color:#ffffff;text-decoration:none">${escaped(action)}</a></p>
<p style="font-size:14px;color:#5b6270">${escaped(fallback)}<br><a href="${href}" style="color:#0b6b62;word-break:break-all">${href}</a></p>
<p style="font-size:14px;color:#5b6270">${foot.map(escaped).join('<br>')}</p>
</div></body></html>
`;
}

/** Line ends and other control characters would begin a header, or another line of the text. */
export const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxWords ? line : `${characters.slice(0, maxWords - 1).join('')}…`;
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
