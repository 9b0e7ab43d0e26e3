import { basename, dirname, join } from 'node:path/posix';
import type { StudentAccount } from '../../../src/database/tables.ts';
import { homeOf, inHomeOf, userOf } from './images.ts';
import { firstHeading, hasPicture, type Read, takeDetails, withoutMarks } from './markdown.ts';
import { type MarkdownReader, UnreadableMarkdownError } from './markdown-reader.ts';
import { missingPowers, missingPrograms } from './needs.ts';
import type { JsonFile, ScenarioFile } from './scenario-file.ts';
import { checkScript, interpreterOf, type SetUp, setUpKeys } from './scripts.ts';
import { Solutions } from './solutions.ts';
import type { KillercodaSource, ScenarioEntry } from './source.ts';

const maxTextBytes = 256 * 1024;
const maxScriptBytes = 128 * 1024;

export type Lesson = { slug: string; title: string; path: string; markdown: string };
export type Task = {
  title: string;
  description: string;
  hint: string;
  verify: string;
  solution: string | undefined;
  /** Whether the solution is made of the commands of the text. */
  isProposed: boolean;
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
  readonly #image: string | undefined;
  readonly #user: StudentAccount;
  readonly #solutions: Solutions;

  /** @param image of its laboratory; undefined if it becomes lessons only */
  constructor(
    source: KillercodaSource,
    entry: ScenarioEntry,
    { markdown, image }: { markdown: Pick<MarkdownReader, 'read'>; image: string | undefined },
  ) {
    this.#source = source;
    this.#entry = entry;
    this.#structure = (text) => markdown.read(text);
    this.#image = image;
    // Lessons keep the paths of root.
    this.#user = image === undefined ? 'root' : userOf(image);
    this.#solutions = new Solutions(entry.file, this.#structure, this.#user);
  }

  async read(): Promise<Scenario> {
    const { file } = this.#entry;
    const details = file.value.details ?? {};
    loseScenarioKeys(file);
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
        if (!(error instanceof UnreadableMarkdownError)) throw error;
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
    losePartKeys(this.#entry.file, place, part);
    const setUps = await this.#setUps(place, part);
    const path = part['text'] ? this.#pathOf(part['text']) : undefined;
    const source = path ? await this.#read(path, [...place, 'text'], maxTextBytes) : '';
    const found = await withoutMarks(source ?? '', this.#structure);
    for (const remark of found.remarks) this.#source.remarks.push({ file: path ?? '', ...remark });
    const markdown = this.#inHome(found.text, path ?? '');
    const commands = found.commands.map((command) => inHomeOf(this.#user, command));
    const title = (part['title']?.trim() || firstHeading(await this.#structure(markdown)) || otherTitle).slice(0, 200);
    if (path) scenario.lessons.push({ slug, title, path, markdown });
    if (slug === 'intro') scenario.introduction = markdown;
    if (slug === 'finish') scenario.conclusion = markdown;
    const verifyPath = part['verify'] ? this.#pathOf(part['verify']) : undefined;
    const verify = verifyPath && (await this.#read(verifyPath, [...place, 'verify'], maxScriptBytes));
    const structure = await this.#structure(markdown);
    if (verifyPath === undefined || verify === undefined) {
      scenario.setUps.push(...setUps);
      if (path) this.#solutions.keep(commands, structure, path);
      return;
    }
    this.#checkVerify(verify, verifyPath, place);
    const solutions = takeDetails(markdown, structure, (summary) => /\b(solution|answer)\b/i.test(summary));
    const hints = takeDetails(solutions.text, await this.#structure(solutions.text), (summary) =>
      /\b(hint|tip)s?\b/i.test(summary),
    );
    const hint = await this.#textOrFile(part['hint'], [...place, 'hint']);
    if (path) this.#solutions.keep(commands, await this.#structure(hints.text), path);
    const given = part['solution']
      ? {
          text: (await this.#textOrFile(part['solution'], [...place, 'solution'])) ?? '',
          isScript: isFileName(part['solution']) && part['solution'].trim().endsWith('.sh'),
        }
      : await this.#besideCheck(verifyPath);
    const inText = solutions.details.map(({ body }) => body).join('\n');
    const solution =
      this.#image !== undefined ? await this.#solutions.take(place, { given, inText, verify }) : undefined;
    if (solution)
      this.#loseWhatFails(solution.script, [...place, solution.isProposed ? 'text' : 'verify'], 'the solution');
    scenario.tasks.push({
      title,
      description: hints.text,
      hint: [this.#inHome(hint ?? '', path ?? ''), ...hints.details.map(({ body }) => body)]
        .filter((text) => text?.trim())
        .join('\n\n'),
      verify: checkScript(this.#inHome(verify, verifyPath), this.#user),
      setUps,
      solution: solution?.script,
      isProposed: solution?.isProposed ?? false,
    });
    if (hasPicture(await this.#structure(hints.text)))
      this.#entry.file.change([...place, 'text'], 'a picture in a task is shown only in the lesson');
  }

  /** A step need not name the solution that authors keep beside its check: `solution.sh` beside `verify.sh`. */
  async #besideCheck(verifyPath: string): Promise<{ text: string; isScript: true } | undefined> {
    const [folder, name] = [dirname(verifyPath), basename(verifyPath)];
    const own = name.includes('verify') ? name.replace('verify', 'solution') : 'solution.sh';
    if (own === 'solution.sh' && folder === '.') return undefined;
    const text = await this.#source.text(`${folder}/${own}`, maxScriptBytes, () => {});
    return text?.trim() ? { text, isScript: true } : undefined;
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
      if (!isShell) {
        this.#entry.file.lose([...place, key], `${path} is not converted: it needs ${words[0]}, and a set-up is Bash`);
        continue;
      }
      found.push({ path, script: this.#inHome(script, path), place: [...place, key] });
      this.#loseWhatFails(script, [...place, key], path);
    }
    return found;
  }

  #checkVerify(script: string, path: string, place: Place): void {
    const { file } = this.#entry;
    if (script.trim() === '') file.report([...place, 'verify'], `${path} is empty, so it would always pass`);
    const { words, isShell } = interpreterOf(script);
    if (!isShell) file.change([...place, 'verify'], `${path} needs ${words[0]}, which the image must have`);
    this.#loseWhatFails(script, [...place, 'verify'], path);
  }

  #loseWhatFails(script: string, place: Place, name: string): void {
    if (this.#image === undefined) return;
    for (const message of [...missingPowers(script), ...missingPrograms(script, this.#image)])
      this.#entry.file.lose(place, `${name} ${message}`);
  }

  /** A text or script of a laboratory whose user is not root has other paths. */
  #inHome(text: string, file: string): string {
    const changed = inHomeOf(this.#user, text);
    if (changed !== text) {
      const line = text.split('\n').findIndex((each) => inHomeOf(this.#user, each) !== each) + 1;
      const message = `/root became ${homeOf(this.#user)}, the home folder of the student`;
      this.#source.remarks.push({ file, line, kind: 'changed', message });
    }
    return changed;
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
}

const isFileName = (value: string): boolean => /^\S+\.(md|txt|sh)$/.test(value.trim());

const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);

/** The second line has no meaning for students. */
const scenarioKeys = [
  ...['title', 'description', 'difficulty', 'time', 'backend'],
  ...['id', 'type', 'noindex', 'icon', 'private'],
];
const layoutKeys = ['environment', 'interface'];
const partKeys = ['title', 'text', 'verify', 'hint', 'solution'];

type File = JsonFile<typeof ScenarioFile>;

/** Records the keys of the intro, of a step or of the finish that are not converted. */
function losePartKeys(file: File, place: readonly (string | number)[], part: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(part)) {
    const isSetUp = setUpKeys.includes(key) && typeof value === 'string' && place.at(-1) !== 'finish';
    if (!partKeys.includes(key) && !isSetUp && value !== '') file.lose([...place, key], 'is not converted');
  }
}

/** Records the keys of a scenario that are not converted. */
function loseScenarioKeys(file: File): void {
  const { details = {}, ...rest } = file.value;
  for (const key of Object.keys(rest)) {
    if (layoutKeys.includes(key)) file.lose([key], 'the layout of the page is that of this platform');
    else if (!scenarioKeys.includes(key)) file.lose([key], 'is not converted');
  }
  for (const host of Object.keys(details.assets ?? {})) {
    if (host !== 'host01')
      file.lose(['details', 'assets', host], 'a laboratory has one machine, host01: not converted');
  }
  for (const key of Object.keys(details)) {
    if (!['intro', 'steps', 'finish', 'assets'].includes(key)) file.lose(['details', key], 'is not converted');
  }
}
