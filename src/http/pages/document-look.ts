/** Colours of one theme, as `#rrggbb`. */
type Accent = { accent: string; accent_strong: string; accent_soft: string; on_accent: string };

/** What the document says of the installation, so that its first paint shows it. */
export type DocumentLook = {
  /** The data was generated. */
  isDemonstration: boolean;
  /** Visitors without an account see the front page. */
  hasFrontPage: boolean;
  /** Users can log in with identity providers. */
  hasProviders: boolean;
  /** The installation sends mail. */
  hasMail: boolean;
  /** Users can have passkeys. */
  hasPasskeys: boolean;
  name: string | null;
  /** The address of the logo. */
  logo: string | null;
  /** Markdown. */
  welcome: string;
  colors: { light: Accent; dark: Accent } | null;
};

export const plainLook: DocumentLook = {
  ...{
    isDemonstration: false,
    hasFrontPage: false,
    hasProviders: false,
    hasMail: false,
    hasPasskeys: false,
    name: null,
    logo: null,
    welcome: '',
    colors: null,
  },
};

export const isPlain = (look: DocumentLook): boolean => JSON.stringify(look) === JSON.stringify(plainLook);

/**
 * Writes the look into the document: attributes of its root for the scripts, and title, icon, name and colours for the first paint.
 * web/src/ui/site.ts reads them. Texts of administrators are escaped; the colours were validated.
 */
export function withLook(document: string, look: DocumentLook): string {
  const { isDemonstration, hasFrontPage, hasProviders, hasMail, hasPasskeys, name, logo, welcome, colors } = look;
  const attributes = [
    isDemonstration ? 'data-is-demonstration ' : '',
    hasFrontPage ? 'data-has-front-page ' : '',
    hasProviders ? 'data-has-providers ' : '',
    hasMail ? 'data-has-mail ' : '',
    hasPasskeys ? 'data-has-passkeys ' : '',
    ...Object.entries({ name, logo, welcome }).map(([key, value]) =>
      value ? `data-site-${key}="${escaped(value)}" ` : '',
    ),
  ].join('');
  let text = document.replace('<html ', () => `<html ${attributes}`);
  if (name !== null) {
    text = text
      .replace(/<title>[^<]*/, () => `<title>${escaped(name)}`)
      .replace(/(<p data-product>).*?(?=<\/p>)/, (_, tag: string) => tag + escaped(name));
  }
  if (logo !== null) {
    text = text
      .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escaped(logo)}" type="image/webp" />`)
      .replace('<img src="/favicon.svg"', () => `<img src="${escaped(logo)}"`);
  }
  if (colors !== null) {
    const style = `${rule(':root', colors.light)}${rule('[data-theme="dark"]', colors.dark)}`;
    text = text.replace('</head>', () => `<style id="site-colors">${style}</style></head>`);
  }
  return text;
}

/** Writes attributes of the root of the document, which scripts read. */
export const withAttributes = (document: string, attributes: Readonly<Record<string, string>>): string =>
  document.replace('<html ', () => {
    const written = Object.entries(attributes).map(([name, value]) => `data-${name}="${escaped(value)}" `);
    return `<html ${written.join('')}`;
  });

const rule = (selector: string, colors: Accent): string =>
  `${selector}{${Object.entries(colors)
    .map(([name, color]) => `--${name.replaceAll('_', '-')}:${color};`)
    .join('')}}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
