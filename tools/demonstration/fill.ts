import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Announcement, Hashes, Note, Person, Reading, SchoolClass, Student, Theme } from './plan.ts';
import { Random } from './random.ts';
import { days, generateActivity, generateSchool, minutesAfter } from './school.ts';
import type { DemonstrationStore } from './store.ts';

export type Filling = {
  seed: number;
  now: Date;
  administrator: Person;
  hashes: Hashes;
  /** The folder of the lessons' texts. */
  lessons: string;
};
export type Filled = {
  classes: Pick<SchoolClass, 'name' | 'instructor' | 'assistant' | 'students'>[];
  attempts: number;
  readings: number;
  notes: number;
  announcements: number;
  /** The exam session that runs now, and the students who can be at work in it. */
  running: { sessionId: number; examId: number; workers: Person[] } | undefined;
};

/** Of those who have not finished the exam that runs, so many work. The others have not come. */
const workersAtOnce = 4;

/**
 * Fills an installation without users with a school that has worked for two weeks. The same seed and time lead to the same school.
 * @throws Error where there is any user
 */
export async function fill(
  store: DemonstrationStore,
  { seed, now, administrator, hashes, lessons }: Filling,
): Promise<Filled> {
  const random = new Random(seed);
  const catalogue = await store.catalogue();
  const classes = generateSchool(random, catalogue, now);
  const works = classes.map((of) => generateActivity(random, catalogue, of, now));
  const readings = works.flatMap((work) => work.readings);
  const attempts = works.flatMap((work) => work.attempts);
  const notes = await notesOf(random, readings, lessons);
  const begin = minutesAfter(now, -(days + 2) * 24 * 60);
  // The activity draws more or fewer numbers by the time of day: with numbers of its own, the same students have read at any time.
  const announcements = announcementsOf(new Random(seed), classes, administrator, now);
  const plan = { administrator, classes, work: { readings, attempts }, notes, announcements, begin };
  const ids = await store.write(plan, hashes);
  const sessions = classes.flatMap((of) => of.sessions);
  const place = sessions.findIndex(({ awaited }) => awaited.length > 0);
  const [open, sessionId] = [sessions[place], ids[place]];
  return {
    classes,
    ...{ attempts: attempts.length, readings: readings.length, notes: notes.length },
    announcements: announcements.length,
    running:
      open && sessionId !== undefined
        ? { sessionId, examId: open.exam.id, workers: open.awaited.slice(0, workersAtOnce) }
        : undefined,
  };
}

const day = 24 * 60;

/** What the administrator announces to everybody, and each instructor to the own class. Not everybody has read the last ones. */
function announcementsOf(
  random: Random,
  classes: readonly SchoolClass[],
  administrator: Person,
  now: Date,
): Announcement[] {
  const all = classes.flatMap(({ students }) => students);
  const made = (
    of: Pick<Announcement, 'class' | 'author' | 'title' | 'text'>,
    { age, daysShown }: { age: number; daysShown: number | null },
    readers: readonly Student[],
  ): Announcement => {
    const shows_from = minutesAfter(now, -age * day);
    // Of a new announcement fewer have read.
    const share = Math.min(0.95, 0.3 + age / 6);
    return {
      ...of,
      ...{ shows_from, shows_until: daysShown === null ? null : minutesAfter(shows_from, daysShown * day) },
      readers: readers.filter(({ diligence }) => diligence > 0 && random.chance(share)),
    };
  };
  const everybody = { class: undefined, author: administrator };
  return [
    made({ ...everybody, ...announcementTexts.welcome }, { age: days, daysShown: null }, all),
    made({ ...everybody, ...announcementTexts.maintenance }, { age: 1, daysShown: 7 }, all),
    ...classes.flatMap((of) => {
      const own = { class: of, author: of.instructor };
      const [, marked] = of.sessions;
      const isReleased = marked !== undefined && marked.released_at !== null;
      return [
        made({ ...own, ...announcementTexts.homework }, { age: 6, daysShown: null }, of.students),
        ...(isReleased ? [made({ ...own, ...resultsOf(marked.title) }, { age: 2, daysShown: 14 }, of.students)] : []),
        made({ ...own, ...announcementTexts.hours }, { age: 0.2, daysShown: 3 }, of.students),
      ];
    }),
  ];
}

const announcementTexts = {
  welcome: {
    title: 'Welcome to the course',
    text: 'Work through the lessons in their order. Each lesson has a **sandbox** in which you can try everything.\n\nAsk questions in class or by email.',
  },
  maintenance: {
    title: 'Maintenance on Saturday morning',
    text: 'The service is not available on Saturday from 6:00 to 8:00. Sandboxes are stopped; their home folders are kept.',
  },
  homework: {
    title: 'For the next lesson',
    text: 'Please finish:\n\n1. the lessons on files and permissions,\n2. the laboratory of that section.\n\nIf you did not pass, try it a second time before class.',
  },
  hours: {
    title: 'Office hours moved',
    text: 'Tomorrow I am in the office from `14:00` to `15:30` instead of the morning.',
  },
};

const resultsOf = (title: string) => ({
  title: `Results of ${title}`,
  text: 'The results are released. You find them with your attempt, including the output of the checks.',
});

const noteTexts = [
  'Ask about this in class',
  'Important for the exam',
  'Try it again at home',
  'The part that I always forget',
  'Compare with the manual page',
  // A bookmark.
  '',
];

/** A note at the first paragraph of some lessons that were read. @param folder of the lessons' texts */
async function notesOf(random: Random, readings: readonly Reading[], folder: string): Promise<Note[]> {
  const paragraphs = new Map<Theme, string | undefined>();
  const notes: Note[] = [];
  for (const { student, theme, at } of readings) {
    if (!random.chance(0.12)) continue;
    const text = random.pick(noteTexts);
    if (!paragraphs.has(theme)) paragraphs.set(theme, await firstParagraph(join(folder, theme.markdown_file_path)));
    const excerpt = paragraphs.get(theme);
    if (excerpt !== undefined) notes.push({ student, theme, excerpt, text, at });
  }
  return notes;
}

/** As the pages read it: without marks. Undefined where the text is not there, as in a repository of lessons. */
async function firstParagraph(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const found = text?.split(/\n{2,}/).find((block) => /^[^\s#>`|<-]/.test(block));
  return found?.replaceAll(/[*`]/g, '').replaceAll(/\s+/g, ' ').trim().slice(0, 200) || undefined;
}
