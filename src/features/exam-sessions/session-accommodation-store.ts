import type { Database } from '../../database/connection/connect.ts';
import { checkTimes } from '../../database/exam-session-rules.ts';
import { accommodatedSession, changeableSession, isStudentOf, type OwnSession } from './access-store.ts';
import { type Accommodated, AccommodationStore } from './accommodation-store.ts';
import { moveDeadlines } from './deadline-store.ts';
import { logSession } from './session-log-store.ts';

type Fields = {
  /** Null: that of the class. */
  time_factor: number | null;
  opens_at: Date | null;
  closes_at: Date | null;
  max_attempts: number | null;
  /** Of each attempt. Null: those of the class; 0: none. */
  break_minutes: number | null;
};
export type Accommodation = Accommodated<Fields>;
export type AccommodationFields = Partial<Fields>;
export type SessionAccommodationStore = AccommodationStore<Fields, OwnSession>;

/** The differences of a session for single students. */
export const sessionAccommodationStore = (db: Database): SessionAccommodationStore =>
  new AccommodationStore(db, {
    table: 'exam_accommodations',
    column: 'session_id',
    fields: ['time_factor', 'opens_at', 'closes_at', 'max_attempts', 'break_minutes'],
    seen: accommodatedSession,
    changeable: changeableSession,
    isStudent: isStudentOf,
    check: ({ opens_at, closes_at }, { session }) =>
      checkTimes({ opens_at: opens_at ?? session.opens_at, closes_at: closes_at ?? session.closes_at }),
    log: async (trx, caller, own, { action, userId, details }) =>
      await logSession(trx, caller, `exam_accommodation_${action}`, own, { userId, ...details }),
    move: moveDeadlines,
  });
