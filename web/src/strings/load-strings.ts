import { inTime } from '../api/in-time.ts';
import { Problem } from '../api/problem.ts';
import type { Strings } from './en/index.ts';

export const languages = ['en', 'de', 'ru'] as const;
export type Language = (typeof languages)[number];
/** The texts are loaded in parts: those of the first pages, those of the other pages of students, those of the staff's pages. */
export type StringsPart = 'first' | 'learning' | 'staff';
export type Area = keyof Strings;

export const areasOf = {
  first: ['account', 'common', 'dashboard', 'errors', 'lessons'],
  learning: [
    'activity',
    'agenda',
    'announcements',
    'answers',
    'attempts',
    'certificates',
    'classes',
    'examSessions',
    'exams',
    'feedback',
    'help',
    'laboratories',
    'lessonTerminal',
    'lti',
    'mailLinks',
    'markdown',
    'notes',
    'notifications',
    'plots',
    'problems',
    'profile',
    'reader',
    'refusals',
    'sandboxes',
    'search',
    'signals',
    'terminal',
  ],
  staff: ['administration', 'authoring', 'gradeBook', 'grading', 'imports', 'regrades', 'room', 'teaching', 'written'],
} as const satisfies Record<StringsPart, readonly Area[]>;

type Files = { [Part in StringsPart]: () => Promise<Pick<Strings, (typeof areasOf)[Part][number]>> };
const files: Record<Language, Files> = {
  en: {
    first: () => import('./en/first.ts'),
    learning: () => import('./en/learning.ts'),
    staff: () => import('./en/staff.ts'),
  },
  de: {
    first: () => import('./de/first.ts'),
    learning: () => import('./de/learning.ts'),
    staff: () => import('./de/staff.ts'),
  },
  ru: {
    first: () => import('./ru/first.ts'),
    learning: () => import('./ru/learning.ts'),
    staff: () => import('./ru/staff.ts'),
  },
};

const known: Record<Language, Partial<Strings>> = { en: {}, de: {}, ru: {} };
const loading = new Map<string, Promise<void>>();

/** The language that document.js has chosen before the first paint. */
export const firstLanguage = (): Language => languages.find((one) => one === document.documentElement.lang) ?? 'en';

let current: Language = firstLanguage();

/**
 * Loads a part in the user's language, once.
 * @throws Problem as for a service that cannot be reached; the next call tries again
 */
export function loadStrings(part: StringsPart, language = current): Promise<void> {
  const key = `${language} ${part}`;
  const begun = loading.get(key);
  if (begun) return begun;
  const load = inTime<Partial<Strings>>(files[language][part]()).then(
    (strings) => {
      Object.assign(known[language], strings);
    },
    () => {
      loading.delete(key);
      throw new Problem(0);
    },
  );
  loading.set(key, load);
  return load;
}

/** Loads the parts that are in use in another language, which is the user's from now on. */
export async function loadLanguage(language: Language): Promise<void> {
  const isLoaded = (part: StringsPart): boolean => areasOf[part].some((area) => known[current][area] !== undefined);
  const parts = (Object.keys(areasOf) as StringsPart[]).filter(isLoaded);
  await Promise.all(parts.map((part) => loadStrings(part, language)));
  current = language;
}

/** The texts of an area, where its part is loaded. */
export const textsOf = <Name extends Area>(language: Language, area: Name): Strings[Name] | undefined =>
  known[language][area];
