import { Type } from 'typebox';
import { Nullable } from '../../http/protocol/schemas.ts';
import { type RemarkCode, remarkTexts } from '../../values/grading-remark.ts';

/** What a result says beside the output of its check. */
export const RemarkProperties = {
  remark: Nullable(
    Type.String({
      description: 'What the output does not say: mostly why the result is FAIL. Null where there is nothing to add.',
    }),
  ),
  remark_codes: Nullable(
    Type.Array(
      Type.Object(
        {
          code: Type.Unsafe<RemarkCode>({ type: 'string', enum: Object.keys(remarkTexts) }),
          params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        },
        { title: 'Remark' },
      ),
      {
        description:
          'The sentences of the remark as stable codes with their values. Null for a remark of an older release as well.',
      },
    ),
  ),
};
