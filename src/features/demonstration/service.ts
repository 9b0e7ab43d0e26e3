import { announcementsOf } from './announcements.ts';
import { notesOf } from './notes.ts';
import type { Hashes, Person, SchoolClass } from './plan-store.ts';
import { Random } from './random.ts';
import { days, generateSchool } from './school.ts';
import type { DemonstrationStore } from './store.ts';
import { minutesAfter } from './times.ts';
import { generateActivity } from './work.ts';

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
  const announcements = announcementsOf(random, classes, administrator, now);
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
