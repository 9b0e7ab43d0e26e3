import type { Cast, Size } from './cast.ts';

/** The screen on which a recording is drawn. */
export type CastScreen = {
  /** Clears the screen and sets its size. */
  reset: (size: Size) => void;
  resize: (size: Size) => void;
  /** Resolves when the text is drawn. */
  write: (text: string) => Promise<void>;
};
export type PlaybackState = {
  isPlaying: boolean;
  /** Position in seconds. */
  position: number;
};

/** Characters that are drawn before other work has its turn. */
const sliceLength = 65_536;
/** Seconds by which one frame can advance at most. A background tab has no frames, and continues at its last position. */
const longestFrame = 0.25;

/** Plays a recording on a screen. To go back, it draws everything from the start again. */
export class Playback {
  speed = 1;
  readonly #cast: Cast;
  readonly #screen: CastScreen;
  readonly #onChange: (state: PlaybackState) => void;
  #state: PlaybackState = { isPlaying: false, position: 0 };
  /** The index of the next event to draw. */
  #next = 0;
  #frame = 0;
  #lastFrameAt = 0;
  #isDrawing = false;
  #isClosed = false;

  constructor(cast: Cast, screen: CastScreen, onChange: (state: PlaybackState) => void) {
    this.#cast = cast;
    this.#screen = screen;
    this.#onChange = onChange;
    screen.reset(cast.size);
  }

  /** Plays from the beginning if the end has been reached. */
  play(): void {
    if (this.#state.isPlaying) return;
    const { position } = this.#state;
    this.#change({ isPlaying: true, position: position >= this.#cast.duration ? 0 : position });
    this.#lastFrameAt = performance.now();
    this.#frame = requestAnimationFrame(this.#onFrame);
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#change({ ...this.#state, isPlaying: false });
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  /** @param position in seconds, clamped to the duration */
  seek(position: number): void {
    this.#change({ ...this.#state, position: Math.min(this.#cast.duration, Math.max(0, position)) });
  }

  /** Skips forward, or back where `seconds` is negative. */
  skip(seconds: number): void {
    this.seek(this.#state.position + seconds);
  }

  close(): void {
    this.#isClosed = true;
    cancelAnimationFrame(this.#frame);
  }

  readonly #onFrame = (now: number): void => {
    const elapsed = Math.min(longestFrame, Math.max(0, (now - this.#lastFrameAt) / 1000));
    this.#lastFrameAt = now;
    const position = Math.min(this.#cast.duration, this.#state.position + elapsed * this.speed);
    const isPlaying = position < this.#cast.duration;
    this.#change({ isPlaying, position });
    if (isPlaying) this.#frame = requestAnimationFrame(this.#onFrame);
  };

  #change(state: PlaybackState): void {
    this.#state = state;
    this.#onChange(state);
    void this.#draw();
  }

  /** Draws until the screen shows the position, which may change during the drawing. */
  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    while (!this.#isClosed) {
      const { position } = this.#state;
      if ((this.#cast.events[this.#next - 1]?.at ?? 0) > position) {
        this.#screen.reset(this.#cast.size);
        this.#next = 0;
      }
      const text = this.#outputUntil(position);
      if (text === '') break;
      await this.#screen.write(text);
    }
    this.#isDrawing = false;
  }

  /** Returns the next slice of output, and applies the size changes before it. */
  #outputUntil(position: number): string {
    let text = '';
    for (; text.length < sliceLength; this.#next += 1) {
      const event = this.#cast.events[this.#next];
      if (!event || event.at > position) break;
      if ('output' in event) text += event.output;
      else if (text !== '') break;
      else this.#screen.resize(event.size);
    }
    return text;
  }
}
