import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { readContent } from '../../../src/features/content/layout.ts';
import { runTool } from '../../../test/run-command.ts';
import { type ConvertedFolder, convertFolder } from './convert-folder.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const room = await mkdtemp(join(tmpdir(), 'markdown-'));
after(() => rm(room, { recursive: true }));
const maxBytes = 1024 * 1024;

const newTarget = async (): Promise<string> => join(await mkdtemp(join(room, 'target-')), 'content');

/** A folder with these files. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = join(await mkdtemp(join(room, 'source-')), 'lessons');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const convert = async (folder: string, target: string) => await convertFolder(folder, target, { maxBytes });

/** Each section with the titles of its themes. */
const outline = ({ courses }: Pick<ConvertedFolder, 'courses'>) =>
  courses.flatMap(({ sections }) =>
    sections.map(({ name, themes }) => `${name}: ${themes.map(({ title }) => title).join(', ')}`),
  );
const said = (problems: ConvertedFolder['problems']) =>
  problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).sort();
const done = ({ changes, files }: ConvertedFolder) => [
  ...changes.map(({ action, name, fields }) => [action, name, ...fields].join(' ')),
  ...files.map(({ action, path }) => `${action} ${path}`),
];

test('translations are left out; orders and includes that are not read are named', async () => {
  const folder = await folderOf({
    'config.yaml': 'carpentry: swc\nepisodes:\n- two.md\n',
    'episodes/one.md': '# One\n\n--8<-- "shared.md"\n\n```\n{% include shown.html %}\n```\n',
    'episodes/one.de.md': '# Eins\n',
    'episodes/two.md': '# Two\n\n{% include note.html %}\n:::include file.md:::\n',
    'episodes/two_pt-BR.md': '# Dois\n',
    'episodes/only_de.md': '# Only in one language\n',
    'episodes/set_up.md': '# Set up\n',
    'episodes/set.md': '# Set\n',
    'episodes/de/one.md': '# Eins\n',
    'episodes/de/own.md': '# Eigenes\n',
    'episodes/.pages': 'nav:\n- two.md\n',
  });
  const converted = await convert(folder, await newTarget());
  const titles = converted.courses.flatMap(({ sections }) =>
    sections.flatMap(({ themes }) => themes.map(({ title }) => title)),
  );
  assert.deepEqual(titles.sort(), ['Eigenes', 'One', 'Only in one language', 'Set', 'Set up', 'Two']);
  assert.deepEqual(said(converted.warnings), [
    '.:1: 3 lessons are translations of others: they are left out',
    'config.yaml:1: has an order of lessons that is not read: it is that of the folders',
    'episodes/.pages:1: has an order of lessons that is not read: it is that of the folders',
    'episodes/one.md:3: --8<-- "shared.md" includes another file, which is not done: the text is missing',
    'episodes/two.md:3: {% include note.html %} includes another file, which is not done: the text is missing',
    'episodes/two.md:4: :::include file.md::: includes another file, which is not done: the text is missing',
  ]);
  assert.deepEqual(converted.problems, []);
});

