import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultInternet } from '../engine/internet.ts';
import { examinationPod, podManifest } from './pod-manifest.ts';

const place = {
  ...{ installation: 'one', internet: defaultInternet, nodeSelector: {}, tolerations: [] },
  ...{ pullSecrets: ['school'], requestPercent: 25, imagePrefix: 'registry.example.com/' },
};
const digest = `sha256:${'a'.repeat(64)}`;
const imageId = `10.0.0.5:5000/school/net:1@${digest}`;
const limits = { memoryMb: 64, cpus: 1, processes: 16, diskMb: 64, hasInternet: false };
const spec = { name: 'one', uid: 'one', image: '10.0.0.5:5000/school/net:1', ...limits };
const facts = { labels: {}, command: ['/bin/sh', '-c', 'echo $$ $(HOME) $HOME'], folder: '/' };

describe('the Pod', () => {
  it('of an added image pulls its digest with its own Secret', () => {
    const pod = podManifest({ ...spec, imageId }, facts, place).spec;
    assert.equal(pod.containers[0]?.image, `10.0.0.5:5000/school/net@${digest}`);
    const [shared, own] = pod.imagePullSecrets;
    assert.equal(shared?.name, 'school');
    assert.match(own?.name ?? '', /^platform-image-[0-9a-f]{40}$/);
    assert.deepEqual(podManifest(spec, facts, place).spec.imagePullSecrets, [{ name: 'school' }]);
  });

  it('passes dollar signs of the command as they are: the API server replaces $$ by $ and $(NAME) by a value', () => {
    assert.deepEqual(podManifest(spec, facts, place).spec.containers[0]?.args.slice(-1), ['echo $$$$ $$(HOME) $$HOME']);
  });

  it('of an examination has no network, no capability, no writable file system and no end of its own later than a pull', () => {
    const { metadata, spec: pod } = examinationPod(imageId, place);
    assert.deepEqual(metadata.labels, { 'platform.installation': 'one' });
    assert.equal(pod.initContainers[0]?.args[0], 'none');
    const [main] = pod.containers;
    assert.equal(main?.image, `10.0.0.5:5000/school/net@${digest}`);
    const { capabilities, readOnlyRootFilesystem, allowPrivilegeEscalation } = main?.securityContext ?? {};
    assert.deepEqual(
      [capabilities, readOnlyRootFilesystem, allowPrivilegeEscalation],
      [{ drop: ['ALL'] }, true, false],
    );
    assert.ok(pod.activeDeadlineSeconds > 1860);
  });
});
