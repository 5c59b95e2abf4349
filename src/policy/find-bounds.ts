import { toJsonNumber } from '../json/exact-number.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { isRefused, readTexts, withMember, writeBody } from './probing.ts';
import type { ProbeSession, ProbeExchange, ProbeKey, ProbeMember, ProbePiece } from './question.ts';

/**
 * Finds the last number that is accepted, between one that is and one that is not, whichever of them is larger.
 *
 * @param input.notable - numbers that bounds often are; they are tried first, so that most bounds cost little
 */
export async function bisectBound(input: {
  readonly taken: bigint;
  readonly refused: bigint;
  readonly notable: readonly bigint[];
  readonly takes: (value: bigint) => Promise<boolean>;
}): Promise<bigint> {
  let { taken, refused } = input;
  const step = refused > taken ? 1n : -1n;
  const isBetween = (value: bigint): boolean =>
    step > 0n ? value > taken && value < refused : value < taken && value > refused;
  while (refused - taken !== step) {
    // A notable number is a bound where the one after it is refused.
    const likely = input.notable.flatMap((value) => [value, value + step]).filter(isBetween);
    const middle = likely[Math.floor(likely.length / 2)] ?? (taken + refused) / 2n;
    if (await input.takes(middle)) {
      taken = middle;
    } else {
      refused = middle;
    }
  }
  return taken;
}

/** Whether values are accepted: what the schema says, and what the service does. */
interface Taking<Value> {
  readonly isValid: (value: Value) => boolean;
  readonly takes: (value: Value) => Promise<boolean>;
}

/** Whether bodies are accepted in which one text has another length, or other characters in it. */
export interface TextOfBody extends Taking<number> {
  /** How long it is in a sample. */
  readonly usual: number;
  /** Whether a body is accepted that is as long as one with a text of so many letters, by white space. */
  readonly takesBytes: (length: number) => Promise<boolean>;
  readonly characters: Taking<string>;
}

/**
 * Prepares questions that are one request each, a body that differs from a sample in one value, with a key of its own.
 * Whatever is no refusal counts as accepted: a server error is a fault, and no constraint.
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
      // The second letter gives way: the last ones tell one sample from another, and the ends may be trimmed.
      const odd = (characters: string) =>
        changed(name, (text) => `${text.slice(0, 1)}${characters}${text.slice(2)}`);
      return {
        usual,
        isValid: (length) => probeSession.isValid(long(length)),
        takes: (length) => takes(long(length)),
        takesBytes: (length) => takes([...writeBody(next()), ' '.repeat(length - usual)]),
        characters: {
          isValid: (characters) => probeSession.isValid(odd(characters)),
          takes: (characters) => takes(odd(characters)),
        },
      };
    },
    ofNumber(name) {
      const put = (value: bigint) => writeBody(withMember(next(), name, [String(value)]));
      return { isValid: (value) => probeSession.isValid(put(value)), takes: (value) => takes(put(value)) };
    },
  };
}

const powers = [7n, 8n, 15n, 16n, 31n, 32n, 53n];
const notableNumbers = [
  ...[
    0, 1, 9, 10, 12, 24, 31, 50, 59, 60, 99, 100, 150, 200, 255, 365, 500, 999, 1_000, 5_000, 9_999, 10_000,
    65_535, 99_999, 100_000, 999_999, 1_000_000, 999_999_999, 1_000_000_000,
  ].map(BigInt),
  ...powers.flatMap((power) => [2n ** power - 1n, -(2n ** power)]),
  -(2n ** 53n - 1n),
].toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));

/**
 * Finds, as a fragment of a schema, the bounds of whole numbers that a service has and the document has not.
 *
 * @param input.taken - one that is known to be accepted
 * @param input.ends - the largest numbers that could be sent, and the smallest, the furthest first
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
    const refused = ends.find(isValid);
    if (refused !== undefined && refused !== taken && !(await takes(refused))) {
      const bound = await bisectBound({ taken, refused, notable: notableNumbers, takes });
      bounds[keyword] = toJsonNumber(String(bound));
    }
  }
  return bounds;
}

/** What a refusal says, whatever numbers it repeats. */
function signature({ status, received }: ProbeExchange): string {
  const text = received === undefined ? '' : stringifyJson(received);
  return `${status} ${text.replaceAll(/-?\d+(?:\.\d+)?/gu, '0')}`;
}

