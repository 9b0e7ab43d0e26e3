import type { HighlighterCore, LanguageInput, ThemedToken } from 'shiki/core';

export type Line = readonly Pick<ThemedToken, 'content' | 'htmlStyle'>[];

const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

/** The languages of lessons about systems. Each is a separate file, loaded with the first block that uses it. */
const languages: Record<string, LanguageInput> = {
  apache: () => import('shiki/langs/apache.mjs'),
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  dockerfile: () => import('shiki/langs/dockerfile.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  nginx: () => import('shiki/langs/nginx.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  shellsession: () => import('shiki/langs/shellsession.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  'ssh-config': () => import('shiki/langs/ssh-config.mjs'),
  systemd: () => import('shiki/langs/systemd.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
const aliases: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'shellsession',
  'shell-session': 'shellsession',
  terminal: 'shellsession',
  yml: 'yaml',
  docker: 'dockerfile',
  py: 'python',
  js: 'javascript',
  conf: 'ini',
  cfg: 'ini',
  service: 'systemd',
  sshconfig: 'ssh-config',
};

let highlighter: Promise<HighlighterCore> | undefined;

/** Created once, with the browser's own regular expressions: the pages' policy needs no exception for them, and 600 kB are not loaded. */
async function make(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ]);
  return await createHighlighterCore({
    themes: [light.default, dark.default],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** The coloured tokens of a text, by line. Undefined for an unknown language. Each token includes the colours of both themes. */
export async function highlight(code: string, name: string): Promise<readonly Line[] | undefined> {
  const lang = aliases[name] ?? name;
  const language = languages[lang];
  if (!language) return undefined;
  highlighter ??= make();
  const made = await highlighter;
  await made.loadLanguage(language);
  return made.codeToTokens(code, { lang, themes, defaultColor: false }).tokens;
}
