import { toJsonNumber } from '../json/exact-number.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { findLimit, refusalSignature, usualLimits } from './find-limit.ts';
import { isRefused, readTexts, withMember, writeBody } from './probing.ts';
import type { ProbeSession, ProbeExchange, ProbeMember, ProbePiece } from './behaviour.ts';

/** Finds the last accepted number between an accepted one and `end`. Returns undefined if `end` is accepted as well. */
export async function findBound(input: {
  readonly accepted: bigint;
  readonly end: bigint;
  readonly takes: (value: bigint) => Promise<boolean>;
}): Promise<bigint | undefined> {
  const { accepted, end, takes } = input;
  const found = await findLimit({ accepted, refused: end }, async (value) =>
    value === accepted || (await takes(value)) ? 'accepted' : 'refused',
  );
  return found?.accepted;
}

/** Functions that return whether the schema and the service accept a value. */
interface Taking<Value> {
  readonly isValid: (value: Value) => boolean;
  readonly takes: (value: Value) => Promise<boolean>;
}

/** The same for bodies in which one text has another length, or other characters. */
export interface TextOfBody extends Taking<number> {
  /** Its length in a sample. */
  readonly usual: number;
  /** Returns whether a body of this size is accepted if white space makes it longer, instead of a longer text. */
  readonly takesBytes: (length: number) => Promise<boolean>;
  readonly characters: Taking<string>;
}

/**
 * Prepares probes of one request each: a body that differs from a sample in one value, with a new id. Any response that
 * is not a rejection counts as accepted: a server error is a fault, not a constraint.
 */
export function createBodyQuestions(probeSession: ProbeSession): {
  readonly ofText: (name: string) => TextOfBody;
  readonly ofNumber: (name: string) => Taking<bigint>;
  readonly takesPlain: () => Promise<boolean>;
} {
  let slot = 0;
  const next = (): readonly ProbeMember[] => {
    slot += 1;
    return probeSession.sample(slot) ?? [];
  };
  const takes = async (body: readonly ProbePiece[]): Promise<boolean> =>
    !isRefused(await probeSession.send({ body }));

  function changed(name: string, change: (text: string) => string): readonly ProbePiece[] {
    const members = next();
    const text = readTexts(members).get(name) ?? '';
    return writeBody(withMember(members, name, [JSON.stringify(change(text))]));
  }

  return {
    takesPlain: () => takes(writeBody(next())),
    ofText(name) {
      const usual = readTexts(next()).get(name)?.length ?? 0;
      const long = (length: number) =>
        changed(name, (text) =>
          length <= text.length ? text.slice(text.length - length) : text.padEnd(length, text),
        );
      // Replaces the second letter: the last ones make samples unique, and a service may trim the ends.
      const unusual = (characters: string) =>
        changed(name, (text) => `${text.slice(0, 1)}${characters}${text.slice(2)}`);
      return {
        usual,
        isValid: (length) => probeSession.isValid(long(length)),
        takes: (length) => takes(long(length)),
        takesBytes: (length) => takes([...writeBody(next()), ' '.repeat(length - usual)]),
        characters: {
          isValid: (characters) => probeSession.isValid(unusual(characters)),
          takes: (characters) => takes(unusual(characters)),
        },
      };
    },
    ofNumber(name) {
      const put = (value: bigint) => writeBody(withMember(next(), name, [String(value)]));
      return { isValid: (value) => probeSession.isValid(put(value)), takes: (value) => takes(put(value)) };
    },
  };
}

/**
 * Finds the bounds of integers that a service has and the document does not, as a fragment of a schema.
 *
 * @param input.taken - a number that is known to be accepted
 * @param input.ends - the largest numbers that could be sent, and the smallest, the most distant first
 */
