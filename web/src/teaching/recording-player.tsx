import 'asciinema-player/dist/bundle/asciinema-player.css';
import { create } from 'asciinema-player';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';

/** Seconds to which longer pauses are shortened: students think, and nobody wants to watch that. */
const longestPause = 3;

/** Plays a recording that was fetched. */
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
