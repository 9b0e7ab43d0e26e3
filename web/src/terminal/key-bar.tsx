import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import type { PointerEvent, ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { ArrowKey, Modifiers } from './sticky-keys.ts';

type BarKey = ArrowKey | { text: string };

const arrows: [ArrowKey, typeof ArrowUp][] = [
  ['ArrowLeft', ArrowLeft],
  ['ArrowDown', ArrowDown],
  ['ArrowUp', ArrowUp],
  ['ArrowRight', ArrowRight],
];
const signs = ['|', '/', '~', '-'];

/** The focus stays in the terminal, so that the keyboard on the screen stays open. */
const keepFocus = (event: PointerEvent): void => event.preventDefault();

/** The keys that keyboards of phones lack. Ctrl and Alt apply to the next key only. */
export function KeyBar({
  modifiers,
  onModifiers,
  onKey,
}: {
  modifiers: Modifiers;
  onModifiers: (modifiers: Modifiers) => void;
  onKey: (key: BarKey) => void;
}) {
  const words = useStrings().terminal.keys;
  const key = (name: string, content: ReactNode, onClick: () => void, isPressed?: boolean) => (
    <button
      key={name}
      type="button"
      aria-label={name}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onPointerDown={keepFocus}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className="flex min-h-10 items-center justify-center rounded border bg-raised px-1 text-sm aria-pressed:bg-accent aria-pressed:text-on-accent"
    >
      {content}
    </button>
  );
  const { isControl, isAlt } = modifiers;
  return (
    <div
      role="toolbar"
      aria-label={words.label}
      className="hidden grid-cols-6 gap-1 border-t bg-surface p-1 max-sm:grid sm:grid-cols-12 pointer-coarse:grid"
    >
      {key(words.control, 'Ctrl', () => onModifiers({ isControl: !isControl, isAlt }), isControl)}
      {key(words.alt, 'Alt', () => onModifiers({ isControl, isAlt: !isAlt }), isAlt)}
      {key(words.tab, 'Tab', () => onKey({ text: '\t' }))}
      {key(words.escape, 'Esc', () => onKey({ text: '\x1b' }))}
      {arrows.map(([name, Icon]) => key(words[name], <Icon size={16} aria-hidden="true" />, () => onKey(name)))}
      {signs.map((sign) => key(sign, sign, () => onKey({ text: sign })))}
    </div>
  );
}
