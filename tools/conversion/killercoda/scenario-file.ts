import { type Static, Type } from 'typebox';
import type { Problem } from '../../../src/features/content/problems.ts';
import { YamlFile } from '../../../src/features/content/yaml-file.ts';

/** What differs from the scenario: in another form here, or without a counterpart. */
export type Remark = Problem & { kind: 'changed' | 'lost' };

const FilePath = Type.String({ maxLength: 1000 });
const Text = Type.String({ maxLength: 100_000 });
const Title = Type.String({ maxLength: 200 });

/** The intro, a step or the finish. */
const Part = Type.Object({
  title: Type.Optional(Title),
  text: Type.Optional(FilePath),
  verify: Type.Optional(FilePath),
  background: Type.Optional(FilePath),
  foreground: Type.Optional(FilePath),
  hint: Type.Optional(Text),
  solution: Type.Optional(Text),
});

const Asset = Type.Object({ file: FilePath, target: Type.Optional(FilePath), chmod: Type.Optional(Title) });

/** `index.json`, as https://killercoda.com/creators describes it. `hint`, `solution`, `difficulty` and `time` are common extensions. */
export const ScenarioFile = Type.Object({
  title: Type.String({ maxLength: 200, pattern: '\\S', description: 'a text that is not empty' }),
  description: Type.Optional(Text),
  difficulty: Type.Optional(Title),
  time: Type.Optional(Type.Union([Title, Type.Number()])),
  details: Type.Optional(
    Type.Object({
      intro: Type.Optional(Part),
      steps: Type.Optional(Type.Array(Part, { maxItems: 500 })),
      finish: Type.Optional(Part),
      assets: Type.Optional(Type.Record(Type.String(), Type.Array(Asset))),
    }),
  ),
  backend: Type.Optional(Type.Object({ imageid: Type.Optional(Title) })),
});

export type ScenarioFileContent = Static<typeof ScenarioFile>;

/** `structure.json`: the scenarios and folders of a course, in their order. */
export const StructureFile = Type.Object({
  title: Type.Optional(Title),
  description: Type.Optional(Text),
  items: Type.Array(Type.Object({ path: FilePath, title: Type.Optional(Title), description: Type.Optional(Text) }), {
    maxItems: 500,
  }),
});

/** A JSON file that maps every value to its line. */
export class JsonFile<Schema extends typeof ScenarioFile | typeof StructureFile> extends YamlFile<Schema> {
  readonly #located: YamlFile<ReturnType<typeof Type.Unknown>>;
  readonly #found: Problem[] = [];
  readonly #remarks: Remark[];

  private constructor(path: string, source: string, schema: Schema, problems: Problem[], remarks: Remark[]) {
    super(path, source, schema, problems);
    this.#located = new YamlFile(path, source, Type.Unknown(), this.#found);
    this.#remarks = remarks;
  }

  /** Undefined, with a problem reported, where the text is not JSON. */
  static parse<Schema extends typeof ScenarioFile | typeof StructureFile>(
    path: string,
    text: string,
    schema: Schema,
    { problems, remarks }: { problems: Problem[]; remarks: Remark[] },
  ): JsonFile<Schema> | undefined {
    try {
      JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push({ file: path, line: lineOf(error, text), message: `is not JSON: ${messageOf(error)}` });
      return undefined;
    }
    // JSON is YAML, except for tabs in the indentation, which have no meaning.
    const source = text.replace(/^[ \t]+/gm, (blanks) => ' '.repeat(blanks.length));
    return new JsonFile(path, source, schema, problems, remarks);
  }

  /** Records, with its line, a value that has no counterpart here. */
  lose(place: readonly (string | number)[], message: string): void {
    this.#remark('lost', place, message);
  }

  /** Records, with its line, a value that has another form here. */
  change(place: readonly (string | number)[], message: string): void {
    this.#remark('changed', place, message);
  }

  #remark(kind: Remark['kind'], place: readonly (string | number)[], message: string): void {
    this.#located.report(place, message);
    for (const problem of this.#found.splice(0)) this.#remarks.push({ ...problem, kind });
  }
}

const messageOf = ({ message }: SyntaxError): string => message.split(/, (?:\.\.\.)?"| in JSON at /)[0] ?? message;

/** The line of the parser's error. The parser gives no position where the text ends too early or is short. */
function lineOf({ message }: SyntaxError, text: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  if (/end of JSON/.test(message)) return text.trimEnd().split('\n').length;
  const [, token = '', cut, excerpt = ''] =
    /^Unexpected token '(.)', (\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  // For a long text the message contains the ten characters before the token.
  const offset = text.indexOf(excerpt) + (cut ? 10 : excerpt.indexOf(token));
  return text.slice(0, Math.max(offset, 0)).split('\n').length;
}
