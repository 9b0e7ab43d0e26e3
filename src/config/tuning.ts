import { bytesIn } from './bytes-in.ts';

/**
 * Limits and intervals that no operator needs to turn, but that tests make small. The values beside the settings of this folder are not even
 * turned by tests. A process that a test starts takes its values from `SERVICE_TUNING`, as JSON; that variable is internal.
 */
export const usualTuning = {
  /** After these failures a person reads what they type; a program that guesses has got nowhere. */
  loginFailuresPerAccount: 10,
  /** First wait of an account. Each further failure doubles it. */
  loginBlockSeconds: 60,
  /** Phone, laptop, school, home and a few more. */
  knownDevicesPerAccount: 10,
  /** Lines of one import of users, or of members of a class: a large school in a few parts. */
  maxImportLines: 2000,
  /** A photo of a phone. */
  maxAvatarBytes: 5 * bytesIn.mib,

  /** A lesson or a list of an import with room to spare. */
  maxBodyBytes: bytesIn.mib,
  /** Request bodies in memory at once: of one client, and of all, a quarter of the memory of a Pod. */
  maxBodiesPerClientMb: 16,
  maxBodiesMb: 256,
  /** For a whole request. Slow lines need it, silent ones must not hold a connection. */
  requestTimeoutSeconds: 30,
  /** Open connections; a further one is closed before anything is read from it. Each needs a file descriptor. */
  maxConnections: 10_000,
  /** Half of them: a whole school can share one address. Not enforced behind a proxy, whose address all connections have. */
  maxConnectionsPerAddress: 5000,
  /** Event loop lag above which requests are answered with 503: beyond it clients have given up. 0: never. */
  maxEventLoopDelayMs: 3000,
  /** Between two runs of the cleanup after crashes and failures: half a minute is what a user waits for, and its statements cost nothing. */
  reconcileSeconds: 30,

  /** The slowest list at full size takes a tenth of it. */
  databaseStatementSeconds: 15,
  /** For getting a connection of the pool. Longer than the next: a database that hangs is reported as that. */
  databaseAcquireSeconds: 4,
  /** Without an answer to a trivial query, after which PostgreSQL counts as hanging. */
  databaseSilenceSeconds: 3,
  /** Between two writes of a recording in progress to S3: what a killed process loses. Each write is a request. */
  s3AppendSeconds: 5,
  /** Of one recording: hours of work, minutes of output without an end. */
  maxRecordingMb: 20,

  /** Of each kind: courses, sections, themes, exams, laboratories, templates, codes and classes. Their orders need no indexes up to here. */
  maxCatalogueItems: 5000,
  /** Of one exam or laboratory. */
  maxTasks: 200,
  /** Bytes and number of the files of one exam or laboratory, with those of its tasks: they are sent to each of its containers. */
  maxSetupFileBytes: 10 * bytesIn.mib,
  maxSetupFiles: 500,
  /** Files of lessons that are written in the pages, and bytes of all their revisions: they are in the database and its backups. */
  maxWrittenLessonFiles: 2000,
  maxWrittenLessonBytes: 256 * bytesIn.mib,
  /** Between two checks whether texts of lessons have changed, which compare commits. */
  searchRefreshSeconds: 2,
  /** For one statement of a search. */
  searchTimeoutMs: 2000,
  /** For one fetch of a repository; a clone has ten times as long. */
  lessonsTimeoutSeconds: 60,
  /** Repositories that courses were imported from, besides that of the service. Each has a mirror in each replica. */
  maxLessonRepositories: 20,
  maxNotesPerUser: 1000,

  /** Join codes of one class, expired ones included. */
  maxJoinCodesPerClass: 100,
  /** Exam sessions of one class; for chosen students those of one creator, and those of others that one user supervises. */
  maxExamSessionsPerClass: 500,
  /** Chosen students of one exam session, and its supervisors, its creator included. */
  maxExamSessionUsers: 1000,
  maxExamSessionSupervisors: 20,
  /** Breaks in one attempt. */
  maxBreakMinutes: 120,
  /** Columns with typed values in the grade book of one class, and students in one import of them. */
  maxGradeColumns: 50,
  maxGradeLines: 2000,
  /** Of one class, and to everybody, past ones included. */
  maxAnnouncements: 500,
  /** Between two reads of a room that is watched and in which nothing was reported: only terminals that open and close report nothing. */
  examRoomSeconds: 5,
  /** Of one process. */
  maxExamRoomWatchers: 200,
  /** Between two searches for attempts whose checks are due to run silently. Their intervals are minutes. */
  silentRoundSeconds: 5,
  /** Between two searches for what has become due by time alone. */
  notificationSeconds: 15,
  /** Tabs of one user that share no connection. */
  maxNotificationStreamsPerUser: 10,
  /** Between two searches for mails that are due. */
  mailRoundSeconds: 15,
  /** From a notification to its mail: who reads it meanwhile needs none, and several changes are one mail. */
  mailDelaySeconds: 120,
  /** Before the second attempt to send a mail. Each further wait is twice as long, up to four hours. */
  mailRetrySeconds: 60,
  /** To one address, besides those that somebody has asked for. More would be taken for spam. */
  maxMailsPerHour: 10,
  /** Between two searches for deliveries to webhooks that are due. */
  webhookRoundSeconds: 5,
  /** Before the second attempt of a delivery. Each further wait is six times as long, up to eight hours. */
  webhookRetrySeconds: 5,

  /** Between two saves of the home folder of a container that its engine can lose. */
  homeSaveSeconds: 30,
  /** Of a home folder that is saved. */
  maxHomeMb: 256,
  /** For one call of the engine: a start on a disk under load. */
  engineTimeoutSeconds: 30,
  /** For connecting to a container's SSH server and for opening each channel; added to a script's own limit. */
  sshTimeoutSeconds: 10,
  /** Open at once, each with a container. */
  maxLaboratoriesPerUser: 3,
  /** Stopped ones included: they use the disk. Beyond it 503, unless one has been stopped for `SANDBOX_IDLE_MINUTES`. */
  maxSandboxes: 400,
  /** Queued starts of containers, and how long one waits there: about as long as a person does. */
  maxStartsWaiting: 100,
  maxStartWaitSeconds: 6,
  /** Attempts that wait for a container, for clients that accept it. */
  maxQueuedAttempts: 200,
  /** Files and folders in a container, including those of its image: inodes are a limit of the machine's disk. */
  maxContainerFiles: 100_000,
  /** Between two checks for containers over a limit of the disk, if the storage has no quotas; 0: never. */
  diskCheckSeconds: 30,
  /** Of a new container, for all its set-up scripts together. */
  setupSeconds: 60,
  /** Before an exam session opens, in which a container is prepared for each student who is expected; 0: none are. */
  examWarmMinutes: 10,
  /** After the opening, for which those of students who do not come are kept. */
  examWarmHours: 4,

  scriptSeconds: 30,
  /** Gradings at once of attempts whose deadline has passed: they wait for containers most of the time. */
  gradingConcurrency: 8,
  /** Trials of authors' scripts: each has a container of its own. */
  maxTrialsWaiting: 4,

  maxTerminalsPerUser: 10,
  maxTerminalsPerContainer: 4,
  /** Shorter than the minute after which proxies and routers drop a silent connection. */
  terminalPingSeconds: 25,
  /** Shared by all output floods if there are several; those without a client share an eighth. Ten times what anybody can read. */
  terminalFloodBytesPerSecond: 2 * bytesIn.mib,
  /** Buffered for a slow client before the shell's output is paused. */
  maxTerminalBufferBytes: bytesIn.mib,
  /** Of a file that users upload to their containers, or download from them. */
  maxTransferMb: 10,
  transferSeconds: 120,
};

export type Tuning = { readonly [Name in keyof typeof usualTuning]: number };

/**
 * @param text JSON of some of the values, as `SERVICE_TUNING` has them
 * @throws Error when it is something else
 */
export function readTuning(text: string | undefined): Partial<Tuning> {
  const given: unknown = JSON.parse(text ?? '{}');
  const isTuning = (entry: [string, unknown]) => Object.hasOwn(usualTuning, entry[0]) && typeof entry[1] === 'number';
  if (typeof given !== 'object' || given === null || !Object.entries(given).every(isTuning))
    throw new Error('SERVICE_TUNING is internal, and takes values of src/config/tuning.ts as JSON');
  return given as Partial<Tuning>;
}
