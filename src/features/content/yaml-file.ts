import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { Problem } from './problems.ts';

export type Place = readonly (string | number)[];
/** A text of the file and its position. */
export type Found = { place: Place; text: string };

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true });

/** A YAML file that maps every value to its line. Problems are added to `problems`. */
export class YamlFile<Schema extends TSchema> {
  readonly path: string;
  /** Has the schema's type and defaults only where `isValid`. */
  readonly value: Static<Schema>;
  readonly isValid: boolean;
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #problems: Problem[];

  constructor(path: string, source: string, schema: Schema, problems: Problem[]) {
    this.path = path;
    this.#problems = problems;
    const before = problems.length;
    this.#document = parseDocument(source, { lineCounter: this.#lines, prettyErrors: false });
    for (const { message, pos } of [...this.#document.errors, ...this.#document.warnings]) this.#add(pos[0], message);
    visit(this.#document, {
      Scalar: (_key, { value, range }) => {
        if (typeof value === 'string' && value.includes('\0')) this.#add(range?.[0], 'a NUL character is not allowed');
      },
    });
    // After a syntax error, the parser's partial result would only produce further errors.
    const isParsed = this.#document.errors.length === 0;
    this.value = (isParsed ? this.#read() : undefined) as Static<Schema>;
    if (isParsed) this.#validate(schema);
    this.isValid = problems.length === before;
  }

  /** Adds a problem at the line of the value at `place`, or of its nearest existing parent. */
  report(place: Place, message: string): void {
    const name = nameOf(place);
    this.#add(this.#offsetOf(place), name === '' ? message : `${name}: ${message}`);
  }

  /** All texts at places such as `tasks`, `*`, `verify`, where `*` is each item of a list. Works for invalid files. */
  texts(pattern: Place): Found[] {
    let level: { place: Place; value: unknown }[] = [{ place: [], value: this.value }];
    for (const step of pattern) {
      level = level.flatMap(({ place, value }) => {
        if (step === '*') {
          return Array.isArray(value) ? value.map((item, index) => ({ place: [...place, index], value: item })) : [];
        }
        const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
        return isObject ? [{ place: [...place, step], value: (value as Record<string, unknown>)[step] }] : [];
      });
    }
    return level.flatMap(({ place, value }) => (typeof value === 'string' ? [{ place, text: value }] : []));
  }

  #read(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      this.#add(0, error.message);
      return undefined;
    }
  }

  #validate(schema: Schema): void {
    const validate = ajv.compile(schema);
    if (validate(this.value)) return;
    for (const error of validate.errors ?? []) {
      const place = error.instancePath.split('/').slice(1).map(unescapeStep);
      if (error.keyword === 'additionalProperties') {
        this.report([...place, error.params['additionalProperty']], 'is not a key that is known here');
      } else {
        this.report(place, messageOf(error));
      }
    }
  }

  #add(offset: number | undefined, message: string): void {
    const { line } = this.#lines.linePos(offset ?? 0);
    this.#problems.push({ file: this.path, line: Math.max(line, 1), message });
  }

  #offsetOf(place: Place): number | undefined {
    let node: unknown = this.#document.contents;
    let offset: number | undefined;
    for (const step of place) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
        if (!pair) break;
        offset = (pair.key as Node).range?.[0] ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)];
        offset = (node as Node | undefined)?.range?.[0] ?? offset;
      } else break;
    }
    return offset;
  }
}

function messageOf({ keyword, params, parentSchema, message = 'is not right' }: ErrorObject): string {
  if (keyword === 'required') return `${params['missingProperty']} is missing`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'pattern') return `must be ${parentSchema?.['description']}`;
  return message.replace('NOT', 'not');
}

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** `tasks[2].points` */
const nameOf = (place: Place): string =>
  place
    .map((step) => (/^\d+$/.test(String(step)) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

/** Reports duplicates of a text at `pattern`: within a list of one file, or across files where there is no list. */
export function reportRepeats<Schema extends TSchema>(files: readonly YamlFile<Schema>[], pattern: Place): void {
  const seen = new Set<string>();
  for (const file of files) {
    for (const { place, text } of file.texts(pattern)) {
      const key = [...place.slice(0, -2), text].join(' ');
      if (seen.has(key)) file.report(place, `${text} is used already`);
      seen.add(key);
    }
  }
}
