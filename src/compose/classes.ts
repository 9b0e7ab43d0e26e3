import { ClassCopyStore } from '../features/classes/copy-store.ts';
import { CourseAccessStore } from '../features/classes/course-access-store.ts';
import { DeadlineStore } from '../features/classes/deadline-store.ts';
import { ExtensionImport } from '../features/classes/extension-import.ts';
import { ExtensionStore } from '../features/classes/extension-store.ts';
import { ClassImportStore } from '../features/classes/import-store.ts';
import { JoinCodeStore } from '../features/classes/join-code-store.ts';
import { JoinService } from '../features/classes/join-service.ts';
import { MemberImport } from '../features/classes/member-import.ts';
import { ClassMemberStore } from '../features/classes/member-store.ts';
import { ClassOpeningStore } from '../features/classes/opening-store.ts';
import { ClassProgressStore } from '../features/classes/progress-store.ts';
import { ClassStore } from '../features/classes/store.ts';
import { GradeBookStore } from '../features/grade-book/grade-book-store.ts';
import { GradeComparisonService } from '../features/grade-book/grade-comparison.ts';
import { GradeImport } from '../features/grade-book/grade-import.ts';
import { GradeStatisticsService } from '../features/grade-book/grade-statistics.ts';
import { GradeStatisticsStore } from '../features/grade-book/grade-statistics-store.ts';
import { ClassGradesService } from '../features/grade-book/grades-service.ts';
import { ClassGradesStore } from '../features/grade-book/grades-store.ts';
import type { AccountParts } from './accounts.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Classes, their members and join codes. */
export function composeClasses(
  { config }: Surroundings,
  { db }: DatabaseParts,
  { users, userAdminStore, passwords, throttle, invitations }: AccountParts,
) {
  const classes = new ClassStore(db, config.catalogue);
  const joinCodes = new JoinCodeStore(db, config.classes.maxJoinCodes);
  const joins = new JoinService({ store: classes, codes: joinCodes, users, throttle });
  const memberImport = new MemberImport({
    store: new ClassImportStore(db),
    users: userAdminStore,
    ...{ passwords, invitations, maxLines: config.imports.maxLines },
  });
  const gradeBooks = new GradeBookStore(db, config.classes.maxGradeColumns);
  const classGrades = new ClassGradesService(new ClassGradesStore(db));
  const extensions = new ExtensionStore(db);
  const courseAccess = new CourseAccessStore(db);
  const statisticsStore = new GradeStatisticsStore(db);
  return {
    ...{ classes, joinCodes, joins, memberImport, courseAccess },
    classCopies: new ClassCopyStore(db, config.catalogue, config.schoolTimeZone ?? 'UTC'),
    deadlinesOfClasses: new DeadlineStore(db),
    extensions,
    openingsOfClasses: new ClassOpeningStore(db),
    extensionImport: new ExtensionImport(extensions, config.imports.maxLines),
    classMembers: new ClassMemberStore(db, invitations),
    gradeBooks,
    gradeImport: new GradeImport(gradeBooks, config.classes.maxGradeLines),
    classGrades,
    gradeStatistics: new GradeStatisticsService(classGrades, statisticsStore),
    gradeComparison: new GradeComparisonService(classGrades, statisticsStore),
    classProgress: new ClassProgressStore(db),
  };
}

export type ClassParts = ReturnType<typeof composeClasses>;
