import type { Assessment, Attempt, Catalogue, Laboratory, SchoolClass, Session, Student, Work } from './plan-store.ts';
import type { Random } from './random.ts';
import { days } from './school.ts';
import { daysAgo, earlier, minutesAfter } from './times.ts';

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
