import mermaid from 'mermaid';

let count = 0;
let last: Promise<unknown> = Promise.resolve();

mermaid.initialize({
  startOnLoad: false,
  // No scripts and links, and labels are text: nothing of a diagram is HTML.
  securityLevel: 'strict',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  class: { htmlLabels: false },
  suppressErrorRendering: true,
  maxTextSize: 20_000,
  maxEdges: 300,
  theme: 'neutral',
  fontFamily: 'system-ui, sans-serif',
  // A diagram cannot change what is set above, nor add its own styles, which would apply to the page while it is measured.
  secure: [
    ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
    ...['htmlLabels', 'themeCSS', 'themeVariables', 'fontFamily', 'dompurifyConfig', 'flowchart', 'class'],
  ],
});

/**
 * The beginning of an HTML element in a label, except a line break. Labels are text, but the library measures some of them as HTML, and
 * their scripts would have to be stopped by the policy of the page. Arrows (`<--`) and `<<interface>>` are none.
 */
const element = /(?<!<)<(?=[a-z/!?])(?!\/?br\b)/gi;

export type Drawing = { svg: Blob; width: number; height: number; description: string | undefined };

/**
 * Draws a diagram as a picture.
 * @throws for a text with an error
 */
export async function draw(code: string): Promise<Drawing> {
  count += 1;
  const id = `diagram-${count}`;
  // The library draws one after the other.
  const drawn = last.then(() => mermaid.render(id, code.replaceAll(element, '#lt;')));
  last = drawn.catch(() => document.getElementById(`d${id}`)?.remove());
  const { documentElement: svg } = new DOMParser().parseFromString((await drawn).svg, 'image/svg+xml');
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[ ,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('The diagram has no size');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  const description = ['title', 'desc']
    .map((name) => svg.querySelector(`:scope > ${name}`)?.textContent)
    .filter(Boolean);
  return {
    svg: new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }),
    width,
    height,
    description: description.join('. ') || undefined,
  };
}
