import type { TextLocation } from '../../document/located-problem.ts';
import type { SourceText } from '../../document/source-text.ts';

/** The line and column of an offset in UTF-16 code units. */
export type Locate = (offset: number) => TextLocation;

/** Prepares the finding of many places in one text: its lines are looked for once. */
export function createLocator({ file, text }: SourceText): Locate {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
