import { keyedHash } from '../database/keyed-hash.ts';
import { runAlone } from '../database/processes/alone.ts';
import { SessionControlStore } from '../features/exam-room/control-store.ts';
import { RoomFeed } from '../features/exam-room/feed.ts';
import { MessageStore } from '../features/exam-room/message-store.ts';
import { ExamRoomService } from '../features/exam-room/service.ts';
import { SilentChecks } from '../features/exam-room/silent-checks.ts';
import { RoomStore } from '../features/exam-room/store.ts';
import { classAccommodationStore, sessionAccommodationStore } from '../features/exam-sessions/accommodation-store.ts';
import { ExamSessionService } from '../features/exam-sessions/service.ts';
import { ExamSessionStore } from '../features/exam-sessions/store.ts';
import { SupervisorStore } from '../features/exam-sessions/supervisor-store.ts';
import { SessionUserStore } from '../features/exam-sessions/user-store.ts';
import { HandStore } from '../features/help/hand-store.ts';
import { ReportStore } from '../features/help/report-store.ts';
import { HelpService } from '../features/help/service.ts';
import type { AccountParts } from './accounts.ts';
import type { AttemptParts } from './attempts.ts';
import type { ClassParts } from './classes.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { LessonParts } from './lessons.ts';
import type { Surroundings } from './parts.ts';
import type { TerminalParts } from './terminals.ts';

/** Sessions in which classes and chosen students take exams. */
export function composeExamSessions(
  { config, log, cleanup }: Surroundings,
  { db, pool, feed, peers }: DatabaseParts,
  { secretKey, auth }: AccountParts,
  { holds, shells }: ContainerParts,
  { deadlinesOfClasses }: ClassParts,
  { onMoved, forgetAssessments, states, silentCheckStore }: AttemptParts,
  { terminals }: TerminalParts,
  { lessons }: LessonParts,
) {
  const { maxExamSessions, maxSessionUsers, maxSessionSupervisors, maxBreakMinutes } = config.classes;
  const sessionUsers = new SessionUserStore(db, maxSessionUsers);
  const examSessions = new ExamSessionStore(db, maxExamSessions, keyedHash(secretKey), sessionUsers);
  const limits = { maxSupervisors: maxSessionSupervisors, maxSessions: maxExamSessions };
  const supervisors = new SupervisorStore(db, limits);
  const accommodations = sessionAccommodationStore(db);
  const classAccommodations = classAccommodationStore(db);
  const messages = new MessageStore(db);
  const announce = (id: number): void => {
    messages.delivery(id).then(
      (found) => {
        for (const containerId of found?.containerIds ?? []) terminals.announce(containerId, found?.text ?? '');
      },
      (error: unknown) => log.warn({ err: error, message: id }, 'a message could not be delivered to terminals'),
    );
  };
  peers.subscribe('exam_message', (id) => announce(Number(id)));
  const deliver = (id: number): void => {
    announce(id);
    peers.publish('exam_message', `${id}`);
  };
  const examSessionService = new ExamSessionService({
    ...{ store: examSessions, accommodations, classAccommodations, onMoved },
    onPlanned: forgetAssessments,
    ...{ deadlines: deadlinesOfClasses, maxBreakMinutes },
  });
  const examRooms = new ExamRoomService({
    ...{ sessions: examSessions, control: new SessionControlStore(db), messages, onMoved, deliver },
    onUnlock: (userId) => auth.forget(userId),
    silentChecks: silentCheckStore,
  });
  const hands = new HandStore(db);
  const help = new HelpService({ hands, lessons, message: (...message) => examRooms.message(...message) });
  const silentChecks = new SilentChecks({
    ...{ store: silentCheckStore, states, shells, limits: config.grading, log },
    alone: (round) => runAlone(pool, 'silent checks', round),
  });
  feed.on('exam_session', (what) => silentChecks.changed(what));
  // Every process holds its terminals. All of them do the same on the engine.
  feed.on('attempt_held', () => {
    terminals.followHolds();
    holds.followSoon();
  });
  const rooms = cleanup.use(
    new RoomFeed({
      ...{ store: new RoomStore(db), options: config.examRooms, log },
      connected: (containerIds) => terminals.connected(containerIds),
      watched: (id) => silentCheckStore.watched(id),
    }),
  );
  feed.on('exam_session', (id) => rooms.changed(id));
  /** Checks a token again and again without keeping it. */
  const admission = (token: string) => {
    const claims = auth.claimsOf(token);
    return () => auth.admit(claims);
  };
  return {
    ...{ examSessions, sessionUsers, supervisors, accommodations, classAccommodations, examSessionService },
    ...{ examRooms, rooms, silentChecks, admission, hands, help, reports: new ReportStore(db) },
  };
}

export type ExamSessionParts = ReturnType<typeof composeExamSessions>;
