import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/**
 * The document itself is no larger than the window and has not moved: pages scroll inside their frame. Otherwise the wheel, or the focus
 * of an element far down, scrolls the frame with its navigation out of sight.
 */
export async function assertWithinWindow(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { scrollWidth, scrollHeight, scrollY, innerWidth, innerHeight };
  });
  assert.ok(found.scrollWidth <= found.innerWidth, `${where} is ${found.scrollWidth} pixels wide`);
  assert.ok(found.scrollHeight <= found.innerHeight, `${where} is ${found.scrollHeight} pixels high`);
  assert.equal(found.scrollY, 0, `${where} has scrolled away`);
}
