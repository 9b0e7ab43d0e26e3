import type { Caller } from '../../http/access/access.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import type { FirstStepsStore } from './first-steps-store.ts';
import type { firstSteps } from './schema.ts';

export type FirstStep = { step: (typeof firstSteps)[number]; is_done: boolean; missing?: string[] };

/** What an administrator or an instructor of a new installation does first, and what is done already. */
export class FirstSteps {
  readonly #store: FirstStepsStore;
  readonly #engine: Pick<ContainerEngine, 'problem' | 'grantsRoot'>;

  constructor(store: FirstStepsStore, engine: Pick<ContainerEngine, 'problem' | 'grantsRoot'>) {
    this.#store = store;
    this.#engine = engine;
  }

  /** In the order in which they are done. */
  async of(caller: Caller): Promise<FirstStep[]> {
    if (caller.role !== 'admin') {
      const { has_class, has_student, has_exam_session } = await this.#store.ofInstructor(caller);
      return [
        { step: 'class', is_done: has_class },
        { step: 'students', is_done: has_student },
        { step: 'exam_session', is_done: has_exam_session },
      ];
    }
    const [facts, missing] = await Promise.all([this.#store.ofInstallation(), this.#missingImages()]);
    return [
      { step: 'courses', is_done: facts.has_course },
      { step: 'students', is_done: facts.has_student },
      { step: 'class', is_done: facts.has_class },
      { step: 'images', is_done: missing?.length === 0, ...(missing?.length ? { missing } : {}) },
      { step: 'exam_session', is_done: facts.has_exam_session },
      { step: 'backup', is_done: facts.has_backup },
    ];
  }

  /** The images that the engine does not have. Undefined where it does not respond. */
  async #missingImages(): Promise<string[] | undefined> {
    if (this.#engine.problem() !== undefined) return undefined;
    const images = await this.#store.images();
    const found = await Promise.allSettled(images.map(async (image) => await this.#engine.grantsRoot(image)));
    return images.filter((_, index) => found[index]?.status !== 'fulfilled');
  }
}