export async function findNumberBounds(
  input: Taking<bigint> & {
    readonly taken: bigint;
    readonly ends: readonly (readonly ['minimum' | 'maximum', readonly bigint[]])[];
  },
): Promise<JsonObject> {
  const { taken, isValid, takes } = input;
  const bounds: JsonObject = {};
  for (const [keyword, ends] of input.ends) {
    const end = ends.find(isValid) ?? taken;
    const bound = await findBound({ accepted: taken, end, takes });
    if (bound !== undefined) bounds[keyword] = toJsonNumber(String(bound));
  }
  return bounds;
}

function signature({ status, received }: ProbeExchange): string {
  return refusalSignature(status, received === undefined ? '' : stringifyJson(received));
}

/** Larger than all ids of a run. */
const pastEveryKey = 2n ** 31n;

/** Offsets that move an id of a run out of the range of all ids of a run. The most distant come first. */
const farOffsets = [
  ['minimum', ['-9223372036854775808', '-9007199254740992', '-2147483648']],
  ['maximum', ['9223372034707292160', '9007199254740992', '4294967296', '2147483648']],
] as const;

/**
 * Bounds that are trusted even if a rejection does not show whether an id is out of bounds or already exists. An
 * existing id beside one of them, which would shift it, is unlikely.
 */
const usualBounds: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  -(2n ** 31n),
  -(2n ** 53n),
  -(2n ** 53n - 1n),
  ...[31n, 32n, 53n].flatMap((power) => [2n ** power - 1n, 2n ** power]),
]);

/**
 * Finds the bounds of ids that a service enforces and the document does not specify, as a fragment of a schema. Returns
 * undefined if there is a bound that cannot be determined. The text of a rejection shows whether an id exists or is out
 * of bounds. If both texts are the same, only usual bounds are trusted.
 */
export async function findKeyBounds(probeSession: ProbeSession): Promise<JsonObject | undefined> {
  const { key } = probeSession;
  if (key === undefined) return {};
  const write = (value: readonly ProbePiece[]) =>
    writeBody(withMember(probeSession.sample() ?? [], key.property, value));
  const send = (value: readonly ProbePiece[]) => probeSession.send({ body: write(value) });
  const plain = await send([{ slot: 1_000 }]);
  const repeated = await send([{ slot: 1_000 }]);
  const { sent } = plain;
  const taken = isJsonObject(sent) ? sent[key.property] : undefined;
  if (!plain.isAccepted || typeof taken !== 'number') return {};
  let slot = 1_000;
  const freshKey = (offset: string): ProbePiece => {
    slot += 1;
    return { slot, offset };
  };
  /** Returns whether new ids are rejected too. It is unlikely that several already exist. */
  const refusesOthers = async (offset: string): Promise<boolean> =>
    isRefused(await send([freshKey(offset)])) && isRefused(await send([freshKey(offset)]));
  const isBelievable = async (keyword: 'minimum' | 'maximum', bound: bigint): Promise<boolean> =>
    usualBounds.has(bound) && refusesOthers(String(keyword === 'minimum' ? bound - pastEveryKey : bound));

  const bounds: JsonObject = {};
  for (const [keyword, offsets] of farOffsets) {
    const offset = offsets.find((each) => probeSession.isValid(write([freshKey(each)])));
    const far = offset === undefined ? undefined : await send([freshKey(offset)]);
    const farKey = isJsonObject(far?.sent) ? far.sent[key.property] : undefined;
    if (offset === undefined || far === undefined || farKey === undefined || !isRefused(far)) continue;
    const isAmbiguous = isRefused(repeated) && signature(repeated) === signature(far);
    if (isAmbiguous && !(await refusesOthers(offset))) continue;
    const takes = async (value: bigint): Promise<boolean> => {
      const exchange = await send([String(value)]);
      const isRepeated = isRefused(repeated) && signature(exchange) === signature(repeated);
      return !isRefused(exchange) || (!isAmbiguous && isRepeated);
    };
    const end = BigInt(stringifyJson(farKey));
    const bound = await findBound({ accepted: BigInt(taken), end, takes });
    if (bound === undefined) continue;
    if (isAmbiguous && !(await isBelievable(keyword, bound))) return undefined;
    bounds[keyword] = toJsonNumber(String(bound));
  }
  return bounds;
}

