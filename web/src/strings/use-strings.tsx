import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { stringsOf } from './catalogue.ts';
import type { Strings } from './en/index.ts';
import { firstLanguage, type Language, loadLanguage } from './load-strings.ts';

type Spoken = { language: Language; strings: Strings; speak: (language: Language) => void };
const StringsContext = createContext<Spoken | undefined>(undefined);

/**
 * Gives the texts in the user's language. The first part must have been loaded. A language that cannot be loaded is not taken.
 * @param onChoice is told the language that the user chooses
 */
export function StringsProvider({
  onChoice,
  children,
}: {
  onChoice: (language: Language) => void;
  children: ReactNode;
}) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const spoken = useMemo(
    (): Spoken => ({
      language,
      strings: stringsOf(language),
      speak: (next) => {
        onChoice(next);
        loadLanguage(next).then(
          () => setLanguage(next),
          () => {},
        );
      },
    }),
    [language, onChoice],
  );
  return <StringsContext.Provider value={spoken}>{children}</StringsContext.Provider>;
}

/** The texts of the user's language: `const t = useStrings(); t.common.save`. */
export const useStrings = (): Strings => useSpoken().strings;

export function useSpoken(): Spoken {
  const spoken = useContext(StringsContext);
  if (!spoken) throw new Error('There are no strings outside StringsProvider');
  return spoken;
}

/** Dates, times and numbers in the format of the user's language. */
export function useFormat() {
  const { language } = useSpoken();
  return useMemo(() => {
    // The user's own locale, where its language matches the selected one: dates differ between British and American English.
    const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return {
      date: (value: string) => date.format(new Date(value)),
      /** A day without a time, in UTC: `2026-11-20`. */
      day: (value: string) => day.format(new Date(value)),
      time: (value: string) => time.format(new Date(value)),
      /** The time in a zone, such as `Europe/Berlin`. */
      timeIn: (value: string, timeZone: string) =>
        new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(value)),
      /** Only the time of day. */
      clock: (value: string) => clock.format(new Date(value)),
      number: (value: number) => number.format(value),
      /** With up to two decimal places. */
      decimal: (value: number) => decimal.format(value),
      /** Of a time: `× 1.25`. */
      factor: (value: number) => `× ${decimal.format(value)}`,
      /** Of a language, by its code. */
      languageName: (code: string) => new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code,
      /** The size of a file, in the largest unit that fits. */
      bytes: (value: number) => {
        const unit = value > 0 ? Math.min(sizes.length - 1, Math.floor(Math.log(value) / Math.log(1024))) : 0;
        const style = {
          style: 'unit',
          unit: sizes[unit] ?? 'byte',
          maximumFractionDigits: 1,
          unitDisplay: unit === 0 ? 'long' : 'short',
        } as const;
        return new Intl.NumberFormat(language, style).format(value / 1024 ** unit);
      },
      /** How long ago, in the largest unit that fits: "3 hours ago". */
      ago: (value: string) => {
        const seconds = (Date.parse(value) - Date.now()) / 1000;
        for (const [unit, length] of unitsOfTime) {
          if (Math.abs(seconds) >= length) return ago.format(Math.trunc(seconds / length), unit);
        }
        return ago.format(Math.min(0, Math.trunc(seconds)), 'second');
      },
    };
  }, [language]);
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
const unitsOfTime: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
