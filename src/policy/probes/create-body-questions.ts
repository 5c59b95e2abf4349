import type { Asker, ProbeMember, ProbePiece } from '../probe.ts';
import { isRefused } from './is-refused.ts';
import { readTexts } from './read-texts.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** Whether bodies are taken in which one text is another. */
export interface TextOfBody {
  /** How long it is in a sample. */
  readonly usual: number;
  readonly isValidLength: (length: number) => boolean;
  readonly takesLength: (length: number) => Promise<boolean>;
  /** Whether a body is taken that is as long as one with a text of so many letters, by white space. */
  readonly takesBytes: (length: number) => Promise<boolean>;
  readonly isValidWith: (characters: string) => boolean;
  readonly takesWith: (characters: string) => Promise<boolean>;
}

/** Whether bodies are taken that differ from a sample in one value. */
export interface BodyQuestions {
  readonly ofText: (name: string) => TextOfBody;
  readonly ofNumber: (name: string) => {
    readonly isValid: (value: bigint) => boolean;
    readonly takes: (value: bigint) => Promise<boolean>;
  };
  readonly takesPlain: () => Promise<boolean>;
}

function ofLength(text: string, length: number): string {
  return length <= text.length ? text.slice(text.length - length) : text.padEnd(length, text);
}

/** The second letter gives way: the last ones tell one sample from another, and the ends may be trimmed. */
function withCharacters(text: string, characters: string): string {
  return `${text.slice(0, 1)}${characters}${text.slice(2)}`;
}

/**
 * Prepares questions that are one request each, with a key of its own.
 *
 * Whatever is no refusal counts as taken: a server error is a fault, and no constraint.
 */
export function createBodyQuestions(asker: Asker): BodyQuestions {
  let slot = 0;
  const next = (): readonly ProbeMember[] => {
    slot += 1;
    return asker.sample(slot) ?? [];
  };
  const takes = async (body: readonly ProbePiece[]): Promise<boolean> =>
    !isRefused(await asker.send({ body }));

  function changed(name: string, change: (text: string) => string): readonly ProbePiece[] {
    const members = next();
    const text = readTexts(members).get(name) ?? '';
    return writeBody(withMember(members, name, [JSON.stringify(change(text))]));
  }

  return {
    takesPlain: () => takes(writeBody(next())),
    ofText(name) {
      const usual = readTexts(next()).get(name)?.length ?? 0;
      const long = (length: number) => changed(name, (text) => ofLength(text, length));
      const odd = (characters: string) => changed(name, (text) => withCharacters(text, characters));
      return {
        usual,
        isValidLength: (length) => asker.isValid(long(length)),
        takesLength: (length) => takes(long(length)),
        takesBytes: (length) => takes([...writeBody(next()), ' '.repeat(length - usual)]),
        isValidWith: (characters) => asker.isValid(odd(characters)),
        takesWith: (characters) => takes(odd(characters)),
      };
    },
    ofNumber(name) {
      const put = (value: bigint) => writeBody(withMember(next(), name, [String(value)]));
      return { isValid: (value) => asker.isValid(put(value)), takes: (value) => takes(put(value)) };
    },
  };
}