/** Longer texts are not sent. */
const longest = 65_536;

/** Returns the length of the longest text that the schema and the body limit allow. */
async function findLongest({ usual, isValid, takesBytes }: TextOfBody): Promise<number> {
  const lengths = usualLimits.map(Number).filter((length) => length > usual && length <= longest);
  for (const length of lengths.toReversed()) {
    if (isValid(length) && (await takesBytes(length))) return length;
  }
  return usual;
}

/** Finds the lengths of texts that a service bounds and the document does not, as a fragment of a schema. */
export async function findTextBounds(text: TextOfBody): Promise<JsonObject> {
  const { usual, takes, isValid } = text;
  const findEnd = async (keyword: string, end: number): Promise<JsonObject> => {
    const bound = await findBound({
      accepted: BigInt(usual),
      end: BigInt(end),
      takes: (value) => takes(Number(value)),
    });
    return bound === undefined ? {} : { [keyword]: Number(bound) };
  };
  const maxLength = await findEnd('maxLength', await findLongest(text));
  const least = [0, 1, 2, 3, 4, 6, 8].find((length) => length < usual && isValid(length)) ?? usual;
  return { ...(await findEnd('minLength', least)), ...maxLength };
}

/** Characters that services reject, with the pattern to use if all characters of a class are rejected. */
const classes: readonly (readonly [pattern: string, ...characters: readonly string[]])[] = [
  ['\\u0000-\\u001F', '\u0000', '\u0007'],
  ['\\u0080-\\u{10FFFF}', 'é', '日', '😀'],
  ['\\u0100-\\u{10FFFF}', '日', '😀'],
  ['<>', '<', '>'],
  ['0-9', '7'],
  ['\\u0000', '\u0000'],
  ['\\u0001-\\u001F', '\u0007'],
  ['\\u{10000}-\\u{10FFFF}', '😀'],
  ...[...' \'"&<>%._'].map((character) => [character, character] as const),
  ['\\-', '-'],
];
/** The classes of characters in names or words besides letters. */
const mild = classes.filter(([, ...members]) => "7 '._-".includes(members.join('')));
const characters = [...new Set(classes.flatMap(([, ...members]) => members))];

/** Returns the pattern (JSON Schema) of texts without the rejected characters; undefined if none is rejected. */
export async function findTextPattern({ isValid, takes }: Taking<string>): Promise<string | undefined> {
  const allowed = characters.filter(isValid);
  const together = allowed.join('');
  if (allowed.length === 0 || (isValid(together) && (await takes(together)))) return undefined;
  const refused = new Set<string>();
  for (const character of allowed) {
    if (!(await takes(character))) {
      refused.add(character);
    }
  }
  return refused.size === 0 ? undefined : (fewAllowed(refused) ?? withoutRefused(refused));
}

/** Lists the accepted characters if there are few: letters, and the characters of `mild` that are not rejected. */
function fewAllowed(refused: ReadonlySet<string>): string | undefined {
  const left = characters.filter((character) => !refused.has(character));
  const patterns = mild.flatMap(([pattern, character = '']) => (refused.has(character) ? [] : [pattern]));
  return left.length === patterns.length ? `^[A-Za-z${patterns.join('')}]*$` : undefined;
}

function withoutRefused(found: ReadonlySet<string>): string {
  const refused = new Set(found);
  const parts: string[] = [];
  for (const [pattern, ...members] of classes) {
    if (members.every((character) => refused.has(character))) {
      parts.push(pattern);
      members.forEach((character) => refused.delete(character));
    }
  }
  return `^[^${parts.join('')}]*$`;
}
