/** The colours of one theme that follow from the accent, as `#rrggbb`. */
export type AccentColors = { accent: string; accent_strong: string; accent_soft: string; on_accent: string };
export type SiteColors = { light: AccentColors; dark: AccentColors };

/** The backgrounds of text in the accent, as in web/document.css, and where the accent moves until it can be read on them. */
export const themes = {
  light: { grounds: ['#f6f8f8', '#ffffff', '#eaefef'], surface: '#ffffff', end: '#000000', soft: 0.16 },
  dark: { grounds: ['#0d1415', '#141d1e', '#1a2526', '#0a1011'], surface: '#141d1e', end: '#ffffff', soft: 0.22 },
} as const;

/** WCAG 2.2, 1.4.3: of normal text. */
export const minContrast = 4.5;
const step = 0.02;

/**
 * The accent of both themes for a chosen colour: that colour, darkened or lightened as far as texts in it can be read.
 * @param chosen `#rrggbb`
 */
export const siteColors = (chosen: string): SiteColors => ({
  light: colorsOf(chosen, themes.light),
  dark: colorsOf(chosen, themes.dark),
});

function colorsOf(chosen: string, { grounds, surface, end, soft }: (typeof themes)['light' | 'dark']): AccentColors {
  for (let share = 0; ; share += step) {
    const accent = mix(chosen, end, Math.min(1, share));
    const accent_soft = mix(surface, accent, soft);
    const isReadable = [...grounds, accent_soft].every((ground) => contrast(accent, ground) >= minContrast);
    if (!isReadable && share < 1) continue;
    const on_accent = contrast(accent, '#ffffff') >= minContrast ? '#ffffff' : '#000000';
    return { accent, accent_strong: mix(accent, end, 0.25), accent_soft, on_accent };
  }
}

/** The ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 1, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const partsOf = (color: string): number[] =>
  [1, 3, 5].map((begin) => Number.parseInt(color.slice(begin, begin + 2), 16));

/** @param share of the second colour, from 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(one).map((part, index) => Math.round(part + ((others[index] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
