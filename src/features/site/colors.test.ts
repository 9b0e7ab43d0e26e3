import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contrast, minContrast, siteColors, themes } from './colors.ts';

describe('the colours of an accent', () => {
  it('can be read in both themes, whatever was chosen', () => {
    const steps = ['00', '40', '80', 'c0', 'ff'];
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const colors = siteColors(`#${red}${green}${blue}`);
          for (const theme of ['light', 'dark'] as const) {
            const { accent, accent_strong, accent_soft, on_accent } = colors[theme];
            const pairs = [...themes[theme].grounds, accent_soft].flatMap((ground) => [
              [accent, ground],
              [accent_strong, ground],
            ]);
            for (const [one = '', other = ''] of [...pairs, [accent, on_accent]])
              assert.ok(contrast(one, other) >= minContrast, `${theme} of ${red}${green}${blue}: ${one} on ${other}`);
          }
        }
  });

  it('are the chosen one where that can be read', () => {
    assert.equal(siteColors('#0b6b62').light.accent, '#0b6b62');
    assert.equal(siteColors('#5ec9bc').dark.accent, '#5ec9bc');
  });

  it('are compared with the backgrounds of the pages', () => {
    const css = readFileSync(new URL('../../../web/document.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('[data-theme="dark"]');
    for (const [text, { grounds, surface }] of [
      [light, themes.light],
      [dark, themes.dark],
    ] as const) {
      const colorOf = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)?.[1];
      assert.equal(colorOf('surface'), surface);
      const shown = ['ground', 'surface', 'raised', 'sunken'].map(colorOf);
      assert.deepEqual(new Set(shown), new Set(grounds));
    }
  });
});
