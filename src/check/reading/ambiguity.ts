import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonValue } from '../../json/value.ts';
import type { QuestionId } from '../../policy/question.ts';
import type { CompiledSchema } from '../../schema/compile.ts';

/** What readers disagree about in a body that its schema accepts. */
export interface Contest {
  /** In words. */
  readonly reason: string;
  /** The questions on which alone it depends whether the body is taken; none where no policy says. */
  readonly questions: readonly QuestionId[];
}

/** What some readers refuse wherever it stands, and no policy speaks of. */
function findOddity(value: JsonValue): string | undefined {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? 'a lone surrogate' : undefined;
  if (value instanceof ExactNumber) return value.text === '-0' ? 'a negative zero' : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const members = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  for (const member of members) {
    const oddity = findOddity(member);
    if (oddity !== undefined) return oddity;
  }
  return undefined;
}

/**
 * Finds what readers of JSON, or of schemas, disagree about in a body: oddities of its text, a format that
 * may or may not assert (JSON Schema 2020-12 validation §7.2.1), and integers written with a fraction or an
 * exponent, where the schema asks for an integer.
 *
 * @param input.value - valid, formats aside
 * @param input.exact - whether there is an exact number in it
 */
export function findContest(input: {
  readonly value: JsonValue;
  readonly exact: boolean;
  readonly hasByteOrderMark: boolean;
  readonly hasDuplicateKeys: boolean;
  readonly schema: CompiledSchema;
}): Contest | undefined {
  const { value, exact, schema } = input;
  if (input.hasByteOrderMark) return { reason: 'a byte order mark', questions: [] };
  if (input.hasDuplicateKeys) {
    return { reason: 'a key that stands twice', questions: ['duplicate-keys-in-json'] };
  }
  const oddity = findOddity(value);
  if (oddity !== undefined) return { reason: oddity, questions: [] };
  const isInRange = schema.validator({ formats: 'assert', integers: 'by-value' })(value, exact).length === 0;
  if (!isInRange && schema.validator({ formats: 'strings', integers: 'by-value' })(value, exact).length > 0) {
    return { reason: 'a text outside its format', questions: [] };
  }
  // Only an exact number keeps the notation of its text.
  const isPlainlyWritten =
    !exact || schema.validator({ formats: 'strings', integers: 'digits' })(value, exact).length === 0;
  if (!isInRange) {
    return {
      reason: 'an integer outside its format',
      questions: isPlainlyWritten ? ['int64-range'] : ['int64-range', 'integer-notation'],
    };
  }
  return isPlainlyWritten
    ? undefined
    : { reason: 'an integer written with a fraction or an exponent', questions: ['integer-notation'] };
}
