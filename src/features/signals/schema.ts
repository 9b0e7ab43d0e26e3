import { type Static, Type } from 'typebox';
import { Nullable } from '../../http/protocol/schemas.ts';

/** Characters in one piece from which input counts as pasted. People type one at a time, and a slow line bundles a few. */
export const pasteLength = 100;

const signals = {
  attempt_id: Type.Integer(),
  first_key_seconds: Nullable(
    Type.Number({
      description: 'From the start of the attempt to the first input of a terminal. Null: there was none.',
    }),
  ),
  pastes: Type.Integer({
    description: `Input that came in one piece of at least ${pasteLength} characters: mostly pasted, but also what was typed during a lost connection.`,
  }),
  longest_paste: Type.Integer({ description: 'The characters of the longest of them. 0: none.' }),
  networks: Type.Integer({
    description:
      'Networks from which terminals were opened, at most 10. Two: another device, a mobile network, or another person.',
  }),
  commands: Type.Integer({ description: 'Lines that were entered in terminals.' }),
};
const person = { user_id: Type.Integer(), username: Type.String(), full_name: Nullable(Type.String()) };

const own = {
  ...signals,
  has_signals: Type.Boolean({ description: 'False: its session has none, so nothing was counted.' }),
};
export const SignalsSchema = Type.Object(own, {
  title: 'AttemptSignals',
  description: 'Hints to look closer. They change no grade, and no input is kept.',
});
export const ComparedSignalsSchema = Type.Object(
  {
    ...signals,
    ...person,
    alike: Type.Array(
      Type.Object({
        attempt_id: Type.Integer(),
        ...person,
        percent: Type.Integer({
          description: 'How many pairs of commands that follow one another both have, of all that they have.',
        }),
      }),
      {
        description:
          'At most five attempts of others whose commands are alike by half or more; both have 20 commands or more. The same tasks lead to the same commands, so compare with the rest of the class.',
      },
    ),
  },
  { title: 'ComparedSignals' },
);
export type ComparedSignals = Static<typeof ComparedSignalsSchema>;
