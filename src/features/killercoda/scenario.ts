import { join } from 'node:path/posix';
import { checkScript, interpreterOf } from './check-script.ts';
import { codeBlocks, firstHeading, hasPicture, type Read, takeDetails, withoutMarks } from './markdown.ts';
import { type MarkdownReader, UnreadableMarkdown } from './markdown-reader.ts';
import type { SetUp } from './set-up-script.ts';
import type { KillercodaSource, ScenarioEntry } from './source.ts';

const maxTextBytes = 256 * 1024;
const maxScriptBytes = 128 * 1024;
const shellLanguages = ['', 'plain', 'text', 'bash', 'sh', 'shell', 'console'];
/** The scripts behind the first two of these names run before those behind the others. Katacoda's names are the second of each two. */
const setUpKeys = ['background', 'courseData', 'foreground', 'code'];
const knownKeys = ['title', 'text', 'verify', 'hint', 'solution'];

export type Lesson = { slug: string; title: string; path: string; markdown: string };
export type Task = {
  title: string;
  description: string;
  hint: string;
  verify: string;
  solution: string | undefined;
  setUps: SetUp[];
};
export type Scenario = {
  lessons: Lesson[];
  tasks: Task[];
  setUps: SetUp[];
  /** The texts of the intro and the finish. */
  introduction: string;
  conclusion: string;
};

type Place = readonly (string | number)[];

/** Converts a scenario's texts and scripts to lessons and tasks. */
export class ScenarioReader {
  readonly #source: KillercodaSource;
  readonly #entry: ScenarioEntry;
  readonly #structure: Read;

  constructor(source: KillercodaSource, entry: ScenarioEntry, markdown: Pick<MarkdownReader, 'read'>) {
    this.#source = source;
    this.#entry = entry;
    this.#structure = (text) => markdown.read(text);
  }

  async read(): Promise<Scenario> {
    const { file } = this.#entry;
    const details = file.value.details ?? {};
    this.#warnOfTheRest();
    const scenario: Scenario = { lessons: [], tasks: [], setUps: [], introduction: '', conclusion: '' };
    const parts: { place: Place; slug: string; title: string }[] = [
      { place: ['details', 'intro'], slug: 'intro', title: 'Introduction' },
      ...(details.steps ?? []).map((_step, index) => ({
        place: ['details', 'steps', index],
        slug: `step-${index + 1}`,
        title: `Step ${index + 1}`,
      })),
      { place: ['details', 'finish'], slug: 'finish', title: 'Conclusion' },
    ];
    for (const part of parts) {
      try {
        await this.#readPart(part, scenario);
      } catch (error) {
        if (!(error instanceof UnreadableMarkdown)) throw error;
        file.report([...part.place, 'text'], error.message);
      }
    }
    return scenario;
  }

