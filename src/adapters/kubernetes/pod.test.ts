import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '../../errors.ts';
import { kubernetesFailures } from './failures.ts';
import { containerOf, isNodeLost, lostIn, type Pod, stateOf } from './pod.ts';

const podWith = (status: Pod['status'], deletionTimestamp?: string): Pod => ({
  metadata: {
    ...{ name: 'platform-1', uid: '1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  },
  ...(status ? { status } : {}),
});
const waiting = (reason: string, name = 'main') => ({ containerStatuses: [{ name, state: { waiting: { reason } } }] });
const running = {
  phase: 'Running',
  containerStatuses: [{ name: 'main', state: { running: { startedAt: '2026-01-01T00:00:01Z' } } }],
};

/** The code that a client gets if the Pod of a new container is in this state. */
function codeOf(pod: Pod): string {
  const state = stateOf(pod);
  if (state.kind !== 'ended') return state.kind;
  const error = kubernetesFailures.portError(state.failure, 'ref');
  assert.ok(error instanceof UnavailableError && (error.retryAfter ?? 0) > 0);
  assert.equal(kubernetesFailures.problemOf(state.failure), undefined, 'other containers can be created');
  return error.code;
}

describe('the state of a Pod', () => {
  it('is running when the main container runs', () => {
    assert.equal(codeOf(podWith({ phase: 'Pending' })), 'starting');
    assert.equal(codeOf(podWith(waiting('PodInitializing'))), 'starting');
    assert.equal(codeOf(podWith(running)), 'running');
    assert.equal(
      codeOf(
        podWith({
          ...running,
          containerStatuses: [{ name: 'other', state: running.containerStatuses[0]?.state ?? {} }],
        }),
      ),
      'starting',
    );
  });

  it('is as old as its container: its image is unpacked after the Pod is there', () => {
    const madeAt = (status: Pod['status']) => containerOf(podWith(status)).createdAt.toISOString();
    assert.equal(madeAt({ phase: 'Pending' }), '2026-01-01T00:00:00.000Z');
    assert.equal(madeAt(running), '2026-01-01T00:00:01.000Z');
  });

  it('is full while no node has room', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    assert.equal(codeOf(podWith({ phase: 'Pending', conditions })), 'full');
  });

  for (const reason of ['ErrImageNeverPull', 'ErrImagePull', 'ImagePullBackOff', 'InvalidImageName'])
    it(`is without an image after ${reason}`, () => {
      assert.equal(codeOf(podWith(waiting(reason))), 'image_missing');
      assert.equal(
        codeOf(podWith({ initContainerStatuses: waiting(reason, 'prepare').containerStatuses })),
        'image_missing',
      );
    });

  for (const reason of ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'])
    it(`has failed after ${reason}`, () => assert.equal(codeOf(podWith(waiting(reason))), 'engine_unavailable'));

  for (const reason of [
    'Evicted',
    'OutOfcpu',
    'OutOfmemory',
    'OutOfpods',
    'OutOfephemeral-storage',
    'Preempting',
    'NodeAffinity',
    'NodeShutdown',
  ])
    it(`had no room after ${reason}`, () => assert.equal(codeOf(podWith({ phase: 'Failed', reason })), 'no_capacity'));

  it('is on a lost node when somebody else than its kubelet marks it as not ready', () => {
    const ready = (status: string, reason?: string) =>
      podWith({ ...running, conditions: [{ type: 'Ready', status, ...(reason ? { reason } : {}) }] });
    assert.equal(isNodeLost(podWith(running)), false);
    assert.equal(isNodeLost(ready('True')), false);
    for (const reason of ['ContainersNotReady', 'ContainersNotInitialized', 'PodCompleted', 'PodFailed'])
      assert.equal(isNodeLost(ready('False', reason)), false, reason);
    assert.equal(isNodeLost(ready('False')), true);
    assert.equal(isNodeLost(ready('False', 'NodeNotReady')), true);
    assert.equal(isNodeLost(ready('Unknown')), true);
  });

  it('is lost when it has ended, or its node has been lost for longer than a restart of its kubelet takes', () => {
    const moment = Date.parse('2026-01-01T00:01:00Z');
    const since = (lastTransitionTime: string) =>
      podWith({ ...running, conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }] });
    assert.equal(lostIn(podWith(running), moment), undefined);
    assert.equal(lostIn(podWith({ phase: 'Failed', reason: 'Evicted' }), moment), 0);
    assert.equal(lostIn(podWith(running, '2026-01-01T00:00:59Z'), moment), 0);
    assert.equal(lostIn(since('2026-01-01T00:00:58Z'), moment), 3000);
    assert.equal(lostIn(since('2026-01-01T00:00:55Z'), moment), 0);
    assert.equal(lostIn(since('2026-01-01T00:02:00Z'), moment), 5000, 'with a clock that is behind');
  });

  it('has ended when its first process, or its init container, has', () => {
    assert.equal(codeOf(podWith({ phase: 'Failed' })), 'engine_unavailable');
    assert.equal(codeOf(podWith({ phase: 'Succeeded' })), 'engine_unavailable');
    assert.equal(codeOf(podWith(running, '2026-01-01T00:00:02Z')), 'engine_unavailable', 'it is being deleted');
  });
});
