export type ScreenSize = { cols: number; rows: number };

/** A screen, and how many bytes of output it has: what follows draws on it. A sequence that has not ended counts as not drawn. */
export type Capture = { picture: Buffer; at: number };

/** The screen of one terminal, for clients that come back or watch. */
export interface TerminalScreen extends Disposable {
  /** Accepts output. Returns at once. @param bytes must not be changed afterwards */
  write(bytes: Buffer): void;
  resize(size: ScreenSize): void;
  /** The screen after everything written before the call, as bytes that draw it on any terminal. Never rejects: a lost screen is blank. */
  snapshot(): Promise<Buffer>;
  /** The same, possibly of a later moment. Never rejects. */
  capture(): Promise<Capture>;
}

/** Holds the screens of terminals. */
export interface TerminalScreens {
  /** @param onLost is called each time the screen is reset to blank because its worker has failed */
  open(size: ScreenSize, onLost: () => void): TerminalScreen;
}
