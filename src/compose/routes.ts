import type { FastifyPluginAsync } from 'fastify';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Config } from '../config.ts';
import { WorkKeys } from '../database/work-keys.ts';
import { adminActivityRoutes } from '../features/admin/activity-routes.ts';
import { ActivityStore } from '../features/admin/activity-store.ts';
import { adminAttemptRoutes } from '../features/admin/attempt-routes.ts';
import { adminCatalogueRoutes, courseTreeRoutes } from '../features/admin/catalogue-routes.ts';
import { catalogueTables } from '../features/admin/catalogue-store.ts';
import { adminContainerRoutes } from '../features/admin/container-routes.ts';
import { adminSiteRoutes } from '../features/admin/site-routes.ts';
import { adminSystemRoutes } from '../features/admin/system-routes.ts';
import { SystemService } from '../features/admin/system-service.ts';
import { SystemStore } from '../features/admin/system-store.ts';
import { adminTrialRoutes } from '../features/admin/trial-routes.ts';
import { adminUserFileRoutes } from '../features/admin/user-file-routes.ts';
import { adminUserImportRoutes } from '../features/admin/user-import-routes.ts';
import { adminUserRoutes } from '../features/admin/user-routes.ts';
import { announcementRoutes } from '../features/announcements/routes.ts';
import { adminAssessmentRoutes, setupFileRoutes } from '../features/assessments/admin-routes.ts';
import { adminRevisionRoutes, revisionRoutes } from '../features/assessments/revision-routes.ts';
import { assessmentRoutes } from '../features/assessments/routes.ts';
import { answerRoutes } from '../features/attempts/answers/routes.ts';
import { reopenRoutes } from '../features/attempts/reopening/routes.ts';
import { attemptRoutes, breakRoutes } from '../features/attempts/routes.ts';
import { passkeyRoutes } from '../features/auth/passkeys/routes.ts';
import { passwordResetRoutes } from '../features/auth/password-reset/routes.ts';
import { adminRegistrationCodeRoutes } from '../features/auth/registration/code-routes.ts';
import { authRoutes, invitationRoutes } from '../features/auth/routes.ts';
import { adminSecondFactorRoutes, secondFactorRoutes } from '../features/auth/second-factor/routes.ts';
import { certificateRoutes } from '../features/certificates/routes.ts';
import { CertificateService } from '../features/certificates/service.ts';
import { CertificateStore } from '../features/certificates/store.ts';
import { deadlineRoutes } from '../features/classes/deadline-routes.ts';
import { extensionRoutes } from '../features/classes/extension-routes.ts';
import { joinCodeRoutes } from '../features/classes/join-code-routes.ts';
import {
  classMemberRoutes,
  memberImportRoutes,
  studentViewRoutes,
  testStudentRoutes,
} from '../features/classes/member-routes.ts';
import { classOpeningRoutes } from '../features/classes/opening-routes.ts';
import { classCopyRoutes, classProgressRoutes, classRoutes } from '../features/classes/routes.ts';
import { containerRoutes } from '../features/containers/routes.ts';
import { CourseContentService } from '../features/content/course-service.ts';
import { courseContentRoutes } from '../features/content/routes.ts';
import { ContentStore } from '../features/content/store.ts';
import { courseImportRoutes } from '../features/course-imports/routes.ts';
import { CourseImportService } from '../features/course-imports/service.ts';
import { CourseImportStore } from '../features/course-imports/store.ts';
import { CourseCopyStore } from '../features/course-staff/copy-store.ts';
import { courseGrantRoutes, courseStaffRoutes, teachingCourseRoutes } from '../features/course-staff/routes.ts';
import { CourseService } from '../features/course-staff/service.ts';
import { addOwner } from '../features/course-staff/store.ts';
import { CourseAssessments } from '../features/dashboard/course-assessments.ts';
import { FiguresStore } from '../features/dashboard/figures-store.ts';
import { FirstSteps } from '../features/dashboard/first-steps.ts';
import { FirstStepsStore } from '../features/dashboard/first-steps-store.ts';
import { OpenCatalogue } from '../features/dashboard/open-catalogue.ts';
import { dashboardRoutes, firstStepsRoutes, openCatalogueRoutes } from '../features/dashboard/routes.ts';
import { Analytics, Statistics } from '../features/dashboard/statistics.ts';
import { DashboardStore } from '../features/dashboard/store.ts';
import { gradingRoutes } from '../features/decisions/grading-routes.ts';
import { GradingService } from '../features/decisions/grading-service.ts';
import { GradingStore } from '../features/decisions/grading-store.ts';
import { decisionRoutes } from '../features/decisions/routes.ts';
import { rubricRoutes } from '../features/decisions/rubric-routes.ts';
import { RubricStore } from '../features/decisions/rubric-store.ts';
import { DecisionStore } from '../features/decisions/store.ts';
import { deletionRoutes } from '../features/deletions/routes.ts';
import { DeletionService } from '../features/deletions/service.ts';
import { evidenceRoutes } from '../features/evidence/routes.ts';
import { roomRoutes, sessionControlRoutes } from '../features/exam-room/routes.ts';
import {
  classAccommodationRoutes,
  sessionAccommodationRoutes,
} from '../features/exam-sessions/accommodation-routes.ts';
import { ForecastStore } from '../features/exam-sessions/forecast-store.ts';
import { examSessionRoutes, planRoutes } from '../features/exam-sessions/routes.ts';
import { sessionUserRoutes, supervisorRoutes } from '../features/exam-sessions/user-routes.ts';
import { classGradesRoutes, gradeBookRoutes } from '../features/grade-book/grade-book-routes.ts';
import { reportRoutes, staffReportRoutes } from '../features/help/report-routes.ts';
import { handRoutes } from '../features/help/routes.ts';
import { adminIdentityProviderRoutes, identityProviderRoutes } from '../features/identity-providers/routes.ts';
import type { IdentityProviderService } from '../features/identity-providers/service.ts';
import { imageRoutes } from '../features/images/routes.ts';
import { GradeBookStore } from '../features/instructors/grade-book-store.ts';
import { OverviewStore } from '../features/instructors/overview-store.ts';
import { ResultsStore } from '../features/instructors/results-store.ts';
import { instructorRoutes, overviewRoutes } from '../features/instructors/routes.ts';
import { InstructorService } from '../features/instructors/service.ts';
import { StuckStore } from '../features/instructors/stuck-store.ts';
import { pushRoutes } from '../features/lesson-repositories/push-routes.ts';
import { hostKeyRoutes, repositoryRoutes } from '../features/lesson-repositories/routes.ts';
import { RepositoryService } from '../features/lesson-repositories/service.ts';
import { lessonRoutes } from '../features/lessons/routes.ts';
import type { NewCourse } from '../features/lessons/schema.ts';
import { adminLtiRoutes } from '../features/lti/admin-routes.ts';
import { classLtiRoutes } from '../features/lti/class-routes.ts';
import { ltiRoutes } from '../features/lti/routes.ts';
import { mailRoutes } from '../features/mail/routes.ts';
import { noteRoutes } from '../features/notes/routes.ts';
import { NoteService } from '../features/notes/service.ts';
import { NoteStore } from '../features/notes/store.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { personalTokenRoutes } from '../features/personal-tokens/routes.ts';
import { PersonalTokenService } from '../features/personal-tokens/service.ts';
import { serviceAccountRoutes } from '../features/personal-tokens/service-account-routes.ts';
import { deletionRequestRoutes } from '../features/profile/deletion-routes.ts';
import { DeletionRequestStore } from '../features/profile/deletion-store.ts';
import { profileRoutes } from '../features/profile/routes.ts';
import { recordingConsentRoutes } from '../features/recordings/consent-routes.ts';
import { ConsentStore } from '../features/recordings/consent-store.ts';
import { recordingRoutes } from '../features/recordings/routes.ts';
import { assessmentRegradeRoutes, regradeRoutes } from '../features/regrades/routes.ts';
import { searchRoutes } from '../features/search/routes.ts';
import { SearchService } from '../features/search/service.ts';
import { SearchStore } from '../features/search/store.ts';
import { signalRoutes } from '../features/signals/routes.ts';
import { siteRoutes } from '../features/site/routes.ts';
import { type SystemParts, systemRoutes } from '../features/system/routes.ts';
import { terminalRoutes } from '../features/terminal/routes.ts';
import { transferRoutes } from '../features/terminal/transfers/routes.ts';
import { webhookRoutes } from '../features/webhooks/routes.ts';
import type { WebhookService } from '../features/webhooks/service.ts';
import { writtenRevisionRoutes, writtenRoutes } from '../features/written-lessons/routes.ts';
import { adminDoor, courseDoor } from '../http/access/doors.ts';
import { serviceVersion } from '../http/document/service-version.ts';
import type { AccountParts } from './accounts.ts';
import type { AttemptParts } from './attempts.ts';
import type { ClassParts } from './classes.ts';
import type { ContainerParts } from './containers.ts';
import type { CourseStaffParts } from './course-staff.ts';
import type { DatabaseParts } from './database.ts';
import type { ExamSessionParts } from './exam-sessions.ts';
import type { LessonParts } from './lessons.ts';
import type { composeLti } from './lti.ts';
import type { NotificationParts } from './notifications.ts';
import type { ProfileParts } from './profiles.ts';
import type { TerminalParts } from './terminals.ts';

