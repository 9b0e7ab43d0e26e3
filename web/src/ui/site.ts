import { useSyncExternalStore } from 'react';
import type { Answer } from '../api/client.ts';
import { useStrings } from '../strings/use-strings.tsx';

type Site = Answer<'/api/site'>;
type Shown = Pick<Site, 'name' | 'logo_url' | 'welcome'>;

const root = document.documentElement;
/** Whether the installation sends mail. */
export const hasMail = 'hasMail' in root.dataset;

/** Whether users can have passkeys. */
export const hasPasskeys = 'hasPasskeys' in root.dataset;

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The service writes it into the document: src/http/pages/document-look.ts. */
let shown: Shown = {
  name: root.dataset['siteName'] ?? null,
  logo_url: root.dataset['siteLogo'] ?? null,
  welcome: root.dataset['siteWelcome'] ?? '',
};

/** Name, logo and welcome text of the installation. */
export function useSite(): { product: string; logo: string; hasLogo: boolean; welcome: string } {
  const t = useStrings();
  const { name, logo_url, welcome } = useSyncExternalStore(subscribe, () => shown);
  return { product: name ?? t.common.product, logo: logo_url ?? '/favicon.svg', hasLogo: logo_url !== null, welcome };
}

/** Shows changed settings without another load of the document. */
export function showSite({ name, logo_url, welcome, colors }: Shown & Pick<Site, 'colors'>): void {
  shown = { name, logo_url, welcome };
  document.getElementById('site-colors')?.remove();
  if (colors) {
    const style = document.createElement('style');
    style.id = 'site-colors';
    style.textContent = `${ruleOf(':root', colors.light)}${ruleOf('[data-theme="dark"]', colors.dark)}`;
    document.head.append(style);
  }
  for (const listener of listeners) listener();
}

const ruleOf = (selector: string, colors: Record<string, string>): string =>
  `${selector}{${Object.entries(colors)
    .map(([name, color]) => `--${name.replaceAll('_', '-')}:${color};`)
    .join('')}}`;
