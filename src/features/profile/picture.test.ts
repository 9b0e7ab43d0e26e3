import assert from 'node:assert/strict';
import { it } from 'node:test';
import sharp from 'sharp';
import { UnavailableError } from '../../errors.ts';
import { PictureMaker } from './picture.ts';

const limits = { maxBytes: 100_000, maxPixels: 100_000, concurrency: 1, maxWaiting: 1 };
const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

it('queues a bounded number of pictures, and accepts more afterwards', async () => {
  const maker = new PictureMaker(limits);
  const bytes = await picture();
  const results = await Promise.allSettled([1, 2, 3].map(() => maker.avatarOf(bytes)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  const [, , refused] = results;
  assert.ok(refused?.status === 'rejected' && refused.reason instanceof UnavailableError);
  assert.ok((await maker.avatarOf(bytes)).length > 0);
});

it('continues after a failed picture', async () => {
  const maker = new PictureMaker(limits);
  const bytes = await picture();
  const damaged = maker.avatarOf(bytes.subarray(0, 40));
  const next = maker.avatarOf(bytes);
  await assert.rejects(damaged);
  assert.ok((await next).length > 0);
});