type RouteParts = DatabaseParts &
  AccountParts &
  ClassParts &
  CourseStaffParts &
  NotificationParts &
  LessonParts &
  ContainerParts &
  AttemptParts &
  ExamSessionParts &
  TerminalParts &
  ProfileParts & {
    config: Config;
    identityProviders: IdentityProviderService;
    lti: ReturnType<typeof composeLti>;
    webhooks: WebhookService;
  } & Pick<SystemParts, 'metrics' | 'isStopping'>;

/** Routes of content stand behind both. */
const doors = [adminDoor, courseDoor];

/** The routes of all features. */
export function composeRoutes(parts: RouteParts): FastifyPluginAsync[] {
  const { config, metrics, isStopping, identityProviders } = parts;
  const { db, pool, presence, networkLimitStore, auth, registration, codes, lessons, profiles, userAdmin } = parts;
  const { engine, containers, containerAdmin, warmPool, provisioner } = parts;
  const { assessments, attempts, states, attemptAdmin, trials } = parts;
  const { recordings, terminals, gradingTurns } = parts;
  // Of the time of a request: administrators change it.
  const siteName = async (): Promise<string> => (await parts.site.lastKnown()).name ?? 'Learning platform';
  const system = new SystemService({
    store: new SystemStore(db),
    version: serviceVersion,
    ...{ dataDir: config.dataDir, engine, warmPool, terminals, presence },
    networkLimits: networkLimitStore,
    grading: gradingTurns,
    starts: provisioner,
  });
  // The exams and laboratories of a course are visible to the same users as the course.
  const forgetCourses = (): void => {
    lessons.forget();
    parts.forgetAssessments();
  };
  const repositories = new RepositoryService({ ...parts.repositoryParts, onChange: forgetCourses });
  const tables = catalogueTables(db, config.catalogue, forgetCourses);
  const teachingCourses = new CourseService({
    staff: parts.courseStaff,
    courses: {
      create: (actorId, fields: Static<typeof NewCourse>) =>
        tables.courses.create(actorId, fields, undefined, (trx, row) => addOwner(trx, actorId, row.id)),
      update: (actorId, id, change) => tables.courses.update(actorId, id, change),
      delete: (actorId, id) => tables.courses.delete(actorId, id, { retires: true }),
    },
    copies: new CourseCopyStore(db, config.catalogue, tables.courses, forgetCourses),
    usual: () => parts.grants.of(0),
    creators: config.courseCreators,
  });
  const dashboard = new DashboardStore(db, pool);
  const instructors = new InstructorService({
    ...{ results: new ResultsStore(db, pool), gradeBooks: new GradeBookStore(db), attempts, states, attemptAdmin },
    examRooms: parts.examRooms,
  });
  const decisions = new DecisionStore(db);
  const tokens = new PersonalTokenService(parts.personalTokens);
  const workKeys = new WorkKeys(parts.secretKey);
  const gradingStore = new GradingStore(db, decisions, workKeys);
  const rubrics = new RubricStore(db, workKeys);
  return [
    authRoutes(auth, registration, parts.passwordResets),
    personalTokenRoutes(tokens, auth),
    serviceAccountRoutes({ auth, tokens, accounts: parts.serviceAccounts }),
    passwordResetRoutes(parts.passwordResets),
    secondFactorRoutes(auth, parts.secondFactors, siteName),
    passkeyRoutes(auth, parts.passkeys, siteName),
    invitationRoutes(parts.invitationService),
    identityProviderRoutes(identityProviders, auth, config.publicUrl),
    ltiRoutes({ ...parts.lti, publicUrl: config.publicUrl, siteName }),
    classRoutes(parts.classes),
    classCopyRoutes(parts.classes, parts.classCopies),
    classMemberRoutes(parts.classMembers),
    studentViewRoutes(parts.studentViews, auth),
    memberImportRoutes(parts.memberImport),
    joinCodeRoutes(parts.joinCodes, parts.joins),
    classProgressRoutes(parts.classProgress),
    classGradesRoutes(parts.classGrades, parts.gradeStatistics, parts.gradeComparison),
    gradeBookRoutes(parts.gradeBooks, parts.gradeImport),
    deadlineRoutes(parts.deadlinesOfClasses),
    classOpeningRoutes(parts.openingsOfClasses, () => parts.openings.forget()),
    extensionRoutes(parts.extensions, parts.extensionImport),
    announcementRoutes(parts.announcements),
    notificationRoutes(parts.notifications, parts.notificationFeed, parts.admission),
    deletionRoutes(new DeletionService({ store: parts.deletions, onRestore: forgetCourses })),
    lessonRoutes(lessons, (courseId) => parts.courseStaff.teachers(courseId)),
    hostKeyRoutes(repositories),
    pushRoutes(parts.pushes),
    ...doors.map((door) => repositoryRoutes(repositories, parts.pushes, door)),
    ...doors.flatMap((door) => [
      writtenRoutes(parts.written, door),
      writtenRevisionRoutes(parts.written, parts.lessonFiles, door),
    ]),
    noteRoutes(new NoteService({ store: new NoteStore(db, config.lessons.notesPerUser), lessons })),
    containerRoutes(containers),
    ...doors.map((door) => imageRoutes(parts.images, door)),
    breakRoutes(parts.breaks),
    ...assessments.flatMap(({ service, answers, attempts: own }) => [
      assessmentRoutes(service),
      revisionRoutes(service),
      attemptRoutes(own),
      answerRoutes(answers),
    ]),
    examSessionRoutes(parts.examSessions, parts.examSessionService, config.schoolTimeZone),
    sessionUserRoutes(parts.sessionUsers, parts.examSessions),
    supervisorRoutes(parts.supervisors),
    planRoutes(new ForecastStore(db, config.containers.max), parts.examSessionService),
    sessionAccommodationRoutes(parts.accommodations, parts.examSessionService),
    classAccommodationRoutes(parts.classAccommodations, parts.examSessionService),
    sessionControlRoutes(parts.examRooms),
    roomRoutes(parts.rooms, parts.admission),
    handRoutes(parts.hands, parts.help),
    reportRoutes(parts.reports),
    ...doors.map((door) => staffReportRoutes(parts.reports, door)),
    decisionRoutes(decisions),
    gradingRoutes(
      gradingStore,
      new GradingService(
        gradingStore,
        assessments.map(({ answers }) => answers),
      ),
    ),
    ...[...doors, undefined].map((door) => rubricRoutes(rubrics, door)),
    recordingRoutes(recordings),
    recordingConsentRoutes(new ConsentStore(db), config.recordings.days),
    signalRoutes(parts.signals),
    evidenceRoutes(parts.evidence),
    reopenRoutes(parts.reopening, parts.reopenStore),
    regradeRoutes(parts.regrades),
    ...doors.map((door) => assessmentRegradeRoutes(parts.regrades, door)),
    adminUserRoutes(userAdmin),
    adminSecondFactorRoutes(parts.secondFactors),
    adminContainerRoutes(containerAdmin),
    adminAttemptRoutes(attemptAdmin),
    adminActivityRoutes(new ActivityStore(db)),
    adminSiteRoutes(parts.site, parts.retention),
    mailRoutes(parts.mail),
    webhookRoutes(parts.webhooks),
    adminSystemRoutes(system),
    adminUserFileRoutes(userAdmin),
    adminUserImportRoutes(parts.userImports, parts.invitationService),
    adminRegistrationCodeRoutes(codes),
    adminIdentityProviderRoutes(identityProviders, config.publicUrl),
    classLtiRoutes(parts.lti.memberStore, parts.lti.gradeStore),
    adminLtiRoutes({ ...parts.lti, publicUrl: config.publicUrl }),
    adminCatalogueRoutes(tables),
    teachingCourseRoutes(teachingCourses, parts.courseStaff),
    courseStaffRoutes(parts.courseStaff),
    testStudentRoutes(parts.studentViews, auth, (caller) => userAdmin.deleteTestStudent(caller)),
    courseGrantRoutes(parts.grants),
    courseContentRoutes(
      new CourseContentService({
        store: new ContentStore(db, config.catalogue),
        grants: (courseId) => parts.grants.of(courseId),
        directory: config.dataDir,
        onImport: forgetCourses,
      }),
    ),
    ...doors.map((door) => courseTreeRoutes(tables, door)),
    courseImportRoutes(
      new CourseImportService({
        store: new CourseImportStore(db, { ...config.catalogue, maxRepositories: config.lessons.maxRepositories }),
        repositories: parts.repositories,
        stored: parts.repositoryParts.store,
        // Loaded when it is used: it knows many formats.
        readOutline: async (...given) =>
          await (await import('../../tools/conversion/markdown/repository.ts')).readOutline(...given),
        onChange: async () => {
          forgetCourses();
          await parts.refreshOthers();
        },
      }),
    ),
    ...doors.flatMap((door) => [
      ...assessments.flatMap(({ admin, files }) => [
        adminAssessmentRoutes(admin, door),
        adminRevisionRoutes(admin, door),
        setupFileRoutes(files, door),
      ]),
      adminTrialRoutes(trials, door),
    ]),
    instructorRoutes(instructors),
    overviewRoutes(new OverviewStore(db), new StuckStore(db, config.stuck)),
    searchRoutes(
      new SearchService({
        store: new SearchStore(db, config.search.timeout),
        ...{ lessons, instructors, openings: parts.openings },
        assessments: assessments.map(({ service }) => service),
        limits: config.search,
      }),
    ),
    dashboardRoutes(
      dashboard,
      new Statistics(new FiguresStore(pool), lessons),
      new Analytics(dashboard, lessons),
      new CourseAssessments(
        dashboard,
        lessons,
        assessments.map(({ service }) => service),
      ),
    ),
    firstStepsRoutes(new FirstSteps(new FirstStepsStore(db), engine)),
    openCatalogueRoutes(
      new OpenCatalogue(
        async () => (await parts.site.site()).has_public_courses,
        lessons,
        assessments.map(({ service }) => service),
      ),
    ),
    profileRoutes(profiles, parts.ownData),
    deletionRequestRoutes({ auth, requests: new DeletionRequestStore(db) }),
    certificateRoutes(
      new CertificateService({
        ...{
          store: new CertificateStore(db),
          key: parts.signingKey,
          timeZone: config.schoolTimeZone ?? 'UTC',
        },
        issuer: siteName,
      }),
      config.publicUrl,
    ),
    siteRoutes(parts.site),
    terminalRoutes(terminals, config.corsOrigins),
    transferRoutes(terminals, parts.transfers),
    systemRoutes({
      metrics,
      isStopping,
      metricsToken: config.metricsToken,
      checkDatabase: async () => void (await sql`select 1`.execute(db)),
      engineProblem: () => engine.problem(),
    }),
  ];
}
