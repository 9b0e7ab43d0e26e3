import { Accessibility, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { remember, remembered } from '../ui/remember.ts';

/** In pixels. */
export const fontSizes = [11, 12, 13, 14, 16, 18, 21, 24];
const initialFont = 2;

export const typefaces = ['system', 'sans', 'typewriter'] as const;
export type Typeface = (typeof typefaces)[number];
/** The first installed one of each list is used. */
const families: Record<Typeface, string> = {
  system: 'ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  sans: '"JetBrains Mono", "Fira Code", "Source Code Pro", "Ubuntu Mono", "Liberation Mono", Monaco, Consolas, monospace',
  typewriter: '"Courier Prime", "Courier New", "Liberation Mono", Courier, monospace',
};

export type TextAppearance = ReturnType<typeof useTextAppearance>;

/** The text size and typeface of terminals and their mode for screen readers, which the browser remembers. */
export function useTextAppearance() {
  const [font, setFont] = useState(() => {
    const size = Number(remembered('terminal-font') ?? initialFont);
    return size in fontSizes ? size : initialFont;
  });
  const [typeface, setTypeface] = useState(() => {
    const name = remembered('terminal-typeface');
    return typefaces.find((one) => one === name) ?? 'system';
  });
  const [isForScreenReader, setForScreenReader] = useState(() => remembered('terminal-screen-reader') === 'true');
  return {
    font,
    fontSize: fontSizes[font] ?? 13,
    typeface,
    fontFamily: families[typeface],
    isForScreenReader,
    chooseTypeface: (next: Typeface): void => {
      remember('terminal-typeface', next);
      setTypeface(next);
    },
    choose: (next: number): void => {
      const size = Math.min(fontSizes.length - 1, Math.max(0, next));
      remember('terminal-font', `${size}`);
      setFont(size);
    },
    toggleScreenReader: (): void => {
      remember('terminal-screen-reader', `${!isForScreenReader}`);
      setForScreenReader(!isForScreenReader);
    },
  };
}

/** The buttons that change the appearance of the text. */
export function TextControls({ appearance }: { appearance: TextAppearance }) {
  const { terminal: words } = useStrings();
  const { font, choose } = appearance;
  return (
    <>
      <IconButton
        className="@max-3xl:hidden"
        label={words.fontSmaller}
        onClick={() => choose(font - 1)}
        disabled={font === 0}
      >
        <Minus size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        className="@max-3xl:hidden"
        label={words.fontLarger}
        onClick={() => choose(font + 1)}
        disabled={font === fontSizes.length - 1}
      >
        <Plus size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={words.screenReader}
        aria-pressed={appearance.isForScreenReader}
        className="aria-pressed:bg-accent-soft @max-3xl:hidden"
        onClick={appearance.toggleScreenReader}
      >
        <Accessibility size={16} aria-hidden="true" />
      </IconButton>
    </>
  );
}