/** No key that is drawn is as large. */
const pastEveryKey = 2n ** 31n;

/** Keys that were never sent, far out; every key is less than 2^31, so that none of them is another's. */
const small: readonly Required<ProbeKey>[] = [
  { slot: 1_006, offset: '-9223372036854775808' },
  { slot: 1_007, offset: '-9007199254740992' },
  { slot: 1_001, offset: '-2147483648' },
];
const large: readonly Required<ProbeKey>[] = [
  { slot: 1_002, offset: '9223372034707292160' },
  { slot: 1_003, offset: '9007199254740992' },
  { slot: 1_004, offset: '4294967296' },
  { slot: 1_005, offset: '2147483648' },
];

/**
 * Bounds that are believed where a refusal does not say whether a key is out of bounds or another's: a key that exists
 * beside one of them, and so moves it, is unlikely.
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
 * Finds, as a fragment of a schema, the bounds of the key that a service holds to and the document does not; undefined
 * where there is a bound and it cannot be told. Keys of other resources are told from those out of bounds by the words of
 * the refusal; where these are the same, only bounds that are usual are believed.
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
  let slot = 2_000;
  /** Whether keys are refused too that nobody has sent before: that several are another's is unlikely. */
  async function refusesOthers(offset: string): Promise<boolean> {
    for (let count = 0; count < 2; count += 1) {
      slot += 1;
      if (!isRefused(await send([{ slot, offset }]))) return false;
    }
    return true;
  }
  const isBelievable = async (keyword: 'minimum' | 'maximum', bound: bigint): Promise<boolean> =>
    usualBounds.has(bound) && refusesOthers(String(keyword === 'minimum' ? bound - pastEveryKey : bound));

  const bounds: JsonObject = {};
  for (const [keyword, pieces] of [['minimum', small] as const, ['maximum', large] as const]) {
    const piece = pieces.find((each) => probeSession.isValid(write([each])));
    const far = piece === undefined ? undefined : await send([piece]);
    const farKey = isJsonObject(far?.sent) ? far.sent[key.property] : undefined;
    if (piece === undefined || far === undefined || farKey === undefined || !isRefused(far)) continue;
    const isAmbiguous = isRefused(repeated) && signature(repeated) === signature(far);
    if (isAmbiguous && !(await refusesOthers(piece.offset))) continue;
    const takes = async (value: bigint): Promise<boolean> => {
      const exchange = await send([String(value)]);
      const isRepeated = isRefused(repeated) && signature(exchange) === signature(repeated);
      return !isRefused(exchange) || (!isAmbiguous && isRepeated);
    };
    const found = await findNumberBounds({
      taken: BigInt(taken),
      ends: [[keyword, [BigInt(stringifyJson(farKey))]]],
      isValid: () => true,
      takes,
    });
    const bound = found[keyword];
    if (isAmbiguous && bound !== undefined && !(await isBelievable(keyword, BigInt(stringifyJson(bound))))) {
      return undefined;
    }
    Object.assign(bounds, found);
  }
  return bounds;
}

/** Longer texts are not sent. */
const longest = 65_536;
const notableLengths = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 36, 40, 50, 60, 63, 64, 80, 100, 120, 127, 128,
  140, 150, 160, 180, 190, 191, 200, 250, 254, 255, 256, 300, 400, 500, 511, 512, 1_000, 1_023, 1_024, 2_000,
  2_047, 2_048, 4_000, 4_095, 4_096, 5_000, 8_000, 8_191, 8_192, 10_000, 16_383, 16_384, 20_000, 30_000,
  32_767, 32_768, 50_000, 65_535,
].map(BigInt);

