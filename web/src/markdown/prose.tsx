import { useId } from 'react';
import { LessonText } from './lesson-text.tsx';
import { keepLineBreaks } from './parsing/line-breaks.ts';
import { useParsedText } from './use-parsed-text.ts';

/**
 * An author's text about an exam, a laboratory or a task: Markdown as in lessons, or plain text with its line breaks. Pictures must be in
 * the text itself, because the service has no files beside it.
 */
export function Prose({ text }: { text: string }) {
  // Several texts on a page can have the same footnotes.
  const prefix = `text-${useId().replaceAll(/\W/g, '')}-`;
  const parsed = useParsedText(keepLineBreaks(text), '', prefix);
  // As high as the text, so that the page does not move when it is there.
  if (!parsed) return <p className="invisible text-sm leading-relaxed whitespace-pre-line wrap-anywhere">{text}</p>;
  return <LessonText text={parsed} source={undefined} prefix={prefix} />;
}
