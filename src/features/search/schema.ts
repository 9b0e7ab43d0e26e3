import { type Static, Type } from 'typebox';
import { Id, Nullable, OneOf } from '../../http/protocol/schemas.ts';

export const searchKinds = ['lesson', 'laboratory', 'exam', 'note', 'user', 'attempt'] as const;
export type SearchKind = (typeof searchKinds)[number];

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Words, `"a phrase"`, or alternatives with `or`. Texts with exactly this text, such as `grep -r`, come first, then those with all words, ' +
      'then those with some. Words of a question (`how do I`) are optional beside others. The last word may be incomplete, unless a space ' +
      'follows it; beside other words it then needs three letters.',
  }),
});

export const SearchResult = Type.Object(
  {
    kind: OneOf(...searchKinds),
    id: Id,
    title: Type.String(),
    where: Type.Array(Type.String(), {
      description: 'The names around it, such as a course and its section, the outermost first.',
    }),
    excerpt: Type.Array(Type.Object({ text: Type.String(), is_match: Type.Boolean() }), {
      description: 'A part of the text, as plain text in pieces; empty without a text.',
    }),
    theme_id: Nullable(Type.Integer({ description: 'The lesson of a note, where the caller sees it.' })),
    heading: Type.String({ description: 'The id of the heading above a note, or empty.' }),
  },
  { title: 'SearchResult' },
);

export type SearchResult = Static<typeof SearchResult>;
export const SearchResults = Type.Object({ results: Type.Array(SearchResult) }, { title: 'SearchResults' });
