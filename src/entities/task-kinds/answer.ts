import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../values/coded-problem.ts';
import { decimalOf, isWithin } from '../../values/decimal.ts';
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
    description: 'False, the default: capital and small letters of a text are the same.',
  }),
  is_blank_sensitive: Type.Boolean({
    description:
      'False, the default: blanks at both ends of a text do not count, and several blanks or line breaks count as one. True: each counts.',
  }),
};
type Fields = Static<ReturnType<typeof Type.Object<typeof fields>>>;

/** A text as it is compared. A letter with its accent is the same in each way to write it. */
function formOf(text: string, { is_case_sensitive, is_blank_sensitive }: Fields): string {
  const spaced = is_blank_sensitive ? text : text.trim().replace(/\s+/g, ' ');
  return (is_case_sensitive ? spaced : spaced.toLowerCase()).normalize('NFC');
}

/** The number that a text is, without the unit that may follow it. */
function numberOf(text: string, unit: string) {
  const written = text.trim();
  const isFollowed = unit.trim() !== '' && written.endsWith(unit.trim());
  return decimalOf(isFollowed ? written.slice(0, -unit.trim().length) : written);
}

function isAccepted(fields: Fields, text: string): boolean {
  const { accepted, is_numeric, tolerance, unit } = fields;
  if (!is_numeric) return accepted.some((form) => formOf(form, fields) === formOf(text, fields));
  const given = numberOf(text, unit);
  const allowed = decimalOf(String(tolerance));
  return accepted.some((form) => {
    const right = numberOf(form, unit);
    return given !== undefined && right !== undefined && allowed !== undefined && isWithin(given, right, allowed);
  });
}

/** A short text or a number. */
export const answer: TaskKind<Fields, typeof fields, typeof fields> = {
  fields,
  inputs: fields,
  defaults: {
    ...{ accepted: [], is_numeric: false, tolerance: 0, unit: '' },
    ...{ is_case_sensitive: false, is_blank_sensitive: false },
  },
  staffFields: ['accepted', 'tolerance'],
  takes: 'text',
  isGradedByPeople: false,
  needsMachine: () => false,
  complete: (fields) => fields,
  problems: ({ accepted, is_numeric, unit }) => {
    if (accepted.length === 0) return [{ field: 'accepted', problem: fieldProblem('accepted_missing') }];
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
  grade: (fields, { text }) => answerVerdict(isAccepted(fields, text ?? ''), (text ?? '').trim() !== ''),
  right: ({ accepted, is_numeric, tolerance }) => ({ accepted, ...(is_numeric ? { tolerance } : {}) }),
  trialAnswers: ({ accepted }) => [
    ...accepted.map((text) => ({ answer: { text }, isRight: true })),
    { answer: { text: '' }, isRight: false },
    // Longer than every accepted form, and no number.
    { answer: { text: `${'x'.repeat(maxForm)}?` }, isRight: false },
  ],
};