/** The longest text that can be sent: the schema and the limit of the body allow it. */
async function findLongest({ usual, isValid, takesBytes }: TextOfBody): Promise<number> {
  const lengths = [longest, ...notableLengths.toReversed().map(Number)].filter((length) => length > usual);
  for (const length of lengths.filter(isValid)) {
    if (await takesBytes(length)) return length;
  }
  return usual;
}

/** The lengths of texts that a service bounds and the document does not, as a fragment of a schema. */
export async function findTextBounds(text: TextOfBody): Promise<JsonObject> {
  const { usual, takes, isValid } = text;
  const findBound = async (keyword: string, end: number): Promise<JsonObject> => {
    if (await takes(end)) return {};
    const bound = await bisectBound({
      taken: BigInt(usual),
      refused: BigInt(end),
      notable: notableLengths,
      takes: (value) => takes(Number(value)),
    });
    return { [keyword]: Number(bound) };
  };
  const most = await findLongest(text);
  const maxLength = most === usual ? {} : await findBound('maxLength', most);
  const least = [0, 1, 2, 3, 4, 6, 8].find(isValid) ?? usual;
  const minLength = least >= usual ? {} : await findBound('minLength', least);
  return { ...minLength, ...maxLength };
}

/** Characters that services refuse, with what stands for them in a pattern where all of a class are refused. */
const classes: readonly { readonly characters: readonly string[]; readonly pattern: string }[] = [
  { characters: ['\u0000', '\u0007'], pattern: '\\u0000-\\u001F' },
  { characters: ['é', '日', '😀'], pattern: '\\u0080-\\u{10FFFF}' },
  { characters: ['日', '😀'], pattern: '\\u0100-\\u{10FFFF}' },
  { characters: ['<', '>'], pattern: '<>' },
  { characters: ['7'], pattern: '0-9' },
  { characters: ['\u0000'], pattern: '\\u0000' },
  { characters: ['\u0007'], pattern: '\\u0001-\\u001F' },
  { characters: ['😀'], pattern: '\\u{10000}-\\u{10FFFF}' },
  { characters: [' '], pattern: ' ' },
  { characters: ["'"], pattern: "'" },
  { characters: ['"'], pattern: '"' },
  { characters: ['&'], pattern: '&' },
  { characters: ['<'], pattern: '<' },
  { characters: ['>'], pattern: '>' },
  { characters: ['%'], pattern: '%' },
  { characters: ['.'], pattern: '.' },
  { characters: ['_'], pattern: '_' },
  { characters: ['-'], pattern: '\\-' },
];
/** What a text that is a name or a word may hold besides letters. */
const mild: ReadonlyMap<string, string> = new Map([
  ['7', '0-9'],
  [' ', ' '],
  ["'", "'"],
  ['.', '.'],
  ['_', '_'],
  ['-', '\\-'],
]);
const characters = [...new Set(classes.flatMap((each) => each.characters))];

/** The pattern (JSON Schema) of texts without the characters that a service refuses; undefined where it refuses none. */
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

/** Names what is left where next to nothing is: letters, and what of these is not refused. */
function fewAllowed(refused: ReadonlySet<string>): string | undefined {
  const isFew = characters.every((character) => refused.has(character) || mild.has(character));
  const left = [...mild].flatMap(([character, pattern]) => (refused.has(character) ? [] : [pattern]));
  return isFew ? `^[A-Za-z${left.join('')}]*$` : undefined;
}

function withoutRefused(found: ReadonlySet<string>): string {
  const refused = new Set(found);
  const parts: string[] = [];
  for (const { characters: members, pattern } of classes) {
    if (members.every((character) => refused.has(character))) {
      parts.push(pattern);
      members.forEach((character) => refused.delete(character));
    }
  }
  return `^[^${parts.join('')}]*$`;
}
