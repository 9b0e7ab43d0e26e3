import 'asciinema-player/dist/bundle/asciinema-player.css';
import { create } from 'asciinema-player';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';

/** Longer pauses are shortened to this many seconds, because nobody wants to watch students think. */
const longestPause = 3;

/** Plays a loaded recording. */
export function RecordingPlayer({ cast }: { cast: string }) {
  const t = useStrings();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const player = create({ data: cast }, place.current, {
      fit: 'width',
      autoPlay: true,
      idleTimeLimit: longestPause,
      controls: true,
      terminalFontFamily: 'var(--font-mono)',
    });
    player.el.focus();
    return () => player.dispose();
  }, [cast]);
  return (
    <div className="flex flex-col gap-2">
      <section ref={place} aria-label={t.teaching.player} className="max-w-3xl overflow-hidden rounded-md" />
      <p className="text-sm text-ink-soft">{t.teaching.playerHelp}</p>
    </div>
  );
}
