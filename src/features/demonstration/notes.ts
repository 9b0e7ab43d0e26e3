import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note, Reading, Theme } from './plan-store.ts';
import type { Random } from './random.ts';

const texts = [
  'Ask about this in class',
  'Important for the exam',
  'Try it again at home',
  'The part that I always forget',
  'Compare with the manual page',
  // A bookmark.
  '',
];

/** A note at the first paragraph of some lessons that were read. @param folder of the lessons' texts */
export async function notesOf(random: Random, readings: readonly Reading[], folder: string): Promise<Note[]> {
  const paragraphs = new Map<Theme, string | undefined>();
  const notes: Note[] = [];
  for (const { student, theme, at } of readings) {
    if (!random.chance(0.12)) continue;
    const text = random.pick(texts);
    if (!paragraphs.has(theme)) paragraphs.set(theme, await firstParagraph(join(folder, theme.markdown_file_path)));
    const excerpt = paragraphs.get(theme);
    if (excerpt !== undefined) notes.push({ student, theme, excerpt, text, at });
  }
  return notes;
}

/** As the pages read it: without marks. Undefined where the text is not there, as in a repository of lessons. */
async function firstParagraph(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const found = text?.split(/\n{2,}/).find((block) => /^[^\s#>`|<-]/.test(block));
  return found?.replaceAll(/[*`]/g, '').replaceAll(/\s+/g, ' ').trim().slice(0, 200) || undefined;
}
