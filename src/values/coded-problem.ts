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
  accepted_missing: 'an answer needs a form that is accepted',
  accepted_not_expression: '{text} is not an expression with a value, such as 2^(32-n) - 2',
  accepted_not_number: '{text} is not a number such as 12, -0.5 or 1e3',
  announcement_times: 'the announcement must end after it begins',
  answer_not_taken: 'a task of the kind {kind} takes another answer',
  choices_alike: 'each choice needs a text of its own',
  choices_missing: 'a choice needs at least two choices',
  choices_none_right: 'at least one choice must be right',
  choices_not_possible: 'these are not choices of the task, or more than it allows',
  choices_one_right: 'exactly one choice must be right, unless is_multiple is true',
  token_end: 'a token ends in the future, within a year',
  certificate_name: 'a certificate shows Latin, Cyrillic and Greek letters',
  class_not_own: 'only instructors of the class {class} and administrators may change it',
  class_unknown: 'there is no class {class}',
  comment_place:
    'a comment is about a task of the attempt, a line of its output, or a moment of a recording of the attempt',
  domain_invalid: 'the domain is not one such as school.example.com',
  name_reserved: 'this name is reserved for the import of values',
  network_invalid: 'a network is an address with the length of its prefix, such as 192.0.2.0/24 or 2001:db8::/32',
  opens_after_circle: 'the parts of the course would wait for each other in a circle, so they would never open',
  opens_after_unknown: 'it can wait for sections, lessons and laboratories of its own course only',
  parameter_form:
    'the parameter {name} needs either int, two numbers in their order, or choice, different texts without backticks',
  parameter_name: 'the name of a parameter has small letters, digits and _, and begins with a letter: {name}',
  parameter_unknown: 'there is no parameter {name}; two braces that stand for themselves are written as \\{{',
  pool_points: 'the tasks of a pool have the same points, so that every attempt has the same maximum',
  read_only: 'the field can be read here, and not changed',
  root_not_granted: 'students cannot be root in {image}: it has no label platform.privileges=sudo',
  rubric_item_unknown: 'the rubric of the task has no item {item}',
  session_times: 'the session must close after it opens',
  webhook_url: 'a webhook has an https address in the internet, without a user, a password or a fragment',
  student_not_choosable: 'there is no student with this id whom you can choose',
} as const;

export const fieldProblem = problemsOf(fieldProblems);

/** The item of a 422 for a field with such a rule. */
export const refusedField = (
  loc: ValidationItem['loc'],
  code: keyof typeof fieldProblems,
  params?: ProblemParams,
): ValidationItem => codedItem(loc, fieldProblem(code, params));
