/** A paragraph of a lesson, as it is found again after the text has changed elsewhere. */
export type Paragraph = {
  /** The id of the heading above it; empty above the first one. */
  heading: string;
  /** Its beginning. */
  excerpt: string;
};
/** A paragraph with its number in the text, which tells apart those with the same beginning. */
export type NumberedParagraph = Paragraph & { index: number };

const maxExcerpt = 200;
const blocksOf = (scroller: HTMLElement): HTMLElement[] => [
  ...scroller.querySelectorAll<HTMLElement>('.lesson-text:not([data-short]) > *'),
];
const isHeading = ({ tagName }: Element): boolean => /^H[2-6]$/.test(tagName);

/** The text of a block, without what the page itself writes there. */
function excerptOf(block: HTMLElement): string {
  const copy = block.cloneNode(true) as HTMLElement;
  for (const own of copy.querySelectorAll('button, .sr-only, .formula, svg')) own.remove();
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, maxExcerpt);
}

function headingOf(block: HTMLElement): string {
  let before: Element | null = block;
  while (before && !isHeading(before)) before = before.previousElementSibling;
  return before?.id ?? '';
}

/** The paragraph that the reader has selected or clicked last, if it is visible, or else the first visible one. */
export function currentParagraph(scroller: HTMLElement): NumberedParagraph | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  const blocks = blocksOf(scroller);
  const visible = blocks.filter((block) => {
    const place = block.getBoundingClientRect();
    return place.bottom > top + 60 && place.top < bottom && excerptOf(block) !== '';
  });
  const selected = visible.find((block) => block.contains(getSelection()?.anchorNode ?? null));
  const block = selected ?? visible[0];
  return block && { heading: headingOf(block), excerpt: excerptOf(block), index: blocks.indexOf(block) };
}

type Wanted = Paragraph & { index?: number };

/** The elements of paragraphs. Where the text of one has changed, the heading above it. */
export function elementsOf(scroller: HTMLElement, paragraphs: readonly Wanted[]): (HTMLElement | undefined)[] {
  // Each block is read once, whatever the number of paragraphs.
  const blocks = blocksOf(scroller).map((element) => ({ element, excerpt: excerptOf(element) }));
  return paragraphs.map(({ heading, excerpt, index }) => {
    const numbered = index === undefined ? undefined : blocks[index];
    if (numbered?.excerpt === excerpt) return numbered.element;
    const same = blocks.filter((block) => block.excerpt === excerpt);
    const inPlace = same.find(({ element }) => headingOf(element) === heading) ?? same[0];
    return inPlace?.element ?? (heading === '' ? null : document.getElementById(heading)) ?? undefined;
  });
}

export const elementOf = (scroller: HTMLElement, paragraph: Wanted): HTMLElement | undefined =>
  elementsOf(scroller, [paragraph])[0];
