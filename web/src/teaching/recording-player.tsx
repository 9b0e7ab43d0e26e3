import { Maximize, MessageSquare, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { parseCast, recordedAt, shownAt } from './cast.ts';
import { lengthOfTime } from './length-of-time.ts';
import { Playback } from './playback.ts';
import { PlayerScreen } from './player-screen.ts';

/** Longer pauses are shortened to this many seconds, because nobody wants to watch students think. */
const longestPause = 3;
/** Seconds that an arrow key skips. */
const step = 5;
const speeds = [0.5, 1, 2, 4, 8] as const;

/** What was said about a moment of the recording. */
export type Said = { id: number; seconds: number | null; text: string };

/**
 * Plays a loaded recording.
 * @param comments each leads to its moment
 * @param onMoment comments on a moment, in seconds from the start of the recording; undefined: nobody can
 */
export function RecordingPlayer({
  cast: text,
  comments = [],
  onMoment,
}: {
  cast: string;
  comments?: readonly Said[] | undefined;
  onMoment?: ((seconds: number) => void) | undefined;
}) {
  const t = useStrings();
  const cast = useMemo(() => parseCast(text, longestPause), [text]);
  const region = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const playback = useRef<Playback>(null);
  const [{ isPlaying, position }, setState] = useState({ isPlaying: true, position: 0 });
  const [speed, setSpeed] = useState(1);

  useEffect(() => {
    if (!box.current) return;
    const screen = new PlayerScreen(box.current);
    const player = new Playback(cast, screen, (state) => {
      screen.isReadable = !state.isPlaying;
      setState(state);
    });
    playback.current = player;
    player.play();
    region.current?.querySelector('button')?.focus();
    return () => {
      player.close();
      screen.dispose();
    };
  }, [cast]);

  const changeSpeed = (next: number | undefined): void => {
    if (next === undefined || !playback.current) return;
    playback.current.speed = next;
    setSpeed(next);
  };
  const toggleFullScreen = (): void =>
    void (document.fullscreenElement ? document.exitFullscreen() : region.current?.requestFullscreen());
  /** @returns whether the player handles the key */
  const onKey = (key: string): boolean => {
    if (key === ' ') playback.current?.toggle();
    else if (key === 'ArrowLeft') playback.current?.skip(-step);
    else if (key === 'ArrowRight') playback.current?.skip(step);
    else if (key === '<') changeSpeed(speeds.findLast((one) => one < speed));
    else if (key === '>') changeSpeed(speeds.find((one) => one > speed));
    else if (key === 'f') toggleFullScreen();
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOfControl =
      event.target instanceof HTMLSelectElement || (event.key === ' ' && event.target instanceof HTMLButtonElement);
    if (isOfControl || event.ctrlKey || event.altKey || event.metaKey) return;
    if (onKey(event.key)) event.preventDefault();
  };
  const comment = (): void => {
    playback.current?.pause();
    onMoment?.(Math.round(recordedAt(cast, position) * 100) / 100);
  };
  const mark = cast.marks.findLast(({ at }) => at <= position)?.text;
  const time = t.teaching.positionOf(lengthOfTime(position), lengthOfTime(cast.duration));
  return (
    <div className="flex flex-col gap-2">
      <section
        ref={region}
        aria-label={t.teaching.player}
        data-player
        onKeyDown={onKeyDown}
        className="flex max-w-3xl flex-col overflow-hidden rounded-md border bg-terminal"
      >
        <div ref={box} className="min-h-0 flex-1 overflow-x-auto" />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t bg-surface px-2 py-1">
          <IconButton label={isPlaying ? t.teaching.pause : t.teaching.play} onClick={() => playback.current?.toggle()}>
            {isPlaying ? <Pause size={18} aria-hidden="true" /> : <Play size={18} aria-hidden="true" />}
          </IconButton>
          <input
            type="range"
            aria-label={t.teaching.position}
            aria-valuetext={time}
            min={0}
            max={cast.duration}
            step="any"
            value={position}
            onChange={({ target }) => playback.current?.seek(Number(target.value))}
            className="min-w-32 flex-1 accent-accent"
          />
          <span aria-hidden="true" className="text-sm text-ink-soft tabular-nums">
            {time}
          </span>
          {mark !== undefined && (
            <span role="status" className="basis-full text-sm text-warn [overflow-wrap:anywhere]">
              {mark}
            </span>
          )}
          <select
            aria-label={t.teaching.speed}
            value={speed}
            onChange={({ target }) => changeSpeed(Number(target.value))}
            className="min-h-8 rounded-md border border-line-strong bg-surface px-2 text-sm"
          >
            {speeds.map((one) => (
              <option key={one} value={one}>
                {one}×
              </option>
            ))}
          </select>
          <IconButton label={t.teaching.fullScreen} onClick={toggleFullScreen}>
            <Maximize size={16} aria-hidden="true" />
          </IconButton>
        </div>
      </section>
      {onMoment && (
        <div>
          <Button size="small" onClick={comment} aria-haspopup="dialog">
            <MessageSquare size={16} aria-hidden="true" />{' '}
            {t.feedback.commentMoment(lengthOfTime(recordedAt(cast, position)))}
          </Button>
        </div>
      )}
      <ul className="flex flex-col gap-1">
        {comments.map(({ id, seconds, text: said }) => (
          <li key={id} className="flex items-baseline gap-2 text-sm">
            <Button
              size="small"
              aria-label={`${lengthOfTime(seconds ?? 0)}: ${said.slice(0, 40)}`}
              onClick={() => playback.current?.seek(shownAt(cast, seconds ?? 0))}
            >
              {lengthOfTime(seconds ?? 0)}
            </Button>
            <span className="min-w-0 [overflow-wrap:anywhere]">{said}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft">{t.teaching.playerHelp}</p>
    </div>
  );
}
