import type { Strings } from './en/index.ts';
import { type Area, areasOf, type Language, loadStrings, type StringsPart, textsOf } from './load-strings.ts';

const catalogues: Partial<Record<Language, Strings>> = {};

/**
 * The texts of a language. An area whose part is not loaded suspends the component that reads it. Pages load their parts before they are
 * shown (routing/lazy-page.ts).
 */
export function stringsOf(language: Language): Strings {
  const catalogue = catalogues[language] ?? catalogueOf(language);
  catalogues[language] = catalogue;
  return catalogue;
}

function catalogueOf(language: Language): Strings {
  const catalogue: Partial<Strings> = {};
  for (const [part, names] of Object.entries(areasOf) as [StringsPart, readonly Area[]][]) {
    let failure: { error: unknown } | undefined;
    // One promise for all renderings, also where it is rejected: each new one would suspend the component again.
    let loading: Promise<void> | undefined;
    for (const area of names) {
      Object.defineProperty(catalogue, area, {
        get: () => {
          const texts = textsOf(language, area);
          if (texts !== undefined) return texts;
          if (failure) throw failure.error;
          loading ??= loadStrings(part, language).catch((error: unknown) => {
            failure = { error };
          });
          // Not with `use`: React would go on with the hooks after it only if it were called again, also once the texts are there.
          throw loading;
        },
      });
    }
  }
  return catalogue as Strings;
}
