import type { ValidationItem } from '../errors.ts';

/** The values in the text of a problem. */
export type ProblemParams = Readonly<Record<string, string | number>>;

/** What is wrong, as a stable code with its values for programs, and as a text in English. */
export type CodedProblem<Code extends string = string> = { code: Code; params: ProblemParams; text: string };

/** A text with its values. */
export const filled = (text: string, params: ProblemParams): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));

/**
 * Problems with these texts. Clients show their own texts by the codes, so a released one is never renamed. /api/docs/errors lists all tables,
 * and each code has a text in `problems.ts` of each language in `web/src/strings/`. A code is in one table only.
 */
export const problemsOf =
  <Texts extends Readonly<Record<string, string>>>(texts: Texts) =>
  <Code extends keyof Texts & string>(code: Code, params: ProblemParams = {}): CodedProblem<Code> => ({
    ...{ code, params },
    text: filled(texts[code] ?? '', params),
  });

/** The item of a 422 for such a problem. @param text precedes its own text */
export const codedItem = (loc: ValidationItem['loc'], problem: CodedProblem, text = ''): ValidationItem => ({
  ...{ loc, msg: `Value error, ${text}${problem.text}`, type: 'value_error', code: problem.code },
  ...(Object.keys(problem.params).length > 0 && { params: problem.params }),
});

/** Rules of fields that no schema can express. */
export const fieldProblems = {
  announcement_times: 'the announcement must end after it begins',
  class_not_own: 'only instructors of the class {class} and administrators may change it',
  class_unknown: 'there is no class {class}',
  domain_invalid: 'the domain is not one such as school.example.com',
  name_reserved: 'this name is reserved for the import of values',
  network_invalid: 'a network is an address with the length of its prefix, such as 192.0.2.0/24 or 2001:db8::/32',
  opens_after_circle: 'the parts of the course would wait for each other in a circle, so they would never open',
  opens_after_unknown: 'it can wait for sections, lessons and laboratories of its own course only',
  read_only: 'the field can be read here, and not changed',
  root_not_granted: 'students cannot be root in {image}: it has no label platform.privileges=sudo',
  session_times: 'the session must close after it opens',
  student_not_choosable: 'there is no student with this id whom you can choose',
} as const;

const fieldProblem = problemsOf(fieldProblems);

/** The item of a 422 for a field with such a rule. */
export const refusedField = (
  loc: ValidationItem['loc'],
  code: keyof typeof fieldProblems,
  params?: ProblemParams,
): ValidationItem => codedItem(loc, fieldProblem(code, params));