test('the language of lessons with translations can be chosen', async () => {
  const folder = await folderOf({
    'one.md': '# One\n',
    'one.de.md': '# Eins\n',
    'one_pt-BR.md': '# Um\n',
    'two.md': '# Two\n',
    'three.en.md': '# Three\n',
    'three.de.md': '# Drei\n',
    'fr/four.md': '# Quatre\n',
    'de/four.md': '# Vier\n',
    'set_up.md': '# Set up\n',
  });
  const titles = async (language?: string) => {
    const { courses, warnings } = await convertFolder(folder, await newTarget(), { language, maxBytes });
    const themes = courses.flatMap(({ sections }) => sections.flatMap((section) => section.themes));
    return [themes.map(({ title }) => title).sort(), said(warnings)];
  };
  const counted = ['.:1: 3 lessons are translations of others: they are left out'];
  assert.deepEqual(await titles(), [['One', 'Quatre', 'Set up', 'Three', 'Two', 'Vier'], counted]);
  assert.deepEqual(await titles('de'), [['Drei', 'Eins', 'Set up', 'Two', 'Vier'], counted]);
  assert.deepEqual(await titles('pt-BR'), [['Quatre', 'Set up', 'Three', 'Two', 'Um', 'Vier'], counted]);

  const listed = await folderOf({
    'mkdocs.yml': 'nav: [{First: one.md}, {Second: two.md}]\n',
    'docs/one.md': '# One\n',
    'docs/one.de.md': '# Eins\n',
    'docs/two.md': '# Two\n',
  });
  const target = await newTarget();
  const { code, output } = await runTool('convert', 'markdown', listed, target, '--language', 'de');
  assert.equal(code, 0, output);
  const { courses } = await readContent(target);
  assert.deepEqual(
    courses[0]?.sections[0]?.themes.map(({ slug, title, file }) => [slug, title, file]),
    [
      ['one', 'Eins', 'lessons/docs/one.de.md'],
      ['two', 'Second', 'lessons/docs/two.md'],
    ],
  );
});

suite('a course from a table of contents', () => {
  test('mkdocs.yml: nav, with what could not be converted', async () => {
    const target = await newTarget();
    const converted = await convert(join(fixtures, 'mkdocs'), target);
    assert.equal(converted.format, 'mkdocs');
    assert.deepEqual(outline(converted), [
      'Welcome: Welcome',
      'The shell: Your first commands, Moving around',
      'The shell / Deeper: Links',
    ]);
    assert.deepEqual(said(converted.problems), [
      'mkdocs.yml:15: basics/nothing.md does not exist: it is left out',
      'mkdocs.yml:16: ../../etc/passwd.md leads out of the repository: it is left out',
      'mkdocs.yml:17: basics/notebook.ipynb is not Markdown: it is left out',
    ]);
    assert.deepEqual(said(converted.warnings), [
      'docs/basics/commands.md:7: docs/basics/gone.md is not in the repository',
      'mkdocs.yml:18: https://example.com/ is on another site: it is left out',
    ]);
    const { courses } = await readContent(target);
    assert.equal(courses[0]?.name, 'Linux for newcomers');
    assert.equal(courses[0]?.description, 'From the first command to the first script.');
    assert.deepEqual(courses[0]?.sections[1]?.themes[0], {
      slug: 'commands',
      title: 'Your first commands',
      file: 'mkdocs/docs/basics/commands.md',
      duration_minutes: 1,
    });
    const lesson = 'docs/basics/commands.md';
    const [copy, original] = [join(target, 'lessons/mkdocs', lesson), join(fixtures, 'mkdocs', lesson)];
    assert.deepEqual(await readFile(copy), await readFile(original), 'a lesson whose links work is unchanged');
    await readFile(join(target, 'lessons/mkdocs/docs/img/terminal.svg'));
  });

  test('SUMMARY.md of mdBook: parts, chapters below chapters, and links from the root of the site', async () => {
    const target = await newTarget();
    const converted = await convert(join(fixtures, 'mdbook'), target);
    assert.deepEqual(outline(converted), [
      'Preface: Preface',
      'Daily work: Editors, The vi editor, Macros',
      'Versions: Git, Thanks',
    ]);
    assert.equal(converted.courses[0]?.name, 'Tools of the trade');
    assert.deepEqual(converted.problems, []);
    assert.deepEqual(said(converted.warnings), ['src/SUMMARY.md:10: Not written yet has no text yet: it is left out']);
    const lesson = await readFile(join(target, 'lessons/mdbook/src/tools/macros.md'), 'utf8');
    assert.match(lesson, /\[the editor\]\(vi\.md\)/);
    assert.deepEqual(
      converted.courses[0]?.sections.map(({ slug }) => slug),
      ['preface', 'daily-work', 'versions'],
    );
  });

  test('SUMMARY.md of GitBook', async () => {
    const converted = await convert(join(fixtures, 'gitbook'), await newTarget());
    assert.deepEqual(outline(converted), ['Read me: Read me', 'The shell: Words, Expansion']);
    assert.deepEqual(converted.problems, []);
  });

  test('_toc.yml of Jupyter Book', async () => {
    const converted = await convert(join(fixtures, 'jupyter-book'), await newTarget());
    assert.equal(converted.format, 'jupyter-book');
    assert.equal(converted.courses[0]?.name, 'A book of files');
    assert.deepEqual(outline(converted), [
      'On intro: On intro',
      'Files: On files/names, Who owns what, On files/modes',
      'On end: On end',
    ]);
    assert.deepEqual(said(converted.problems), [
      '_toc.yml:11: files/plots is not Markdown: it is left out',
      '_toc.yml:12: a pattern (glob) is not converted: it is left out',
    ]);
  });

  test('sidebars.json of Docusaurus: a course for each sidebar', async () => {
    const converted = await convert(join(fixtures, 'sidebars'), await newTarget());
    assert.equal(converted.format, 'docusaurus');
    assert.deepEqual(
      converted.courses.map(({ name }) => name),
      ['Basics', 'More'],
    );
    assert.deepEqual(outline(converted), [
      'Welcome: Welcome',
      'Introduction: The start, Number two',
      'More: The start, Second',
    ]);
    assert.deepEqual(said(converted.problems), ['sidebars.json:8: an item of the type html is not converted']);
  });

  test('Docusaurus without a sidebar in JSON: positions and categories; programs are not executed', async () => {
    const target = await newTarget();
    const converted = await convert(join(fixtures, 'docusaurus'), target);
    assert.equal(converted.format, 'docusaurus');
    assert.deepEqual(outline(converted), ['Getting started: First: a title, Second', 'Network: Addresses']);
    assert.deepEqual(said(converted.problems), ['docs/02-network/page.mdx:1: is not Markdown: it is left out']);
    assert.equal(converted.warnings.length, 2, said(converted.warnings).join('\n'));
    const first = await readFile(join(target, 'lessons/docusaurus/docs/01-start/b.md'), 'utf8');
    assert.match(first, /\[the second\]\(a\.md\) and \[addresses\]\(\.\.\/02-network\/ip\.md\)/);
    const second = await readFile(join(target, 'lessons/docusaurus/docs/01-start/a.md'), 'utf8');
    assert.match(second, /!\[Plan\]\((\S+)\) !\[The same\]\(\1\)/);
    await readFile(join(target, 'lessons/docusaurus/static/img/plan.svg'));
  });

  test('folders: names in their natural order, the index first', async () => {
    const converted = await convert(join(fixtures, 'folders'), await newTarget());
    assert.equal(converted.format, 'folders');
    assert.equal(converted.courses[0]?.name, 'Everything by hand');
    assert.deepEqual(outline(converted), [
      'Everything by hand: Everything by hand',
      'Start here: Start here, Hello',
      'Pipes: First pipe, Second pipe',
      'Later: Later',
    ]);
    assert.deepEqual(converted.problems, []);
  });
});

