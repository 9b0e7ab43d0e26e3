export type ScreenSize = { cols: number; rows: number };

/** What one terminal shows, for clients that come back or watch. */
export interface TerminalScreen extends Disposable {
  /** Takes output. Returns at once. @param bytes nobody changes them afterwards */
  write(bytes: Buffer): void;
  resize(size: ScreenSize): void;
  /**
   * The screen after all that was written before the call, as bytes that draw it on any terminal. Never rejects: a screen
   * that was lost is blank.
   */
  snapshot(): Promise<Buffer>;
}

/** Keeps the screens of terminals. */
export interface TerminalScreens {
  /** @param onLost is called each time when the screen begins blank again, because what kept it has failed */
  open(size: ScreenSize, onLost: () => void): TerminalScreen;
}
