import { ArrowDownToLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useUser } from '../api/use-session.ts';
import { currentParagraph, elementOf, type NumberedParagraph } from '../markdown/paragraphs.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { remember, remembered } from '../ui/remember.ts';

/** By the ids of the lessons, the one that was read last at the end. */
type Places = [lessonId: number, place: NumberedParagraph][];
const maxPlaces = 50;
const millisecondsToRest = 500;
/** Pixels from the top within which a lesson has not been begun. */
const beginning = 400;

const nameOf = (userId: number): string => `reading-places-${userId}`;
function placesOf(userId: number): Places {
  try {
    return JSON.parse(remembered(nameOf(userId)) ?? '[]') as Places;
  } catch {
    return [];
  }
}

/** A button that leads to where the reader stopped in this lesson, on this device. A lesson itself opens at its top. */
export function ReadingPlace({
  lessonId,
  scroller,
  isShown,
}: {
  lessonId: number;
  scroller: HTMLElement | null;
  /** Whether all of the text is there. */
  isShown: boolean;
}) {
  const t = useStrings();
  const { id } = useUser();
  const [place, setPlace] = useState(() => placesOf(id).find(([lesson]) => lesson === lessonId)?.[1]);
  useEffect(() => {
    if (!scroller || !isShown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (): void => {
      const others = placesOf(id).filter(([lesson]) => lesson !== lessonId);
      const { scrollTop, clientHeight, scrollHeight } = scroller;
      const isOver = scrollTop < beginning || scrollTop + clientHeight >= scrollHeight - beginning / 2;
      const current = isOver ? undefined : currentParagraph(scroller);
      const places: Places = current ? [...others, [lessonId, current]] : others;
      remember(nameOf(id), JSON.stringify(places.slice(-maxPlaces)));
      if (scrollTop >= beginning) setPlace(undefined);
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(keep, millisecondsToRest);
    };
    scroller.addEventListener('scroll', wait, { passive: true });
    return () => {
      clearTimeout(timer);
      scroller.removeEventListener('scroll', wait);
    };
  }, [id, lessonId, scroller, isShown]);
  if (!place || !scroller || !isShown) return null;
  const go = (): void => {
    elementOf(scroller, place)?.scrollIntoView();
    setPlace(undefined);
  };
  return (
    <Button size="small" className="sticky top-2 z-10 float-right ml-3 shadow" onClick={go}>
      <ArrowDownToLine size={15} aria-hidden="true" /> {t.notes.goOnReading}
    </Button>
  );
}
