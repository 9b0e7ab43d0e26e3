import { useEffect, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { CodeBlock } from './code-block.tsx';
import { useBlobUrl } from './file-query.ts';
import type { Drawing } from './mermaid.ts';
import { useSeen } from './use-seen.ts';

/**
 * A diagram of Mermaid, drawn when it is seen. It is a picture: what an author writes into it is no part of the page. Its text is below
 * it, and stands for it where it cannot be drawn.
 */
export function Diagram({ code }: { code: string }) {
  const t = useStrings();
  const element = useRef<HTMLElement>(null);
  const isSeen = useSeen(element);
  const [drawing, setDrawing] = useState<Drawing>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!isSeen) return;
    let isCurrent = true;
    setBroken(false);
    const show = async (): Promise<void> => {
      const { draw } = await import('./mermaid.ts');
      const drawn = isCurrent ? await draw(code) : undefined;
      if (isCurrent) setDrawing(drawn);
    };
    show().catch(() => isCurrent && setBroken(true));
    return () => {
      isCurrent = false;
      setDrawing(undefined);
    };
  }, [isSeen, code]);
  const url = useBlobUrl(drawing?.svg);
  return (
    <figure ref={element} className="diagram">
      {isBroken && <p className="text-sm text-ink-soft">{t.markdown.brokenDiagram}</p>}
      {drawing && url ? (
        <>
          <img
            src={url}
            alt={drawing.description ?? t.markdown.diagram}
            width={drawing.width}
            height={drawing.height}
          />
          <details>
            <summary>{t.markdown.diagramText}</summary>
            <CodeBlock code={code} language="mermaid" />
          </details>
        </>
      ) : (
        <CodeBlock code={code} language="mermaid" />
      )}
    </figure>
  );
}
