import { deleteUnusedStates } from '../database/catalogue/revisions.ts';
import { runAlone } from '../database/processes/alone.ts';
import type { WebhookService } from '../features/webhooks/service.ts';
import type { Chore } from '../work.ts';
import type { AccountParts } from './accounts.ts';
import type { AttemptParts } from './attempts.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { ExamSessionParts } from './exam-sessions.ts';
import type { composeLti } from './lti.ts';
import type { NotificationParts } from './notifications.ts';
import type { Surroundings } from './parts.ts';
import type { ProfileParts } from './profiles.ts';
import type { SearchParts } from './search.ts';
import type { TerminalParts } from './terminals.ts';

type ChoreParts = Pick<DatabaseParts, 'db' | 'pool'> &
  Pick<ContainerParts, 'homeSaves' | 'images' | 'evidence'> &
  AccountParts &
  AttemptParts &
  Pick<ExamSessionParts, 'silentChecks'> &
  NotificationParts &
  ProfileParts &
  SearchParts &
  TerminalParts & { lti: ReturnType<typeof composeLti>; webhooks: WebhookService };

const hour = 3600 * 1000;
const day = 24 * hour;

/** The periodic jobs of the service. */
export function composeChores({ config, overrides, log, objects, ...parts }: Surroundings & ChoreParts): Chore[] {
  const {
    reconciler,
    throttle,
    networkLimitStore,
    devices,
    loginCookies,
    profiles,
    sweep,
    db,
    pool,
    diskGuard,
    terminals,
  } = parts;
  const chores: Chore[] = [
    {
      failure: 'reconciling failed',
      interval: config.reconcileInterval,
      atOnce: true,
      work: () => reconciler.run(),
    },
    {
      failure: 'terminals of other processes could not be taken over',
      interval: config.reconcileInterval,
      atOnce: true,
      work: () => terminals.adoptOrphans(),
    },
    {
      failure: 'images could not be pulled',
      interval: config.reconcileInterval,
      work: async () => void parts.images.run(),
      atOnce: true,
    },
    {
      failure: 'an import of users was interrupted',
      interval: config.reconcileInterval,
      atOnce: true,
      work: () => parts.userImports.run(),
    },
    {
      failure: 'old records of logins and registrations could not be deleted',
      interval: config.reconcileInterval,
      work: () =>
        Promise.all(
          [throttle, networkLimitStore, devices, loginCookies, parts.logins, parts.studentViews, parts.identities].map(
            (store) => store.clean(),
          ),
        ),
    },
  ];
  chores.push({
    failure: 'exam sessions could not be checked silently',
    interval: config.examRooms.silentInterval,
    work: () => parts.silentChecks.run(),
  });
  const { homeSaves, announcements, dueNotifications } = parts;
  if (homeSaves)
    chores.push({
      failure: 'home folders could not be saved',
      // A home waits for this in addition, so that at most a minute is lost.
      interval: Math.min(10, config.homeSaves.interval / 3) * 1000,
      work: () => homeSaves.round(),
    });
  // Of several processes with one data folder, one reads it. Each would measure the containers as often as one may.
  if ((overrides.siblings?.number ?? 1) > 1) return chores;
  chores.push(
    {
      failure: 'the texts of lessons could not be read for the search',
      interval: config.search.interval,
      atOnce: true,
      work: () => parts.lessonIndex.update(),
    },
    {
      failure: 'due notifications could not be written',
      interval: config.notifications.interval,
      work: () =>
        runAlone(pool, 'notifications', async () => {
          await announcements.showDue();
          await dueNotifications.write();
        }),
    },
    {
      failure: 'old notifications could not be deleted',
      interval: hour,
      work: () => dueNotifications.clean(),
    },
    {
      failure: 'what was deleted long ago could not be deleted for good',
      interval: config.reconcileInterval,
      work: async () => {
        const deleted = await parts.deletions.clean();
        if (deleted > 0) log.info({ deleted }, 'purged expired deletions');
      },
    },
    {
      failure: 'unused states of exams and laboratories could not be deleted',
      interval: hour,
      atOnce: true,
      work: () =>
        runAlone(pool, 'revisions', async () => {
          const deleted = await deleteUnusedStates(db);
          if (deleted.states + deleted.contents > 0) log.info(deleted, 'deleted unused states and set-up files');
        }),
    },
    {
      failure: 'unused avatars could not be deleted',
      interval: day,
      atOnce: true,
      work: () =>
        runAlone(pool, 'avatars', async () => {
          const removed = await profiles.removeOrphans();
          if (removed > 0) log.info({ removed }, 'deleted unused avatars');
        }),
    },
    {
      failure: 'what is kept no longer could not be removed',
      interval: day,
      atOnce: true,
      work: () => runAlone(pool, 'retention', () => parts.retention.run()),
    },
    {
      failure: 'old recordings could not be deleted',
      interval: day,
      atOnce: true,
      work: () =>
        runAlone(pool, 'recordings', async () => {
          const swept = await sweep();
          if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'deleted old recordings');
        }),
    },
  );
  chores.push({
    failure: 'the evidence of attempts without a machine could not be kept',
    interval: config.reconcileInterval,
    atOnce: true,
    work: () => runAlone(pool, 'evidence of answers', () => parts.evidence.collect()),
  });
  const { mail, webhooks } = parts;
  chores.push(
    {
      failure: 'webhooks could not be sent',
      interval: config.webhooks.interval,
      work: () => webhooks.round(),
    },
    { failure: 'old webhook deliveries could not be deleted', interval: hour, work: () => webhooks.clean() },
  );
  if (mail.isOn)
    chores.push({
      failure: 'mails could not be written',
      interval: config.mail.interval,
      work: () => runAlone(pool, 'mail', () => mail.round()),
    });
  // Grades do not wait for the members of large courses.
  chores.push(
    {
      failure: 'the members of platforms could not be read',
      interval: config.mail.interval,
      work: () => runAlone(pool, 'lti members', () => parts.lti.members.round()),
    },
    {
      failure: 'grades could not be sent to platforms',
      interval: config.mail.interval,
      work: () => runAlone(pool, 'lti grades', () => parts.lti.grades.round()),
    },
  );
  chores.push({ failure: 'old mails could not be deleted', interval: hour, work: () => mail.clean() });
  if (parts.evidence.isOn)
    chores.push({
      failure: 'attempts could not be graded again',
      interval: config.reconcileInterval,
      atOnce: true,
      work: () => parts.regrades.run(),
    });
  if (parts.evidence.isOn)
    chores.push({
      failure: 'old evidence of attempts could not be deleted',
      interval: hour,
      atOnce: true,
      work: () =>
        runAlone(pool, 'evidence', async () => {
          const swept = await parts.evidence.sweep();
          if (swept.expired + swept.files > 0) log.info(swept, 'deleted old evidence of attempts');
        }),
    });
  if (homeSaves)
    chores.push({
      failure: 'home folders of containers that no longer exist could not be deleted',
      interval: hour,
      atOnce: true,
      work: () =>
        runAlone(pool, 'home folders', async () => {
          await objects.removeUnfinished('homes', day / 1000);
          const removed = await homeSaves.sweep();
          if (removed > 0) log.info({ removed }, 'deleted home folders of containers that no longer exist');
        }),
    });
  if (config.containers.diskCheckInterval > 0)
    chores.push({
      failure: 'the sizes of containers could not be read',
      interval: config.containers.diskCheckInterval,
      work: () => runAlone(pool, 'disk usage', () => diskGuard.check()),
    });
  return chores;
}
