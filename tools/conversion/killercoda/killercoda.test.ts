import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import Docker from 'dockerode';
import { SshShell } from '../../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../../src/adapters/docker/docker-engine.ts';
import { loadConfig } from '../../../src/config.ts';
import { ShellPool } from '../../../src/features/capacity/shell-pool.ts';
import { readContent } from '../../../src/features/content/layout.ts';
import type { Content } from '../../../src/features/content/schema.ts';
import { Grader } from '../../../src/features/grading/grader.ts';
import { runTool } from '../../../test/run-command.ts';
import { checkTarget, convertKillercoda, writeContent } from './convert.ts';
import { readImages } from './images.ts';
import { type ConversionReport, reportText } from './report.ts';

const fixture = join(import.meta.dirname, 'fixtures/course');
const room = await mkdtemp(join(tmpdir(), 'killercoda-'));

/** A folder with these files. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(room, 'source-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const remarksOf = ({ scenarios }: ConversionReport) =>
  scenarios
    .flatMap(({ changed, lost }) => [...changed, ...lost])
    .map((remark) => ({
      ...remark,
      text: `${remark.kind} ${remark.file}:${remark.line}: ${remark.message}`,
    }));

const scenario = (details: object, others: object = {}): string =>
  JSON.stringify({ title: 'One', details, backend: { imageid: 'ubuntu' }, ...others }, undefined, '\t');

suite('converting scenarios of Killercoda', () => {
  after(() => rm(room, { recursive: true }));
  let content: Content;
  let report: ConversionReport;
  let remarks: string[];
  const target = join(room, 'out/content');
  before(async () => {
    const converted = await convertKillercoda(fixture, { points: 2 });
    report = converted.report;
    remarks = remarksOf(report).map(({ text }) => text);
    await writeContent(target, converted.files);
    content = await readContent(target);
  });

  test('a structure becomes a course, with a section for each scenario and a theme for each text', () => {
    const [course] = content.courses;
    assert.equal(content.courses.length, 1);
    assert.equal(course?.name, 'Files by hand');
    assert.equal(course?.description, 'Two scenarios and a cluster.');
    assert.deepEqual(
      course?.sections.map(({ slug, name, themes }) => [slug, name, themes.map((theme) => theme.title)]),
      [
        ['first-files', 'Your first files', ['Welcome', 'A note', 'A list of three', 'Read on', 'Conclusion']],
        ['cluster', 'A cluster', ['Look']],
      ],
    );
    assert.deepEqual(
      course?.sections[0]?.themes.map(({ duration_minutes }) => duration_minutes),
      [4, 4, 4, 4, 4],
    );
  });

  test('lessons and their pictures keep their paths, without marks', async () => {
    const intro = await readFile(join(target, 'lessons/course/first-files/intro.md'), 'utf8');
    assert.match(intro, /\(http:\/\/localhost:80\/start\)/);
    const step = await readFile(join(target, 'lessons/course/first-files/step1/text.md'), 'utf8');
    assert.match(step, /^Write `hello` into .* with `echo` for/);
    assert.doesNotMatch(step, /\{\{/);
    const picture = await readFile(join(target, 'lessons/course/pictures/plan.svg'));
    assert.deepEqual(picture, await readFile(join(fixture, 'pictures/plan.svg')));
  });

  test('a step with a check becomes a task, with its hint and with a solution that is clear', () => {
    const [laboratory] = content.laboratories;
    assert.equal(content.laboratories.length, 1);
    assert.equal(laboratory?.section, 'course/first-files');
    assert.deepEqual([laboratory?.container_image, laboratory?.user], ['platform-exam-linux-services', 'root']);
    assert.deepEqual([content.courses[0]?.is_active, laboratory?.is_active], [false, false], 'drafts');
    assert.equal(laboratory?.passing_score, 4);
    assert.equal(laboratory?.description, 'Make files and fill them.\n\nDifficulty: beginner');
    assert.match(laboratory?.introduction ?? '', /\(http:\/\/localhost:80\/start\)/);
    assert.notEqual(laboratory?.conclusion, '');
    assert.equal(laboratory?.is_sequential, true);
    const [note, list] = laboratory?.tasks ?? [];
    assert.equal(laboratory?.tasks.length, 2);
    assert.equal(note?.title, 'A note');
    assert.equal(note?.points, 2);
    assert.doesNotMatch(note?.description ?? '', /details|Solution/);
    assert.equal(note?.hint, '`>` sends what a command prints into a file.\n');
    assert.match(note?.solution_script ?? '', /^#!.*\ncd \|\| exit\necho hello > \/home\/student\/note\.txt\n$/);
    assert.match(
      laboratory?.setup_script ?? '',
      /^# first-files\/setup\.sh\n\(\n#!\/bin\/bash\ntouch \/opt\/ready\n\) &\nawait \$!\ntrue$/m,
    );
    assert.match(note?.setup_script ?? '', /test -e \/opt\/ready/);
    assert.equal(list?.setup_script, null);
    assert.equal(list?.slug, 'a-list-of-three');
    assert.equal(list?.hint, 'Count with `wc -l`.\n');
    assert.match(
      list?.solution_script ?? '',
      /# Proposed: .*\nexec .*\nprintf .*\nseq 3 > \/home\/student\/list\.txt\nexit 0\n$/,
    );
  });

  // Long: each form of a name, a target and a mode.
  test('assets become files with their targets and modes, also by patterns', async () => {
    const shown = async (laboratory: Content['laboratories'][number] | undefined) =>
      (laboratory?.files ?? []).map(({ path, owner, mode, bytes }) => `${path} ${owner} ${mode} ${bytes}`);
    const words = await readFile(join(fixture, 'first-files/words.txt'));
    assert.deepEqual(await shown(content.laboratories[0]), [`/opt/words.txt root 0755 ${words.length}`]);
    const asset = (file: string, target: string, more: object = {}) => ({ file, target, ...more });
    const details = {
      steps: [{ text: 'a.md', verify: 'v.sh' }],
      assets: {
        host01: [
          asset('conf.yaml', '~/', { chmod: '+w' }),
          asset('*', '/all', { chmod: '0600' }),
          asset('app/**/*.txt', '/srv/app/'),
          asset('app/deep', '/srv/folder'),
          asset('conf.yaml', '/proc/x'),
          asset('conf.yaml', '/root', { chmod: 'loose' }),
          asset('missing.txt', '/srv'),
          asset('*.none', '/srv'),
        ],
        host02: [asset('conf.yaml', '/srv')],
      },
    };
    const folder = await folderOf({
      ...{ 'index.json': scenario(details), 'a.md': '# A', 'v.sh': 'true' },
      ...{
        'assets/conf.yaml': 'a: 1',
        'assets/run.sh': 'true',
        'assets/app/x.txt': 'x',
        'assets/app/deep/y.txt': 'yy',
      },
    });
    const converted = await convertKillercoda(folder, { points: 1 });
    const out = join(folder, 'out/content');
    await writeContent(out, converted.files);
    assert.deepEqual(await shown((await readContent(out)).laboratories[0]), [
      '/all/conf.yaml root 0600 4',
      '/all/run.sh root 0600 4',
      '/root/conf.yaml root 0644 4',
      '/srv/app/deep/y.txt root 0644 2',
      '/srv/app/x.txt root 0644 1',
      '/srv/folder/deep/y.txt root 0644 2',
    ]);
    const said = remarksOf(converted.report)
      .filter(({ message }) => message.startsWith('details.assets'))
      .map(({ message }) => message.replace(/^details\.assets\.?/, ''));
    assert.deepEqual(said.sort(), [
      'host01[4]: /proc/x/conf.yaml is below /proc, where no file can be put: not converted',
      'host01[5]: /root/conf.yaml gets the mode 0644: loose is not known',
      'host01[6]: missing.txt does not exist: not converted',
      'host01[7]: *.none matches no file',
      'host02: a laboratory has one machine, host01: not converted',
    ]);
  });

  test('everything that is changed or lost is reported with its place', () => {
    const expected = [
      /^changed first-files\/index\.json:7: .*background: first-files\/setup\.sh runs as a set-up: before the student comes, and without/,
      /^changed first-files\/index\.json:9: .*foreground: first-files\/step1\/wait\.sh runs as a set-up/,
      /^changed first-files\/index\.json:10: .*the solution has 2 code blocks, which are proposed one after another/,
      /^changed first-files\/index\.json:16: backend\.imageid: ubuntu is replaced by platform-exam-linux-services/,
      /^lost first-files\/index\.json:17: interface: the layout of the page/,
      /^lost first-files\/intro\.md:3: first-files\/page\.html does not exist/,
      /^changed first-files\/intro\.md:5: \{\{TRAFFIC_HOST1_80\}\}/,
      /^changed first-files\/intro\.md:5: \{\{TRAFFIC_SELECTOR\}\}/,
      /^lost cluster\/index\.json:4: backend\.imageid: there is no image for kubernetes-kubeadm-2nodes/,
    ];
    for (const pattern of expected)
      assert.ok(
        remarks.some((text) => pattern.test(text)),
        `${pattern}\n${remarks.join('\n')}`,
      );
    assert.equal(remarks.length, expected.length, remarks.join('\n'));
    const text = reportText(report);
    assert.match(text, /^2 scenarios, 2 converted, 0 left out\./m);
    assert.match(
      text,
      /^## first-files\n\nCarried: 5 lessons, 1 picture, 2 tasks, 1 solution, 1 proposed solution, 2 set-ups, 1 file\. The image is/m,
    );
    assert.match(text, /^Lost:\n\n- `first-files\/index\.json:17`: interface/m);
  });

  test('images are those of a table, of which patterns follow names', async () => {
    const path = join(room, 'images.yaml');
    await writeFile(path, 'ubuntu: my-ubuntu:1\nkubernetes-*: my-cluster:1\n');
    const { files } = await convertKillercoda(fixture, { points: 1, images: await readImages(path) });
    assert.match(String(files.get('laboratories/cluster/laboratory.yaml')), /container_image: my-cluster:1/);
    assert.match(String(files.get('laboratories/first-files/laboratory.yaml')), /container_image: my-ubuntu:1/);
    await writeFile(path, 'ubuntu: null\n');
    const lessons = await convertKillercoda(fixture, { points: 1, images: await readImages(path), image: 'other' });
    assert.equal(lessons.files.has('laboratories/first-files/laboratory.yaml'), false);
    assert.match(String(lessons.files.get('laboratories/cluster/laboratory.yaml')), /container_image: other/);
    await writeFile(path, 'ubuntu: 5\n');
    await assert.rejects(readImages(`${path}.not`), { message: `${path}.not does not exist` });
    await assert.rejects(readImages(path), /ubuntu is neither the name of an image nor null/);
  });

  // Long: one source, for both accounts.
  test('solutions are the commands of the texts, and /root is that of the student where the image does not grant root', async () => {
    const source = await folderOf({
      'index.json': scenario({
        intro: { text: 'intro.md', background: 'setup.sh' },
        steps: [{ text: 'a.md' }, { text: 'b.md', verify: 'v.sh' }],
      }),
      'intro.md': '# Look\n```\nls /root\n```{{exec}}\n',
      'setup.sh': 'apt-get install -y nginx\nmkdir -p /root/app /rooted\n',
      'a.md': '# First\n```bash\ntouch /root/app/one\nvim x\n```\n',
      'b.md': '# Second\nRun `cd ~/app`{{execute}}.\n\n```\nnot this\n```\n\n```\ntouch two\n```{{exec}}\n',
      'v.sh': '[ -e /root/app/one ] && [ -e ~/app/two ]\n',
    });
    const { files, report: told } = await convertKillercoda(source, { points: 1 });
    await writeContent(join(room, 'root'), files);
    const [asRoot] = (await readContent(join(room, 'root'))).laboratories;
    assert.match(asRoot?.setup_script ?? '', /^mkdir -p \/root\/app \/rooted$/m);
    assert.match(asRoot?.tasks[0]?.solution_script ?? '', /\nls \/root\ntouch \/root\/app\/one\n/);
    assert.match(reportText(told), /The image is `platform-exam-linux-services`, and students work as `root`\./);
    const images = new Map([['ubuntu', 'registry.example.com/platform-exam-linux-basics:2']]);
    const without = await convertKillercoda(source, { points: 1, images });
    await writeContent(join(room, 'home'), without.files);
    const [laboratory] = (await readContent(join(room, 'home'))).laboratories;
    assert.equal(laboratory?.user, 'student');
    assert.match(laboratory?.setup_script ?? '', /^mkdir -p \/home\/student\/app \/rooted$/m);
    assert.ok(remarksOf(without.report).some(({ message }) => message.startsWith('/root became /home/student')));
    const [task] = laboratory?.tasks ?? [];
    assert.match(task?.verification_script ?? '', /^\[ -e \/home\/student\/app\/one \] && \[ -e ~\/app\/two \]$/m);
    assert.match(
      task?.solution_script ?? '',
      /\nls \/home\/student\ntouch \/home\/student\/app\/one\n# Left out, as it needs a person: vim x\ncd ~\/app\ntouch two\nexit 0\n$/,
    );
    const lost = remarksOf(told).filter(({ kind }) => kind === 'lost');
    assert.deepEqual(
      lost.map(({ message }) => message.replace(/\S+setup\.sh/, 'setup.sh')),
      [
        'details.intro.background: setup.sh runs `apt-get install`, which fails: laboratories have no internet. An image can have the packages',
      ],
    );
  });

  test('a script beside the check is the solution of a step that names none', async () => {
    const source = await folderOf({
      'index.json': scenario({
        steps: [
          { text: 'one/text.md', verify: 'one/verify.sh' },
          { text: 'two/text.md', verify: 'two/verify-two.sh', solution: 'touch named' },
          { text: 'three/text.md', verify: 'three/verify-three.sh' },
        ],
      }),
      ...{ 'one/text.md': '# One\n```\nls\n```{{exec}}\n', 'one/verify.sh': '[ -e one ]\n' },
      'one/solution.sh': 'touch one\nsocat -V\n',
      ...{ 'two/text.md': '# Two\n```\ntouch two\n```{{exec}}\n', 'two/verify-two.sh': '[ -e two ]\n' },
      ...{
        'three/text.md': '# Three\n',
        'three/verify-three.sh': '[ -e 3 ]\n',
        'three/solution-three.sh': 'touch 3\n',
      },
    });
    const { files, report: told } = await convertKillercoda(source, { points: 1 });
    await writeContent(join(room, 'beside'), files);
    const tasks = (await readContent(join(room, 'beside'))).laboratories[0]?.tasks ?? [];
    assert.match(tasks[0]?.solution_script ?? '', /\ntouch one\nsocat -V\n$/);
    assert.doesNotMatch(tasks[0]?.solution_script ?? '', /Proposed|^ls$/m);
    assert.match(tasks[2]?.solution_script ?? '', /\ntouch 3\n$/);
    assert.ok(
      remarksOf(told).some(({ message }) => message.includes('the solution calls `socat`, which the image lacks')),
      JSON.stringify(remarksOf(told)),
    );
  });

  test('a machine without checks becomes a laboratory without tasks', async () => {
    const source = await folderOf({
      'index.json': scenario({
        intro: { text: 'a.md', background: 'setup.sh' },
        assets: { host01: [{ file: 'c.txt' }] },
      }),
      'a.md': '# Look\n',
      'setup.sh': 'touch /x\n',
      'assets/c.txt': 'c',
    });
    const { files } = await convertKillercoda(source, { points: 1 });
    await writeContent(join(room, 'no-checks'), files);
    const [laboratory] = (await readContent(join(room, 'no-checks'))).laboratories;
    assert.deepEqual([laboratory?.tasks, laboratory?.is_active, laboratory?.files.length], [[], false, 1]);
    assert.match(laboratory?.setup_script ?? '', /touch \/x/);
  });

  test('a scenario with an error is left out, and one in the folder itself hides none', async () => {
    const step = { steps: [{ text: 'a.md', verify: 'v.sh' }] };
    const source = await folderOf({
      ...{ 'index.json': scenario(step), 'a.md': '# Top', 'v.sh': 'true' },
      ...{ 'good/index.json': scenario(step), 'good/a.md': '# Good', 'good/v.sh': 'true' },
      'bad/index.json': scenario(step),
      'worse/index.json': '{',
    });
    const place = join(room, 'with-errors');
    const { code, output } = await runTool('convert', 'killercoda', source, place);
    assert.equal(code, 3, output);
    assert.match(output, /^converted +the folder itself: 1 lesson, 1 task; /m);
    assert.match(output, /^converted +good: /m);
    assert.match(output, /^LEFT OUT +bad$/m);
    assert.match(output, /^error +bad\/index\.json:\d+: details\.steps\[0\]\.text: bad\/a\.md does not exist$/m);
    assert.match(output, /^error +worse\/index\.json:1: is not JSON/m);
    assert.match(output, /2 of 4 scenarios/);
    assert.match(
      output.trimEnd().split('\n').at(-1) ?? '',
      /^practice +2 of 4 scenarios have tasks: 2, of which 0 have a solution$/,
    );
    assert.equal((await readContent(place)).laboratories.length, 2);
    assert.match(await readFile(join(place, 'REPORT.md'), 'utf8'), /^## bad\n\nLeft out\.\n\nErrors:\n\n- `bad\//m);
  });

  const mistakes: [name: string, files: Record<string, string>, problems: RegExp[]][] = [
    ['no JSON', { 'index.json': '{\n "title": "One",\n "details": {,}\n}' }, [/^index\.json:3: is not JSON/]],
    ['JSON that is cut off', { 'index.json': '{\n "title": "One"\n' }, [/^index\.json:[23]: is not JSON/]],
    ['JSON that is not a scenario', { 'index.json': '{\n "title": 5 }' }, [/^index\.json:2: title: must be string/]],
    [
      'files that are not there',
      { 'index.json': scenario({ intro: { text: 'a.md' }, steps: [{ text: 'b.md', verify: 'c.sh' }] }) },
      [
        /^index\.json:5: .*a\.md does not exist/,
        /^index\.json:9: .*b\.md does not exist/,
        /^index\.json:10: .*c\.sh does not exist/,
      ],
    ],
    ['a way out', { 'index.json': scenario({ intro: { text: '../a.md' } }) }, [/\.\.\/a\.md holds `\.\.`/]],
    ['an absolute path', { 'index.json': scenario({ intro: { text: '/etc/passwd' } }) }, [/is an absolute path/]],
    [
      'a text that is too long',
      { 'index.json': scenario({ intro: { text: 'a.md' } }), 'a.md': 'a'.repeat(300_000) },
      [/a\.md is larger than 256 KiB/],
    ],
    [
      'an empty check',
      { 'index.json': scenario({ steps: [{ text: 'a.md', verify: 'v.sh' }] }), 'a.md': 'A', 'v.sh': '\n' },
      [/v\.sh is empty/],
    ],
    [
      'a structure that leads outside',
      { 'structure.json': '{"items":[{"path":"../b"}]}' },
      [/^structure\.json:1: .*is not a folder/],
    ],
    [
      'a structure that names what is absent',
      { 'structure.json': '{"items":[\n{"path":"b"}]}' },
      [/^structure\.json:2: .*b does not exist/],
    ],
    [
      'structures that name each other',
      { 'a/structure.json': '{"items":[{"path":"b"}]}', 'a/b/structure.json': '{"items":[{"path":"../../a"}]}' },
      [/^a:1: belongs to two courses, or to itself/],
    ],
    ['nothing at all', { 'README.md': 'Read me.' }, [/^index\.json:1: does not exist/]],
  ];
  for (const [name, files, problems] of mistakes) {
    test(`refused: ${name}`, async () => {
      const source = await folderOf(files);
      await assert.rejects(convertKillercoda(source, { points: 1 }), (error: Error) => {
        const lines = error.message
          .split('\n')
          .slice(1)
          .map((line) => line.trim());
        for (const problem of problems)
          assert.ok(
            lines.some((line) => problem.test(line)),
            `${problem}\n${error.message}`,
          );
        assert.ok(lines.length >= problems.length);
        return true;
      });
    });
  }

  test('nothing is read through a symbolic link', async () => {
    const source = await folderOf({ 'index.json': scenario({ intro: { text: 'a.md' } }) });
    await symlink('/etc/passwd', join(source, 'a.md'));
    await assert.rejects(convertKillercoda(source, { points: 1 }), /a\.md is a symbolic link/);
  });

  test('a single scenario becomes a course, and checks that need more are reported', async () => {
    const source = await folderOf({
      'index.json': scenario({ steps: [{ text: 'a.md', verify: 'v.sh' }] }, { time: '2h' }),
      'a.md': '# First\n![x](/x.png)\n',
      'v.sh': '#!/usr/bin/python3\nopen("/root/x")\n',
    });
    const { files, report: said } = await convertKillercoda(source, { points: 1 });
    await writeContent(join(room, 'single'), files);
    const { courses, laboratories } = await readContent(join(room, 'single'));
    assert.equal(courses[0]?.name, 'One');
    assert.equal(laboratories[0]?.tasks[0]?.title, 'First');
    const messages = remarksOf(said)
      .map(({ message }) => message)
      .join('\n');
    for (const part of ['2h is not a number', 'needs /usr/bin/python3', 'x.png is not a path']) {
      assert.ok(messages.includes(part), `${part}\n${messages}`);
    }
  });

  test('a failure leaves nothing, and a target that is not empty is refused', async () => {
    const place = join(room, 'failed');
    await mkdir(place);
    await assert.rejects(
      writeContent(join(place, 'content'), new Map([['courses/a.yaml', 'format: 1\n']])),
      /not usable/,
    );
    assert.deepEqual(await readdir(place), []);
    await checkTarget(place);
    await checkTarget(join(place, 'none'));
    await assert.rejects(checkTarget(target), /exists and is not an empty folder/);
  });

  test('the command converts into an empty folder only', async () => {
    const convert = (...args: string[]) => runTool('convert', 'killercoda', ...args);
    const copy = join(room, 'copy');
    await cp(fixture, copy, { recursive: true });
    const place = join(room, 'by-command');
    assert.equal((await convert(copy, place)).code, 0);
    assert.deepEqual(await readdir(place), ['REPORT.md', 'courses', 'laboratories', 'lessons']);
    const again = await convert(copy, place);
    assert.deepEqual([again.code, /not an empty folder/.test(again.output)], [1, true]);
  });

  test('in a real container checks fail at first, and pass after their step', {
    skip: process.env['TEST_WITHOUT_ENGINE'] ?? false,
    timeout: 600_000,
  }, async () => {
    const [laboratory] = content.laboratories;
    assert.ok(laboratory);
    await using cleanup = new AsyncDisposableStack();
    const installation = `test-${randomUUID()}`;
    const engine = cleanup.use(new DockerEngine({ docker: new Docker(), installation, callTimeout: 30_000 }));
    const { containers, grading } = loadConfig({});
    const { memoryMb, cpus, processes, diskMb } = containers;
    const limits = { memoryMb, cpus, processes, diskMb, hasInternet: false };
    const name = `${installation}-killercoda`;
    const ref = await engine.create({ name, uid: randomUUID(), image: laboratory.container_image, ...limits });
    cleanup.defer(() => engine.remove(ref));
    const shell = new SshShell({ engine });
    const shells = cleanup.use(new ShellPool(shell));
    const grader = new Grader({ shells, scriptSeconds: grading.scriptSeconds, outputBytes: grading.outputBytes });
    const grade = async (): Promise<boolean[]> => {
      const verdicts: boolean[] = [];
      const tasks = laboratory.tasks.map((task, id) => ({ ...task, id }));
      await grader.grade(ref, tasks, async (_task, { passed }) => void verdicts.push(passed));
      return verdicts;
    };
    assert.deepEqual(await grade(), [false, false]);
    await using connection = await shell.connect(ref, laboratory.user);
    const scriptLimits = { seconds: 30, outputBytes: 65_536 };
    const [note] = laboratory.tasks;
    const solution = `cat >/tmp/solution <<'END'\n${note?.solution_script}END\nbash /tmp/solution`;
    assert.equal((await connection.runScript(solution, scriptLimits)).ending, 'exit');
    assert.deepEqual(await grade(), [true, false]);
    assert.equal((await connection.runScript('seq 3 > /home/student/list.txt', scriptLimits)).ending, 'exit');
    assert.deepEqual(await grade(), [true, true]);
  });
});
