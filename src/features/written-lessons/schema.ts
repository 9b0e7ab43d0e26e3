import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, Timestamp } from '../../http/protocol/schemas.ts';

/** Bytes of a request with a text of the greatest length, as JSON. */
export const maxTextBody = 8 * 1024 * 1024;

const Path = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Relative to the root of the files; a text ends with `.md` or `.markdown`. No hidden steps, no `..`.',
});
const Text = Type.String({ maxLength: 1_000_000, description: 'In Markdown.' });
const Message = Type.String({ maxLength: 500, description: 'What the revision is about.' });

export const WrittenQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the path, or of the title of a lesson that has the file.',
    }),
  ),
  is_deleted: Type.Optional(Type.Boolean({ description: 'Deleted files instead of the others.' })),
});
export const NewWrittenFile = Type.Object(
  { path: Path, text: Text, message: Type.Optional(Message) },
  { title: 'WrittenLessonFields' },
);
export const WrittenFileChange = Type.Object(
  {
    path: Type.Optional(Path),
    text: Type.Optional(Text),
    message: Type.Optional(Message),
    revision: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The revision that the change is of.' }),
    ),
  },
  { title: 'WrittenLessonChange' },
);
export const RevisionParams = Type.Object({ id: Id, revision: Id });
export const PictureQuery = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Of the file. The path is derived from it.' }),
});
export const ContentQuery = Type.Object({ path: Type.String({ minLength: 1, maxLength: 1000 }) });

const LessonOfFile = Type.Object(
  { theme_id: Type.Integer(), title: Type.String(), course: Type.String() },
  { title: 'LessonOfFile' },
);

const fileFields = {
  id: Id,
  path: Type.String(),
  revision: Type.Integer({ description: 'The newest one. Revisions are counted from 1.' }),
  bytes: Type.Integer(),
  changed_at: Timestamp,
  is_deleted: Type.Boolean(),
  is_text: Type.Boolean({ description: 'Whether it is a Markdown file.' }),
  lessons: Type.Array(LessonOfFile, { description: 'The lessons that have it.' }),
};
export const WrittenFileSchema = Type.Object(fileFields, { title: 'WrittenLesson' });
export const WrittenTextSchema = Type.Object(
  { ...fileFields, text: Nullable(Type.String({ description: 'Null: it is no Markdown file, or it was deleted.' })) },
  { title: 'WrittenLessonText' },
);

const revisionFields = {
  revision: Type.Integer(),
  path: Type.String(),
  bytes: Type.Integer(),
  is_deleted: Type.Boolean({ description: 'The file was deleted with it.' }),
  message: Type.String(),
  author_id: Nullable(Type.Integer()),
  author: Nullable(Type.String({ description: 'Null: an import, or a user who was deleted.' })),
  created_at: Timestamp,
};
export const RevisionSchema = Type.Object(revisionFields, { title: 'WrittenRevision' });
export const RevisionTextSchema = Type.Object(
  { ...revisionFields, text: Nullable(Type.String()) },
  { title: 'WrittenRevisionText' },
);

export const FilesQuery = Type.Object({
  ...PageQuery.properties,
  course_id: Type.Optional(Id),
  section_id: Type.Optional(Id),
  is_written: Type.Optional(Type.Boolean()),
});
export const LessonFileSchema = Type.Object(
  { path: Type.String(), lessons: Type.Array(LessonOfFile) },
  { title: 'LessonFile' },
);