suite('a second conversion', () => {
  const files = {
    'SUMMARY.md': '- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)\n',
    'one.md': '# One\n\n![Plan](plan.svg)\n',
    'two.md': '# Two\n',
    'three.md': '# Three\n',
    'plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };

  test('changes nothing where nothing has changed', async () => {
    const [folder, target] = [await folderOf(files), await newTarget()];
    const first = await convert(folder, target);
    assert.equal(first.files.length, 4);
    const before = await readdir(target, { recursive: true });
    const second = await convert(folder, target);
    assert.deepEqual(done(second), []);
    assert.deepEqual(await readdir(target, { recursive: true }), before);
  });

  // Long: the changes of the source and of the author meet in one course.
  test('follows the source, and keeps slugs and what the author has edited', async () => {
    const [folder, target] = [await folderOf(files), await newTarget()];
    await convert(folder, target);
    const file = join(target, 'courses/lessons.yaml');
    const edited = (await readFile(file, 'utf8'))
      .replace('title: Two', 'title: My own title')
      .replace('slug: lessons', 'slug: lessons\nicon: book')
      .replace('- slug: three', '- slug: third');
    await writeFile(file, edited);
    await writeFile(join(target, 'lessons/lessons/two.md'), '# Two, edited\n');

    await writeFile(
      join(folder, 'SUMMARY.md'),
      '- [Zero](zero.md)\n- [Three again](three.md)\n- [The second](two.md)\n',
    );
    await writeFile(join(folder, 'zero.md'), '# Zero\n');
    await writeFile(join(folder, 'two.md'), '# Two, changed\n');
    await writeFile(join(folder, 'three.md'), `# Three\n\n${'word '.repeat(1000)}\n`);
    const second = await convert(folder, target);
    assert.deepEqual(done(second), [
      'new lessons/lessons/zero',
      'changed lessons/lessons/third title duration_minutes',
      'kept lessons/lessons/two title',
      'gone lessons/lessons/one',
      'new lessons/lessons/zero.md',
      'changed lessons/lessons/three.md',
      'kept lessons/lessons/two.md',
      'gone lessons/lessons/one.md',
      'gone lessons/lessons/plan.svg',
    ]);
    const [course] = (await readContent(target)).courses;
    assert.equal(course?.icon, 'book');
    assert.deepEqual(
      course?.sections[0]?.themes.map(({ slug, title, duration_minutes }) => [slug, title, duration_minutes]),
      [
        ['zero', 'Zero', 1],
        ['third', 'Three again', 5],
        ['two', 'My own title', 1],
      ],
    );
    assert.equal(await readFile(join(target, 'lessons/lessons/two.md'), 'utf8'), '# Two, edited\n');
    assert.deepEqual(done(await convert(folder, target)), ['kept lessons/lessons/two title']);
  });

  test('moves lessons, also where the author has moved or removed some', async () => {
    const sections = (a: string[], b: string[]) =>
      `nav:\n  - A: [${a.map((name) => `${name}.md`).join(', ')}]\n  - B: [${b.map((name) => `${name}.md`).join(', ')}]\n`;
    const lessons = Object.fromEntries(['p', 'q', 'r', 's', 't'].map((name) => [`docs/${name}.md`, `# ${name}\n`]));
    const folder = await folderOf({ ...lessons, 'mkdocs.yml': sections(['p', 'q', 'r'], ['s', 't']) });
    const target = await newTarget();
    await convert(folder, target);
    const file = join(target, 'courses/lessons.yaml');
    const text = await readFile(file, 'utf8');
    const theme = (name: string) =>
      `      - slug: ${name}\n        title: ${name}\n        file: lessons/docs/${name}.md\n        duration_minutes: 1\n`;
    assert.ok(text.includes(theme('p')), text);
    await writeFile(
      file,
      text
        .replace(theme('t'), '')
        .replace(theme('p'), '')
        .replace(theme('s'), theme('s') + theme('p')),
    );
    await writeFile(join(folder, 'mkdocs.yml'), sections(['p', 'q'], ['s', 'r', 't']));
    const second = await convert(folder, target);
    assert.deepEqual(done(second).sort(), [
      'changed lessons/b/r section',
      'gone lessons/lessons/docs/t.md',
      'kept lessons/b/t removed',
    ]);
    assert.deepEqual(outline(second), ['A: q', 'B: s, p, r']);
  });

  test('leaves the courses of other repositories alone, also those with the same name', async () => {
    const target = await newTarget();
    const [one, other] = [await folderOf({ 'index.md': '# Same\n' }), await folderOf({ 'index.md': '# Same\n' })];
    await convertFolder(one, target, { name: 'one', maxBytes });
    const before = await readFile(join(target, 'courses/same.yaml'), 'utf8');
    await convertFolder(other, target, { name: 'other', maxBytes });
    assert.equal(await readFile(join(target, 'courses/same.yaml'), 'utf8'), before);
    const again = await convertFolder(other, target, { name: 'other', maxBytes });
    assert.deepEqual(done(again), []);
    const { courses } = await readContent(target);
    assert.deepEqual(
      courses.map(({ slug, sections }) => [slug, sections[0]?.themes[0]?.file]),
      [
        ['same-2', 'other/index.md'],
        ['same', 'one/index.md'],
      ],
    );
  });
});

suite('what a repository must not do', () => {
  test('links, paths out of the folder, files that are too large or no text are refused, and the rest is converted', async () => {
    const folder = await folderOf({
      'mkdocs.yml':
        'docs_dir: .\nnav: [a.md, link.md, /etc/x.md, large.md, binary.md, "linked/x.md", &x b.md, *x, {y: {z: 1}}]\n',
      'a.md': '# A\n\n![secret](secret.png) ![up](../../../../../../etc/passwd.png)\n',
      'b.md': '# B\n',
      'large.md': 'x'.repeat(2000),
    });
    await writeFile(join(folder, 'binary.md'), Buffer.from([0xff, 0xfe, 0x80]));
    await symlink('/etc/hostname', join(folder, 'link.md'));
    await symlink('/etc/hostname', join(folder, 'secret.png'));
    await symlink('/etc', join(folder, 'linked'));
    const target = await newTarget();
    const converted = await convertFolder(folder, target, { maxBytes: 1000 });
    assert.deepEqual(outline(converted), ['Lessons: A, B']);
    assert.deepEqual(said(converted.problems).length, 10, said(converted.problems).join('\n'));
    assert.deepEqual(await readdir(join(target, 'lessons/lessons')), ['a.md', 'b.md']);
  });

  test('texts that are expensive to parse are converted', async () => {
    const size = 500_000;
    const texts = [
      ' '.repeat(size),
      '['.repeat(size),
      '>'.repeat(size),
      `# a${' \t'.repeat(size)}#x`,
      '- '.repeat(size),
    ];
    const files = Object.fromEntries(texts.map((text, index) => [`${index}.md`, `${text}x\n`]));
    const groups = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}- group\n`).join('');
    const converted = await convertFolder(
      await folderOf({
        ...files,
        'SUMMARY.md': `${texts.join('\n')}\n- [a](0.md)\n${groups}${' '.repeat(1000)}- [b](1.md)\n`,
      }),
      await newTarget(),
      { maxBytes: 20 * size },
    );
    assert.deepEqual(
      converted.courses[0]?.sections.map(({ themes }) => themes.length),
      [1, 1],
    );
  });

  test('nested values, broken files and titles without text end in a list, not in a failure', async () => {
    const deep = await folderOf({
      'mkdocs.yml': `nav: ${'['.repeat(20_000)}`,
      'docs/a.md': `# \u0000\u0007${'long '.repeat(100)}\n`,
    });
    const converted = await convert(deep, await newTarget());
    assert.equal(converted.format, 'folders');
    assert.equal(converted.problems.length, 1);
    const title = converted.courses[0]?.sections[0]?.themes[0]?.title ?? '';
    assert.ok(title.length <= 200 && title.startsWith('long long'), title);
    const empty = await convert(await folderOf({ 'notes.txt': 'x' }), await newTarget());
    assert.deepEqual([empty.courses, said(empty.problems)], [[], ['.:1: has no lessons in Markdown']]);
  });
});

test('the command lists what it has done, and its status reports problems', async () => {
  const folder = join(room, 'copy');
  await cp(join(fixtures, 'mkdocs'), folder, { recursive: true });
  const target = await newTarget();
  const first = await runTool('convert', 'markdown', folder, target);
  assert.equal(first.code, 3);
  assert.match(first.output, /^problem {2}mkdocs\.yml:15: basics\/nothing\.md does not exist: it is left out$/m);
  assert.match(first.output, /: from mkdocs: 1 courses, 3 sections, 4 themes, 4 minutes; 3 problems, 2 warnings$/m);
  const lines = (await readFile(join(folder, 'mkdocs.yml'), 'utf8')).split('\n').slice(0, 14);
  await writeFile(join(folder, 'mkdocs.yml'), lines.join('\n'));
  const second = await runTool('convert', 'markdown', folder, target);
  assert.deepEqual([second.code, second.output.match(/^(new|changed|gone) .*$/gm)], [0, null]);
});
