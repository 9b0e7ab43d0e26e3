import { keyedHash } from '../database/keyed-hash.ts';
import { AccommodationStore } from '../features/exam-sessions/accommodation-store.ts';
import { ClassAccommodationStore } from '../features/exam-sessions/class-accommodation-store.ts';
import { SessionControlStore } from '../features/exam-sessions/control-store.ts';
import { MessageStore } from '../features/exam-sessions/message-store.ts';
import { RoomFeed } from '../features/exam-sessions/room-feed.ts';
import { RoomStore } from '../features/exam-sessions/room-store.ts';
import { ExamSessionService } from '../features/exam-sessions/service.ts';
import { ExamSessionStore } from '../features/exam-sessions/store.ts';
import type { AccountParts } from './accounts.ts';
import type { AttemptParts } from './attempts.ts';
import type { ClassParts } from './classes.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';
import type { TerminalParts } from './terminals.ts';

/** Sessions in which classes take exams. */
export function composeExamSessions(
  { config, log, cleanup }: Surroundings,
  { db, feed, peers }: DatabaseParts,
  { secretKey, auth }: AccountParts,
  { holds }: ContainerParts,
  { deadlinesOfClasses }: ClassParts,
  { onMoved }: AttemptParts,
  { terminals }: TerminalParts,
) {
  const examSessions = new ExamSessionStore(db, config.classes.maxExamSessions, keyedHash(secretKey));
  const accommodations = new AccommodationStore(db);
  const classAccommodations = new ClassAccommodationStore(db);
  const control = new SessionControlStore(db);
  const messages = new MessageStore(db);
  const announce = (id: number): void => {
    messages.delivery(id).then(
      (found) => {
        for (const containerId of found?.containerIds ?? []) terminals.announce(containerId, found?.text ?? '');
      },
      (error: unknown) => log.warn({ err: error, message: id }, 'a message could not be delivered to terminals'),
    );
  };
  peers.hear('exam_message', (id) => announce(Number(id)));
  const deliver = (id: number): void => {
    announce(id);
    peers.tell('exam_message', `${id}`);
  };
  const examSessionService = new ExamSessionService({
    ...{ store: examSessions, accommodations, classAccommodations, control, messages, onMoved, deliver },
    deadlines: deadlinesOfClasses,
    onUnlock: (userId) => auth.forget(userId),
  });
  // Every process holds its terminals. What they do on the engine is the same.
  feed.on('attempt_held', () => {
    terminals.followHolds();
    holds.followSoon();
  });
  const rooms = cleanup.use(
    new RoomFeed({
      ...{ store: new RoomStore(db), options: config.examRooms, log },
      connected: (containerIds) => terminals.connected(containerIds),
    }),
  );
  feed.on('exam_session', (id) => rooms.changed(id));
  /** Checks a token again and again without keeping it. */
  const admission = (token: string) => {
    const claims = auth.claimsOf(token);
    return () => auth.admit(claims);
  };
  return { examSessions, accommodations, classAccommodations, examSessionService, rooms, admission };
}

export type ExamSessionParts = ReturnType<typeof composeExamSessions>;
