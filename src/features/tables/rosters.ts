import type { TableRow } from './table.ts';
import { plainName } from './table-columns.ts';

/** Why a line of a roster is no person. */
export const leftOutReasons = ['points', 'test_student', 'no_person'] as const;
export type LeftOut = {
  line: number;
  /** The text of the line's name column, shortened. */
  name: string;
  reason: (typeof leftOutReasons)[number];
};

/** Columns of rosters that say nothing about the account, in English, German and Russian. */
const ignored = new Set(
  [
    ...['id', 'user id', 'sis user id', 'integration id', 'root account', 'section', 'sections', 'id number', 'status', 'is active'],
    ...['group', 'groups', 'institution', 'department', 'roles', 'last access', 'last access to course', 'last access to site'],
    ...['city', 'country', 'phone', 'created at', 'last login at', 'joined at'],
    ...['gruppe', 'gruppen', 'abteilung', 'rollen', 'id nummer', 'letzter zugriff', 'letzter zugriff auf den kurs', 'ort', 'stadt', 'land'],
    ...['группа', 'группы', 'роли', 'учреждение', 'организация', 'учреждение (организация)', 'отдел', 'факультет/отделение'],
    ...['индивидуальный номер', 'идентификационный номер', 'последний доступ', 'последний доступ к курсу', 'город', 'страна', 'статус'],
  ].map(plainName),
); // biome-ignore format: one list for each language

const canvasLogins = new Set(['sis login id', 'sis anmelde id', 'sis logon id'].map(plainName));

/** A grade export of Canvas: the name, ids and the section of each student, then assignments, with a line of the points below the header. */
export function isCanvas(header: readonly string[]): boolean {
  const names = header.map(plainName);
  return (
    names.some((name) => canvasLogins.has(name)) || ['student', 'id', 'section'].every((name) => names.includes(name))
  );
}

const numbersOfMoodle = ['idnumber', 'idnummer', 'индивидуальныйномер', 'идентификационныйномер'];
const ownColumns = ['username', 'full_name', 'email'];

/** A grade export of Moodle or of the service: what is no field is a grade. */
function isGradeExport(header: readonly string[]): boolean {
  const names = header.map(plainName);
  const isOurs = ownColumns.every((name, index) => header[index]?.trim() === name);
  // That for Moodle ends with this column.
  const isOursForMoodle = names[0] === 'username' && header.at(-1)?.trim() === 'Total (%)';
  return isOurs || isOursForMoodle || numbersOfMoodle.some((name) => names.includes(name));
}

/** Whether a column without a field may be in a roster with this header. Those of a grade export are assignments and their sums. */
export function ignoredColumns(header: readonly string[]): (name: string) => boolean {
  const hasGrades = isCanvas(header) || isGradeExport(header);
  return (name) => hasGrades || ignored.has(plainName(name));
}

/** The login that Canvas gives the test student of a course, whose name is in the language of the course. */
const isLoginOfTest = (login: string): boolean => /^[0-9a-f]{40}$/i.test(login);

/** Why a line of a Canvas export is no student; undefined for one who is. @param header its names of columns */
export function reasonOf(header: readonly string[], { cells }: TableRow): LeftOut['reason'] | undefined {
  const names = header.map(plainName);
  const text = (isWanted: (name: string) => boolean): string => (cells[names.findIndex(isWanted)] ?? '').trim();
  // The first column has the name, or the last name where a course shows both.
  const [name, login] = [(cells[0] ?? '').trim(), text((one) => canvasLogins.has(one))];
  const [id, sisId] = [text((one) => one === 'id'), text((one) => one === 'sisuserid')];
  if (/^points possible$/i.test(name)) return 'points';
  if (sisId === '' && isLoginOfTest(login)) return 'test_student';
  if (/^(student, ?test|test student)$/i.test(name) && login === '') return 'test_student';
  return [login, id, sisId].every((one) => one === '') ? 'no_person' : undefined;
}

/** Whether all names are written `Last, First`. A single one with a comma may be a name as it is said. */
export const areTurned = (names: readonly string[]): boolean =>
  names.length > 1 && names.every((name) => /^[^,]+,[^,]+$/.test(name));

/** `Last, First` as it is said. */
export function turnedName(name: string): string {
  const [last = '', ...first] = name.split(',');
  return first.length === 0 ? name : `${first.join(',').trim()} ${last.trim()}`.trim();
}
