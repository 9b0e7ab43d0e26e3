import { textOfCode } from '../strings/coded-text.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { Result } from './queries.ts';

/** What a result says beside the output of its check, in the user's language. Empty where there is nothing to say. */
export function useRemarkText(): (result: Pick<Result, 'remark' | 'remark_codes'>) => string {
  const { remarks } = useStrings().attempts;
  return ({ remark, remark_codes }) => {
    const texts = remark_codes?.map(({ code, params }) => textOfCode(remarks, code, params));
    // A newer service may have codes that these pages do not know.
    return texts && !texts.includes(undefined) ? texts.join(' ') : (remark ?? '');
  };
}
