import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileMode } from './assets.ts';

it('is the mode after a change as chmod takes it', () => {
  const cases: [change: string, usual: string, mode: string | undefined][] = [
    ['755', '0644', '0755'],
    ['0600', '0644', '0600'],
    ['+x', '0644', '0755'],
    ['-x', '0755', '0644'],
    ['u+x,go-w', '0666', '0744'],
    ['a-w', '0644', '0444'],
    ['go=', '0644', '0600'],
    ['u=rwx,g=rx,o=', '0644', '0750'],
    ['+w', '0444', '0644'],
    ['go+w', '0644', '0666'],
    ['a+X', '0644', '0644'],
    ['a+X', '0744', '0755'],
    ['u+s', '0755', '4755'],
    ['+t', '0755', '1755'],
    ['executable', '0644', undefined],
    ['99', '0644', undefined],
  ];
  for (const [change, usual, mode] of cases) assert.equal(fileMode(change, usual), mode, change);
});
