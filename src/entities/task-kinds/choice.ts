import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../values/coded-problem.ts';
import { answerVerdict } from '../../values/grading-remark.ts';
import type { TaskKind } from './kind.ts';

const maxChoices = 50;
/** Below this number: an id that is derived from a text. */
const ids = 1_000_000;

const properties = {
  id: Type.Integer({ minimum: 1, maximum: ids, description: 'Its own within the task.' }),
  text: Type.String({ minLength: 1, maxLength: 2000, description: 'One line of Markdown.' }),
};
const isCorrect = Type.Boolean({ description: 'Whether it is right. For staff only.' });
const isMultiple = Type.Boolean({
  description: 'True: several choices can be chosen, and several can be right. Default false: exactly one is right.',
});

const fields = {
  choices: Type.Array(Type.Object({ ...properties, is_correct: Type.Optional(isCorrect) }, { title: 'Choice' }), {
    description: 'Of a task of the kind `choice`. Students get them in an order of their attempt.',
  }),
  is_multiple: isMultiple,
};
const inputs = {
  choices: Type.Array(
    Type.Object(
      {
        id: Type.Optional({
          ...properties.id,
          description: 'Keeps the choice the same when its text changes. Default: derived from the text.',
        }),
        text: properties.text,
        is_correct: Type.Optional({ ...isCorrect, description: 'Default false.' }),
      },
      { title: 'ChoiceFields' },
    ),
    { minItems: 2, maxItems: maxChoices, description: 'Of a task of the kind `choice`, which needs them.' },
  ),
  is_multiple: isMultiple,
};
type Fields = {
  choices: (Omit<Static<typeof fields.choices>[number], 'id'> & { id?: number })[];
  is_multiple: boolean;
};

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An id does not say where an author has put the choice: many put the right one first. */
function withIds(choices: Fields['choices']): Fields['choices'] {
  const taken = new Set<number>();
  return choices.map(({ id: given, text, is_correct = false }) => {
    let id = given ?? (hash(text).readUInt32BE() % ids) + 1;
    while (taken.has(id)) id = (id % ids) + 1;
    taken.add(id);
    return { id, text, is_correct };
  });
}

const rightIds = ({ choices }: Fields): number[] =>
  choices.flatMap(({ id = 0, is_correct }) => (is_correct ? [id] : []));

/** One or several of given choices. */
export const choice: TaskKind<Fields, typeof fields, typeof inputs> = {
  fields,
  inputs,
  defaults: { choices: [], is_multiple: false },
  staffFields: [],
  takes: 'choices',
  isGradedByPeople: false,
  needsMachine: () => false,
  complete: ({ choices, ...fields }) => ({ ...fields, choices: withIds(choices) }),
  problems: (fields) => {
    const right = rightIds(fields).length;
    if (fields.choices.length < 2) return [{ field: 'choices', problem: fieldProblem('choices_missing') }];
    const texts = new Set(fields.choices.map(({ text }) => text.trim()));
    if (texts.has('') || texts.size < fields.choices.length)
      return [{ field: 'choices', problem: fieldProblem('choices_alike') }];
    if (fields.is_multiple ? right > 0 : right === 1) return [];
    return [
      { field: 'choices', problem: fieldProblem(fields.is_multiple ? 'choices_none_right' : 'choices_one_right') },
    ];
  },
  filled: ({ choices, ...fields }, { markdown }) => ({
    ...fields,
    choices: choices.map((one) => ({ ...one, text: markdown(one.text) })),
  }),
  shown: ({ choices, ...fields }, seed) => ({
    ...fields,
    choices: choices
      .map(({ id, text }) => ({ key: hash(`${seed} ${id}`).toString('hex'), choice: { id, text } }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ choice }) => choice),
  }),
  /** All or nothing, or with partial credit (right chosen - wrong chosen) / right, not below 0. */
  grade: (fields, { choice_ids }, hasPartialCredit) => {
    const right = rightIds(fields);
    const chosen = [...new Set(choice_ids ?? [])].filter((id) => fields.choices.some((one) => one.id === id));
    const found = chosen.filter((id) => right.includes(id)).length;
    const earned = Math.max(0, 2 * found - chosen.length);
    const part = hasPartialCredit ? { part: { earned, of: right.length } } : {};
    return { ...answerVerdict(earned === right.length, chosen.length > 0), ...part };
  },
  right: (fields) => ({ choice_ids: rightIds(fields) }),
  trialAnswers: (fields) => [
    { answer: { choice_ids: rightIds(fields) }, isRight: true },
    { answer: { choice_ids: [] }, isRight: false },
    {
      answer: { choice_ids: fields.choices.flatMap(({ id = 0, is_correct }) => (is_correct ? [] : [id])) },
      isRight: false,
    },
  ],
};
