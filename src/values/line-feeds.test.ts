import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineFeedsIn, scriptWithLineFeeds, withLineFeeds } from './line-feeds.ts';

describe('the line ends of texts and scripts', () => {
  it('are line feeds, without a byte order mark', () => {
    assert.equal(withLineFeeds('\uFEFFa\r\nb\rc\n\r\n'), 'a\nb\nc\n\n');
    assert.equal(withLineFeeds('\uFEFF'), '\uFEFF');
    assert.deepEqual(lineFeedsIn({ text: 'a\r\n', none: null, count: 1 }), { text: 'a\n', none: null, count: 1 });
  });

  it('change in files that are scripts', () => {
    for (const [path, from, to] of [
      ['/usr/local/bin/tool', '#!/bin/bash\r\necho\r', '#!/bin/bash\necho\n'],
      ['/usr/local/bin/tool', '\uFEFF#!/bin/bash\n', '#!/bin/bash\n'],
      ['/srv/run.SH', 'echo\r\n', 'echo\n'],
    ] as const)
      assert.equal(`${scriptWithLineFeeds(path, Buffer.from(from))}`, to);
    for (const [path, content] of [
      ['/srv/from-windows.txt', Buffer.from('a\r\nb\r\n')],
      ['/srv/installer', Buffer.from('#!/bin/sh\r\n\0\r\n')],
      ['/srv/latin.sh', Buffer.from('# \xe4\r\n', 'latin1')],
    ] as const)
      assert.equal(scriptWithLineFeeds(path, content), content, path);
  });
});
