import { keyedHash } from '../database/keyed-hash.ts';
import { AccommodationStore } from '../features/exam-sessions/accommodation-store.ts';
import { SessionControlStore } from '../features/exam-sessions/control-store.ts';
import { ExamSessionService } from '../features/exam-sessions/service.ts';
import { ExamSessionStore } from '../features/exam-sessions/store.ts';
import type { AccountParts } from './accounts.ts';
import type { AttemptParts } from './attempts.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Sessions in which classes take exams. */
export function composeExamSessions(
  { config }: Surroundings,
  { db }: DatabaseParts,
  { secretKey }: AccountParts,
  { onMoved }: AttemptParts,
) {
  const examSessions = new ExamSessionStore(db, config.classes.maxExamSessions, keyedHash(secretKey));
  const accommodations = new AccommodationStore(db);
  const control = new SessionControlStore(db);
  const examSessionService = new ExamSessionService({ store: examSessions, accommodations, control, onMoved });
  return { examSessions, accommodations, examSessionService };
}

export type ExamSessionParts = ReturnType<typeof composeExamSessions>;
