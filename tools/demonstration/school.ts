import {
  type Accommodation,
  type Assessment,
  type Attempt,
  type Catalogue,
  type Exam,
  emailDomain,
  type Laboratory,
  type Person,
  type SchoolClass,
  type Session,
  type Student,
  type Work,
} from './plan.ts';
import type { Random } from './random.ts';

const classCount = 3;
const studentsPerClass = 30;
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

/** What a class has done in the last two weeks: lessons with their laboratories, and exams. */
export function generateActivity(random: Random, catalogue: Catalogue, of: SchoolClass, now: Date): Work {
  const themes = catalogue.themes.filter(({ course_id }) => of.courseIds.includes(course_id));
  const lessons = of.students.map((student) => lessonsOf(random, { ...catalogue, themes }, student, now));
  const exams = of.sessions
    .filter(({ opens_at }) => opens_at < now)
    .flatMap((session) => examsOf(random, of.students, session, now));
  return {
    readings: lessons.flatMap(({ readings }) => readings),
    attempts: [...lessons.flatMap(({ attempts }) => attempts), ...exams],
  };
}

function lessonsOf(random: Random, { themes, laboratories }: Catalogue, student: Student, now: Date): Work {
  const work: Work = { readings: [], attempts: [] };
  const left = [...themes];
  for (let day = days; day >= 0; day -= 1) {
    if (!random.chance(student.diligence)) continue;
    let at = minutesAfter(daysAgo(now, day), random.between(7 * 60, 17 * 60));
    for (let count = random.integer(1, 3); count > 0; count -= 1) {
      at = minutesAfter(at, random.between(8, 35));
      const [theme] = left;
      if (!theme || at >= now) break;
      left.shift();
      work.readings.push({ student, theme, at });
      const laboratory = laboratories.find(({ section_id }) => section_id === theme.section_id);
      if (!laboratory || left[0]?.section_id === theme.section_id) continue;
      at = minutesAfter(at, 5);
      for (const attempt of laboratoryAttempts(random, student, laboratory, at)) {
        if (attempt.submitted_at >= now) break;
        work.attempts.push(attempt);
        at = minutesAfter(attempt.submitted_at, 1);
      }
    }
  }
  return work;
}

/** Not everybody does it. Most of those who do not pass try a second time. */
function laboratoryAttempts(random: Random, student: Student, assessment: Laboratory, begin: Date): Attempt[] {
  if (random.chance(0.15)) return [];
  const once = (started_at: Date, bonus: number): Attempt => {
    const { time_limit_minutes: limit } = assessment;
    const expires_at = limit === null ? null : minutesAfter(started_at, limit);
    const end = minutesAfter(started_at, random.between(8, 40));
    const submitted_at = expires_at ? earlier(end, expires_at) : end;
    const isExpired = submitted_at === expires_at;
    const graded = gradedOf(random, assessment, student.ability + bonus);
    return {
      ...{ kind: 'laboratory', student, assessment, session: undefined },
      ...{ started_at, expires_at, submitted_at, isExpired, ...graded },
    };
  };
  const first = once(begin, 0.1);
  if (first.isPassed || random.chance(0.3)) return [first];
  return [first, once(minutesAfter(first.submitted_at, random.between(3, 20)), 0.3)];
}

/** Most come in the first minutes. Nobody comes to an exam who has not begun the course. */
function examsOf(random: Random, students: readonly Student[], session: Session, now: Date): Attempt[] {
  const { exam, opens_at, closes_at, accommodations } = session;
  const isRunning = closes_at > now;
  return students.flatMap((student): Attempt[] => {
    if (session.awaited.includes(student) || student.diligence === 0 || random.chance(0.04)) return [];
    const own = accommodations.find((given) => given.student === student);
    const limit = exam.time_limit_minutes * (own?.time_factor ?? 1);
    const started_at = minutesAfter(opens_at, random.between(0.2, isRunning ? 4 : 12));
    const expires_at = earlier(minutesAfter(started_at, limit), own?.closes_at ?? closes_at);
    const isExpired = !isRunning && random.chance(0.06);
    // All that have begun in the session that runs have finished.
    const share = isRunning ? random.between(0.3, 0.7) : random.between(0.4, 0.95);
    const submitted_at = isExpired ? expires_at : minutesAfter(started_at, share * exam.time_limit_minutes);
    if (submitted_at >= now) return [];
    return [
      {
        ...{ kind: 'exam', student, assessment: exam, session },
        ...{ started_at, expires_at, submitted_at, isExpired, ...gradedOf(random, exam, student.ability) },
      },
    ];
  });
}

/** Later tasks are harder. */
function gradedOf(random: Random, { tasks, passing_score }: Assessment, ability: number) {
  const verdicts = tasks.map((_, index) => random.chance(ability + 0.15 - (0.35 * index) / tasks.length));
  const score = tasks.reduce((sum, { points }, index) => sum + (verdicts[index] ? points : 0), 0);
  return { verdicts, score, isPassed: score >= passing_score };
}

const minute = 60_000;
const dayLength = 24 * 60 * minute;

export const minutesAfter = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * minute);

/** The begin of a day in UTC. */
const daysAgo = (now: Date, days: number): Date =>
  new Date(Math.floor(now.getTime() / dayLength) * dayLength - days * dayLength);

/** The earlier full five minutes. */
const withinFiveMinutes = (moment: Date): Date => new Date(Math.floor(moment.getTime() / (5 * minute)) * 5 * minute);

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
