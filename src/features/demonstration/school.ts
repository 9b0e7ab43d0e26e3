import {
  type Accommodation,
  type Catalogue,
  type Exam,
  emailDomain,
  type Person,
  type SchoolClass,
  type Session,
  type Student,
} from './plan-store.ts';
import type { Random } from './random.ts';
import { daysAgo, minutesAfter, withinFiveMinutes } from './times.ts';

export const classCount = 3;
export const studentsPerClass = 30;
/** Days of work before now. */
export const days = 14;

const classNames = [
  'Linux administration, morning',
  'Linux administration, evening',
  'System administration, part-time',
];

/** The people of the school, its classes and their exam sessions. */
export function generateSchool(random: Random, catalogue: Catalogue, now: Date): SchoolClass[] {
  const people = peopleOf(random, classCount * (studentsPerClass + 1) + 1);
  const assistant = people.pop();
  return classNames.map((name, number) => {
    const [instructor, ...others] = people.splice(0, studentsPerClass + 1);
    if (!instructor) throw new RangeError('There are too few people');
    const students = others.map((person, index) => ({ ...person, ...characterOf(random, index) }));
    const own = { name, instructor, students, assistant: number === 0 ? assistant : undefined };
    return {
      ...own,
      description: `Room ${101 + number}, ${studentsPerClass} places`,
      courseIds: catalogue.courses.slice(0, number === 2 ? catalogue.courses.length : 1).map(({ id }) => id),
      sessions: sessionsOf(catalogue.exams, students, number, now),
    };
  });
}

/** Some have not begun, a few work every day, and the others come and go. */
function characterOf(random: Random, index: number): Pick<Student, 'diligence' | 'ability'> {
  const diligence = index < 2 ? 0 : index < 5 ? 1 : random.between(0.25, 0.85);
  return { diligence, ability: random.between(0.45, 0.95) };
}

/** Two that are over, one of the first class that runs now, and one that is planned. */
function sessionsOf(exams: readonly Exam[], students: readonly Student[], number: number, now: Date): Session[] {
  const [first, second = first, third = second] = exams;
  if (!first || !second || !third) return [];
  const sessions = [
    sessionOf(first, minutesAfter(daysAgo(now, 9), (9 + number) * 60), 180, 'at_end'),
    sessionOf(second, minutesAfter(daysAgo(now, 3), (8 + number) * 60), 150, 'when_released'),
    sessionOf(third, minutesAfter(daysAgo(now, -2 - 2 * number), (9 + number) * 60), 120, 'after_close'),
  ];
  const [before, last] = sessions;
  // Those of the last class still wait for their results.
  if (last && number < 2) last.released_at = minutesAfter(last.closes_at, 45);
  if (number === 0) sessions.splice(2, 0, running(third, students, now));
  // Nothing is planned in the future.
  for (const session of sessions) session.created_at = earlier(session.created_at, minutesAfter(now, -24 * 60));
  for (const session of [before, sessions[2]]) session?.accommodations.push(...accommodationsOf(students, session));
  return sessions;
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

const sessionOf = (
  exam: Exam,
  opens_at: Date,
  minutes: number,
  results_visible: Session['results_visible'],
): Session => ({
  ...{ exam, title: exam.title, opens_at, closes_at: minutesAfter(opens_at, minutes), results_visible },
  ...{ released_at: null, created_at: minutesAfter(opens_at, -5 * 24 * 60), accommodations: [], awaited: [] },
});

/** Most students have finished. The last ones are at work or have not come. */
const running = (exam: Exam, students: readonly Student[], now: Date): Session => ({
  ...sessionOf(exam, withinFiveMinutes(minutesAfter(now, -55)), 180, 'after_close'),
  awaited: students.slice(-7),
});

function accommodationsOf(students: readonly Student[], { closes_at }: Session): Accommodation[] {
  const [, , one, , , other, third] = students;
  return [
    ...(one ? [{ student: one, time_factor: 1.5, closes_at: null }] : []),
    ...(other ? [{ student: other, time_factor: 1.25, closes_at: null }] : []),
    ...(third ? [{ student: third, time_factor: 1, closes_at: minutesAfter(closes_at, 30) }] : []),
  ];
}

/** Given names and family names that are common in some part of the world. They are combined at random: nobody is meant. */
const names: readonly { given: string; family: string }[] = [
  { given: 'Lucía Mateo Carmen Diego Elena Javier', family: 'García Romero Vega Molina Ortega Navarro' },
  { given: 'Aarav Priya Rohan Ananya Vikram Meera', family: 'Sharma Iyer Patel Nair Reddy Kapoor' },
  { given: 'Haruto Yui Ren Sakura Kenji Aiko', family: 'Tanaka Sato Mori Kobayashi Ito Yamada' },
  { given: 'Omar Layla Yusuf Amina Karim Noor', family: 'Haddad Mansour Khalil Nasser Saleh Farouk' },
  { given: 'Adaeze Tunde Chidi Folake Emeka Ngozi', family: 'Okafor Adeyemi Balogun Eze Nwosu Ogunleye' },
  { given: 'Olena Dmytro Iryna Taras Oksana Andriy', family: 'Kovalenko Shevchuk Bondarenko Melnyk Tkachuk Moroz' },
  { given: 'Lena Jonas Greta Felix Klara Moritz', family: 'Becker Vogel Schröder Hartmann Krüger Lang' },
  { given: 'João Beatriz Rafael Larissa Thiago Camila', family: 'Carvalho Teixeira Moreira Barros Pinto Rocha' },
  { given: 'Linh Minh Huong Tuan Lan Quang', family: 'Nguyen Tran Pham Hoang Bui Dang' },
  { given: 'Aoife Liam Niamh Owen Maeve Callum', family: 'Byrne Doyle Walsh Murray Reid Kerr' },
];

/** People with different names, from all of the lists in turn. @param count at most 360 */
function peopleOf(random: Random, count: number): Person[] {
  const people = new Map<string, Person>();
  while (people.size < count) {
    const { given, family } = names[people.size % names.length] ?? random.pick(names);
    const full_name = `${random.pick(given.split(' '))} ${random.pick(family.split(' '))}`;
    const username = plain(full_name).replace(' ', '.');
    people.set(username, { username, full_name, email: `${username}@${emailDomain}` });
  }
  return [...people.values()];
}

/** In lower case and without marks. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
