import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { type ParsedText, useParsedText } from '../markdown/use-parsed-text.ts';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Loading } from '../ui/states.tsx';

const LessonText = lazy(() => neededPart(async () => (await import('../markdown/lesson-text.tsx')).LessonText));
const skeleton = <Loading rows={6} className="h-6" />;
/** Milliseconds without a key press after which the text is converted. */
const pause = 250;

/** A text as students read it. While it is converted, the one before is shown. */
export function TextPreview({ text, title, path }: { text: string; title: string; path: string }) {
  const t = useStrings();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const parsed = useParsedText(settled, title);
  const [shown, setShown] = useState<ParsedText>();
  useEffect(() => {
    if (parsed) setShown(parsed);
  }, [parsed]);
  const source = useMemo(() => ({ lessonId: null, path }), [path]);
  if (text.trim() === '') return <p className="text-sm text-ink-soft">{t.written.noText}</p>;
  const current = parsed ?? shown;
  return <Suspense fallback={skeleton}>{current ? <LessonText text={current} source={source} /> : skeleton}</Suspense>;
}