  async #readPart(
    { place, slug, title: otherTitle }: { place: Place; slug: string; title: string },
    scenario: Scenario,
  ): Promise<void> {
    const part = valueAt(this.#entry.file.value, place) as Record<string, string | undefined> | undefined;
    if (!part) return;
    this.#warnOfKeys(place, part);
    const setUps = await this.#setUps(place, part);
    const path = part['text'] ? this.#pathOf(part['text']) : undefined;
    const source = path ? await this.#read(path, [...place, 'text'], maxTextBytes) : '';
    const { text: markdown, remarks } = await withoutMarks(source ?? '', this.#structure);
    for (const remark of remarks) this.#source.warnings.push({ file: path ?? '', ...remark });
    const title = (part['title']?.trim() || firstHeading(await this.#structure(markdown)) || otherTitle).slice(0, 200);
    if (path) scenario.lessons.push({ slug, title, path, markdown });
    if (slug === 'intro') scenario.introduction = markdown;
    if (slug === 'finish') scenario.conclusion = markdown;
    const verifyPath = part['verify'] ? this.#pathOf(part['verify']) : undefined;
    const verify = verifyPath && (await this.#read(verifyPath, [...place, 'verify'], maxScriptBytes));
    if (verifyPath === undefined || verify === undefined) {
      scenario.setUps.push(...setUps);
      return;
    }
    this.#checkVerify(verify, verifyPath, place);
    const structure = await this.#structure(markdown);
    const solutions = takeDetails(markdown, structure, (summary) => /\b(solution|answer)\b/i.test(summary));
    const hints = takeDetails(solutions.text, await this.#structure(solutions.text), (summary) =>
      /\b(hint|tip)s?\b/i.test(summary),
    );
    const given = await this.#textOrFile(part['hint'], [...place, 'hint']);
    scenario.tasks.push({
      title,
      description: hints.text,
      hint: [given, ...hints.details.map(({ body }) => body)].filter((text) => text?.trim()).join('\n\n'),
      verify: checkScript(verify),
      setUps,
      solution: await this.#solution(part['solution'], place, solutions.details.map(({ body }) => body).join('\n')),
    });
    if (hasPicture(await this.#structure(hints.text)))
      this.#entry.file.warn([...place, 'text'], 'a picture in a task is shown only in the lesson');
  }

  /** What prepares the machine for a part. There is nothing to prepare after the last step. */
  async #setUps(place: Place, part: Record<string, unknown>): Promise<SetUp[]> {
    if (place.at(-1) === 'finish') return [];
    const found: SetUp[] = [];
    for (const key of setUpKeys) {
      const name = part[key];
      if (typeof name !== 'string' || name.trim() === '') continue;
      const path = this.#pathOf(name);
      const script = await this.#read(path, [...place, key], maxScriptBytes);
      if (script === undefined || script.trim() === '') continue;
      const { words, isShell } = interpreterOf(script);
      if (isShell) found.push({ path, script, place: [...place, key] });
      else
        this.#entry.file.warn([...place, key], `${path} is not converted: it needs ${words[0]}, and a set-up is Bash`);
      this.#warnOfRootHome(script, path);
    }
    return found;
  }

  #checkVerify(script: string, path: string, place: Place): void {
    const { file } = this.#entry;
    if (script.trim() === '') file.report([...place, 'verify'], `${path} is empty, so it would always pass`);
    const { words, isShell } = interpreterOf(script);
    if (!isShell) file.warn([...place, 'verify'], `${path} needs ${words[0]}, which the image must have`);
    this.#warnOfRootHome(script, path);
  }

  #warnOfRootHome(script: string, path: string): void {
    const rootLine = script.split('\n').findIndex((line) => /(^|[\s"'=(])(\/root\b|~\/)/.test(line)) + 1;
    if (rootLine > 0) {
      const message = 'names the home directory of root, where students cannot write';
      this.#source.warnings.push({ file: path, line: rootLine, message });
    }
  }

  /** The solution's script, where it can be identified. */
  async #solution(given: string | undefined, place: Place, fromText: string): Promise<string | undefined> {
    const { file } = this.#entry;
    const text = given ? await this.#textOrFile(given, [...place, 'solution']) : fromText;
    if (!text?.trim()) return undefined;
    if (given && isFileName(given) && given.trim().endsWith('.sh')) return text;
    const blocks = codeBlocks(await this.#structure((await withoutMarks(text, this.#structure)).text));
    const [block] = blocks;
    if (blocks.length === 1 && block && block.code.trim() && shellLanguages.includes(block.language)) return block.code;
    const reason = blocks.length === 1 ? 'is not shell code' : `holds ${blocks.length} code blocks and not one`;
    const where = given ? '' : ' It stays in the lesson.';
    file.warn([...place, given ? 'solution' : 'text'], `the solution is not converted: it ${reason}.${where}`);
    return undefined;
  }

  /** A hint or solution may be inline, or the name of a file. */
  async #textOrFile(value: string | undefined, place: Place): Promise<string | undefined> {
    if (!value || !isFileName(value)) return value;
    return await this.#read(this.#pathOf(value.trim()), place, maxTextBytes);
  }

  #read(path: string, place: Place, maxBytes: number): Promise<string | undefined> {
    return this.#source.text(path, maxBytes, (message) => this.#entry.file.report(place, message));
  }

  /** Joined manually: a path that leads outside must be seen and refused, not normalized. */
  #pathOf(path: string): string {
    const below = path.trim().replace(/^(\.\/+)+/, '');
    return this.#entry.folder === '' || below.startsWith('/') ? below : `${join(this.#entry.folder)}/${below}`;
  }

  #warnOfKeys(place: Place, part: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(part)) {
      const isSetUp = setUpKeys.includes(key) && typeof value === 'string' && place.at(-1) !== 'finish';
      if (!knownKeys.includes(key) && !isSetUp && value !== '')
        this.#entry.file.warn([...place, key], 'is not converted');
    }
  }

  #warnOfTheRest(): void {
    const { file } = this.#entry;
    const { details = {}, ...rest } = file.value;
    for (const key of Object.keys(rest)) {
      if (!['title', 'description', 'difficulty', 'time', 'backend'].includes(key))
        file.warn([key], 'is not converted');
    }
    for (const host of Object.keys(details.assets ?? {})) {
      if (host !== 'host01')
        file.warn(['details', 'assets', host], 'a laboratory has one machine, host01: not converted');
    }
    for (const key of Object.keys(details)) {
      if (!['intro', 'steps', 'finish', 'assets'].includes(key)) file.warn(['details', key], 'is not converted');
    }
  }
}

const isFileName = (value: string): boolean => /^\S+\.(md|txt|sh)$/.test(value.trim());

const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
