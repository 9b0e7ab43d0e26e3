import type { ImageTable } from './images.ts';

export type ConvertOptions = {
  /** The images of the laboratories by the names of Killercoda's. */
  images?: ImageTable | undefined;
  /** The image of laboratories whose name is not in the table. Without it, those for other machines than Ubuntu become lessons only. */
  image?: string | undefined;
  /** Points of each task. */
  points: number;
};
