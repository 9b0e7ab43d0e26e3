import type { Announcement, Person, SchoolClass, Student } from './plan-store.ts';
import type { Random } from './random.ts';
import { days } from './school.ts';
import { minutesAfter } from './times.ts';

const day = 24 * 60;

/** What the administrator announces to everybody, and each instructor to the own class. Not everybody has read the last ones. */
export function announcementsOf(
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
    made({ ...everybody, ...texts.welcome }, { age: days, daysShown: null }, all),
    made({ ...everybody, ...texts.maintenance }, { age: 1, daysShown: 7 }, all),
    ...classes.flatMap((of) => {
      const own = { class: of, author: of.instructor };
      const [, marked] = of.sessions;
      const isReleased = marked !== undefined && marked.released_at !== null;
      return [
        made({ ...own, ...texts.homework }, { age: 6, daysShown: null }, of.students),
        ...(isReleased ? [made({ ...own, ...resultsOf(marked.title) }, { age: 2, daysShown: 14 }, of.students)] : []),
        made({ ...own, ...texts.hours }, { age: 0.2, daysShown: 3 }, of.students),
      ];
    }),
  ];
}

const texts = {
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
