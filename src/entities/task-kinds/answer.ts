import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../values/coded-problem.ts';
import { decimalOf, isWithin } from '../../values/decimal.ts';
import { expressionOf, isSameExpression } from '../../values/expression.ts';
import { answerVerdict } from '../../values/grading-remark.ts';
import type { TaskKind } from './kind.ts';

/** Characters of an accepted form. */
const maxForm = 1000;

const fields = {
  accepted: Type.Array(Type.String({ minLength: 1, maxLength: maxForm }), {
    maxItems: 50,
    description: 'The forms of the right answer of a task of the kind `answer`: one of them is enough. For staff only.',
  }),
  is_numeric: Type.Boolean({
    description:
      'True: the answer is a number, such as 12, -0.5, 0,5 or 1e3, and right within the `tolerance` of an accepted one. Default false: it is a text.',
  }),
  is_expression: Type.Boolean({
    description:
      'True: the answer is an expression such as 2^(32-n) - 2, and right if it has the same values as an accepted one for all positive values of its variables. It has numbers, variables, + - * / ^, brackets, sqrt, exp, abs, log (natural), log2 and log10; n(n+1) is a product. Default false. False where `is_numeric`.',
  }),
  tolerance: Type.Number({
    minimum: 0,
    maximum: 1e9,
    description:
      'How far a number may be from an accepted one, in the same unit, both ends included. Default 0. For staff only.',
  }),
  unit: Type.String({
    maxLength: 40,
    description: 'Shown after the input. An answer that is a number may repeat it. Default: none.',
  }),
  is_case_sensitive: Type.Boolean({
    description: 'False, the default: capital and small letters of a text, or of variables, are the same.',
  }),
  is_blank_sensitive: Type.Boolean({
    description:
      'False, the default: blanks at both ends of a text do not count, and several blanks or line breaks count as one. True: each counts.',
  }),
};
type Fields = Static<ReturnType<typeof Type.Object<typeof fields>>>;

/** No answer, so it is never right. */
const isBlank = (text: string): boolean => text.trim() === '';

const spacedOf = (text: string, { is_blank_sensitive }: Fields): string =>
  is_blank_sensitive ? text : text.trim().replace(/\s+/g, ' ');

/** A text as it is compared. A letter with its accent is the same in each way to write it. */
const formOf = (spaced: string, { is_case_sensitive }: Fields): string =>
  (is_case_sensitive ? spaced : spaced.toLowerCase()).normalize('NFC');

/** A letter is written with at most four characters. */
const maxLetter = 4;

function isText(text: string, fields: Fields): boolean {
  const [given, ...forms] = [text, ...fields.accepted].map((one) => spacedOf(one, fields));
  const longest = Math.max(...forms.map(({ length }) => length));
  // The time to bring accents into their order grows with the square of their number: 100,000 take seconds.
  if (given === undefined || given.length > maxLetter * longest) return false;
  const form = formOf(given, fields);
  return forms.some((one) => formOf(one, fields) === form);
}

/** A text without the unit that may follow it. */
function withoutUnit(text: string, unit: string): string {
  const written = text.trim();
  const isFollowed = unit.trim() !== '' && written.endsWith(unit.trim());
  return isFollowed ? written.slice(0, -unit.trim().length) : written;
}

const numberOf = (text: string, unit: string) => decimalOf(withoutUnit(text, unit));

function computed(text: string, { unit, is_case_sensitive }: Fields) {
  const written = withoutUnit(text, unit);
  return expressionOf(is_case_sensitive ? written : written.toLowerCase());
}

function isExpression(text: string, forms: readonly string[], fields: Fields): boolean {
  const given = computed(text, fields);
  if (given === undefined) return false;
  return forms.some((form) => {
    const right = computed(form, fields);
    return right !== undefined && isSameExpression(given, right);
  });
}

function isAccepted(fields: Fields, text: string): boolean {
  const { accepted, is_numeric, tolerance, unit } = fields;
  if (fields.is_expression) return isExpression(text, accepted, fields);
  if (!is_numeric) return isText(text, fields);
  const given = numberOf(text, unit);
  const allowed = decimalOf(String(tolerance));
  return accepted.some((form) => {
    const right = numberOf(form, unit);
    return given !== undefined && right !== undefined && allowed !== undefined && isWithin(given, right, allowed);
  });
}

/** A short text, a number or an expression. */
export const answer: TaskKind<Fields, typeof fields, typeof fields> = {
  fields,
  inputs: fields,
  defaults: {
    ...{ accepted: [], is_numeric: false, is_expression: false, tolerance: 0, unit: '' },
    ...{ is_case_sensitive: false, is_blank_sensitive: false },
  },
  staffFields: ['accepted', 'tolerance'],
  takes: 'text',
  isGradedByPeople: false,
  needsMachine: () => false,
  complete: (fields) => ({ ...fields, is_expression: fields.is_expression && !fields.is_numeric }),
  problems: (fields) => {
    const { accepted, is_numeric, unit } = fields;
    if (accepted.length === 0 || accepted.some(isBlank))
      return [{ field: 'accepted', problem: fieldProblem('accepted_missing') }];
    const unreadable = fields.is_expression ? accepted.find((form) => !isExpression(form, [form], fields)) : undefined;
    if (unreadable !== undefined)
      return [
        { field: 'accepted', problem: fieldProblem('accepted_not_expression', { text: unreadable.slice(0, 100) }) },
      ];
    const wrong = is_numeric ? accepted.find((form) => numberOf(form, unit) === undefined) : undefined;
    return wrong === undefined
      ? []
      : [{ field: 'accepted', problem: fieldProblem('accepted_not_number', { text: wrong.slice(0, 100) }) }];
  },
  filled: ({ accepted, unit, ...fields }, { exactly }) => ({
    ...fields,
    ...{ unit: exactly(unit), accepted: accepted.map(exactly) },
  }),
  shown: (fields) => fields,
  grade: (fields, { text }) => {
    const isAnswered = !isBlank(text ?? '');
    return answerVerdict(isAnswered && isAccepted(fields, text ?? ''), isAnswered);
  },
  right: ({ accepted, is_numeric, tolerance }) => ({ accepted, ...(is_numeric ? { tolerance } : {}) }),
  trialAnswers: ({ accepted }) => [
    ...accepted.map((text) => ({ answer: { text }, isRight: true })),
    { answer: { text: '' }, isRight: false },
    // Longer than every accepted form, and no number.
    { answer: { text: `${'x'.repeat(maxForm)}?` }, isRight: false },
  ],
};
