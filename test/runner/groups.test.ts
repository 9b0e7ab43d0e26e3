import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupFiles } from './groups.ts';

describe('the processes of test files', () => {
  const files = [
    ...Array.from({ length: 12 }, (_, index) => `test/api/file-${index}.test.ts`),
    'src/features/hooks.test.ts',
    'src/features/other.test.ts',
    'test/new-folder/new.test.ts',
  ];
  const text = (file: string): string => (file.includes('hooks') ? 'afterEach(() => {});\n' : '  before(() => {});\n');
  const groups = groupFiles(files, text);

  it('have each file once, in few processes', () => {
    assert.deepEqual(groups.flatMap((group) => group.files).sort(), [...files].sort());
    assert.ok(groups.length < 10);
  });

  it('have files of one folder each', () => {
    for (const group of groups)
      assert.equal(new Set(group.files.map((file) => file.split('/')[1])).size, 1, group.name);
  });

  it('share none with a file whose hooks are outside of its suites', () => {
    const group = groups.find((one) => one.files.includes('src/features/hooks.test.ts'));
    assert.deepEqual(group?.files, ['src/features/hooks.test.ts']);
  });
});
