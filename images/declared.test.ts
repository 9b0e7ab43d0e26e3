import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredBy, imageNames } from './definitions.ts';
import { docker, noEngine } from './test-container.ts';

for (const name of imageNames) {
  test(`${name} declares what its Dockerfile says`, { skip: noEngine }, async () => {
    const { Config } = await docker.getImage(name).inspect();
    const { labels, command, folder } = declaredBy(name);
    for (const [label, value] of Object.entries(labels)) assert.equal(Config.Labels[label], value, label);
    assert.ok('platform.capabilities' in labels && 'platform.privileges' in labels);
    assert.deepEqual(
      command,
      [Config.Entrypoint, Config.Cmd].flatMap((part) => part ?? []),
    );
    assert.equal(folder, Config.WorkingDir || '/');
  });
}
