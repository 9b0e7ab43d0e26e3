import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pastedAddress } from './pasted-address.ts';

const cases: [text: string, url: string, branch?: string][] = [
  ['https://git.example.com/x/y.git', 'https://git.example.com/x/y.git'],
  ['  https://git.example.com/x/y\n', 'https://git.example.com/x/y'],
  ['"https://git.example.com/x/y"', 'https://git.example.com/x/y'],
  ['<https://git.example.com/x/y>', 'https://git.example.com/x/y'],
  ['\u200Bhttps://git.example.com/x/\n  y', 'https://git.example.com/x/y'],
  ['https://github.com/x/y/tree/main', 'https://github.com/x/y', 'main'],
  ['https://github.com/x/y/tree/main/docs', 'https://github.com/x/y', 'main'],
  ['https://github.com/x/y/blob/v1/README.md#top', 'https://github.com/x/y', 'v1'],
  ['https://gitlab.example.com/a/b/c/-/tree/dev?ref_type=heads', 'https://gitlab.example.com/a/b/c', 'dev'],
  ['https://codeberg.org/x/y/src/branch/main', 'https://codeberg.org/x/y', 'main'],
  ['https://github.com/x/y?tab=readme-ov-file', 'https://github.com/x/y'],
  ['https://github.com/x/y?tab=readme-ov-file#readme', 'https://github.com/x/y'],
  ['https://github.com/x/y/issues/3', 'https://github.com/x/y'],
  ['github.com/x/y', 'https://github.com/x/y'],
  ['git clone https://git.example.com/x/y.git', 'https://git.example.com/x/y.git'],
  ['git clone --depth 1 -b dev git@git.example.com:x/y.git folder', 'git@git.example.com:x/y.git', 'dev'],
  ['git clone --branch=dev "https://git.example.com/x/y"', 'https://git.example.com/x/y', 'dev'],
  ['git -C /tmp clone ssh://git@git.example.com:2222/x/y', 'ssh://git@git.example.com:2222/x/y'],
  ['ssh://git@git.example.com:x/y.git', 'git@git.example.com:x/y.git'],
  ['git@git.example.com:x/y.git', 'git@git.example.com:x/y.git'],
  // The rules of addresses refuse these.
  ['https://git.example.com/a b', 'https://git.example.com/a b'],
  ['git clone', ''],
  ['https://git.example.com/x.git?upload-pack=1', 'https://git.example.com/x.git?upload-pack=1'],
];

it('finds the address of a repository in a text as it was copied', () => {
  for (const [text, url, branch = null] of cases) assert.deepEqual(pastedAddress(text), { url, branch }, text);
});
