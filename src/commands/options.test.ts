import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itLong } from '../../test/rounds.ts';
import { runCommand, runTool } from '../../test/run-command.ts';

describe('the command line', () => {
  it('lists every command with its summary', async () => {
    const { code, output } = await runCommand('--help');
    assert.equal(code, 0);
    for (const name of ['start', 'migrate', 'create-admin', 'doctor', 'import', 'export', 'backup'])
      assert.match(output, new RegExp(`^  ${name} .*  \\S`, 'm'));
    const tools = await runTool();
    assert.equal(tools.code, 0);
    for (const name of ['convert', 'demo', 'try']) assert.match(tools.output, new RegExp(`^  ${name} .*  \\S`, 'm'));
  });

  it('shows the options of one command as they are typed with npm', async () => {
    const { code, output } = await runCommand('import', '--help');
    assert.equal(code, 0);
    assert.match(output, /^Usage: npm run import -- \[options\] <directory>$/m);
    assert.match(output, /--dry-run/);
    assert.doesNotMatch(output, /--force/);
  });

  it('shows the full path of a nested command', async () => {
    const { output } = await runTool('convert', 'killercoda', '--help');
    assert.match(output, /^Usage: npm run convert -- killercoda \[options\] <source> <target>$/m);
  });

  const mistakes: [string[], RegExp][] = [
    [['doctor', '--prune'], /^error: unknown option '--prune'\n[\s\S]*Usage: npm run doctor -- \[options\]/],
    [['migrate', 'somewhere'], /too many arguments/],
    [['import'], /missing required argument 'directory'/],
    [['improt', 'x'], /unknown command 'improt'[\s\S]*import/],
    [['--prune'], /unknown option '--prune'/],
  ];
  const mistakesOfTools: [string[], RegExp][] = [
    [['convert', 'killercoda', 'a', 'b', '--points', '0'], /a number from 1 to 10000/],
    [['demo', '--seed', 'x'], /a number from 0 to 2147483647/],
    [['try', 'lesson', 'x'], /Allowed choices are exam, laboratory/],
  ];

  it('says in words that a file does not exist or cannot be read', async () => {
    for (const [args, said] of [
      [['verify-evidence', '/nowhere.tar'], '/nowhere.tar does not exist\n'],
      [['verify-evidence', import.meta.dirname], `${import.meta.dirname} cannot be read\n`],
    ] as const)
      assert.deepEqual(await runCommand(...args), { code: 1, output: said });
  });

  const all = [
    ...mistakes.map((mistake) => [runCommand, ...mistake] as const),
    ...mistakesOfTools.map((mistake) => [runTool, ...mistake] as const),
  ];
  for (const [index, [run, args, message]] of all.entries()) {
    const test = index === 0 ? it : itLong;
    test(`refuses: ${args.join(' ')}`, async () => {
      const { code, output } = await run(...args);
      assert.equal(code, 2);
      assert.match(output, message);
      assert.doesNotMatch(output, / at .*\.ts:/);
    });
  }
});
