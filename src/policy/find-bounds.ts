import { toJsonNumber } from '../json/exact-number.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import {
  findRefusedCharacters,
  type NumberProbe,
  refusalSignature,
  usualLimits,
  type Verdict,
} from './find-limit.ts';
import { findNumberLimits } from './number-limits.ts';
import { isRefused, readTexts, withMember, writeBody } from './probing.ts';
import type { ProbeExchange, ProbeMember, ProbePiece, ProbeSession } from './behaviour.ts';

/** Probes of bodies in which one text has another length, or other characters. */
export interface TextProbes {
  /** Its length in a sample. */
  readonly usual: number;
  readonly length: NumberProbe;
  /** Sends a body as long as with a text of this length, but with white space instead. */
  readonly padding: NumberProbe;
  readonly characters: (characters: string) => Promise<Verdict>;
}

/**
 * Prepares probes of one request each: a body that differs from a sample in one value, with a new id. Any response that
 * is not a rejection counts as accepted: a server error is a fault, not a constraint. The verdict is `other`, and
 * nothing is sent, if the schema forbids the value.
 */
export function createBodyProbes(probeSession: ProbeSession): {
  readonly ofText: (name: string) => TextProbes;
  readonly ofNumber: (name: string) => NumberProbe;
  readonly plain: () => Promise<Verdict>;
} {
  let slot = 0;
  const next = (): readonly ProbeMember[] => {
    slot += 1;
    return probeSession.sample(slot) ?? [];
  };
  async function probe(body: readonly ProbePiece[], sent = body): Promise<Verdict> {
    if (!probeSession.isValid(body)) return 'other';
    return isRefused(await probeSession.send({ body: sent })) ? 'refused' : 'accepted';
  }

  function changed(name: string, change: (text: string) => string): readonly ProbePiece[] {
    const members = next();
    const text = readTexts(members).get(name) ?? '';
    return writeBody(withMember(members, name, [JSON.stringify(change(text))]));
  }

  return {
    plain: () => probe(writeBody(next())),
    ofText(name) {
      const usual = readTexts(next()).get(name)?.length ?? 0;
      const long = (length: bigint) =>
        changed(name, (text) =>
          length <= text.length
            ? text.slice(text.length - Number(length))
            : text.padEnd(Number(length), text),
        );
      return {
        usual,
        length: (length) => probe(long(length)),
        padding: (length) => probe(long(length), [...writeBody(next()), ' '.repeat(Number(length) - usual)]),
        // Replaces the second letter: the last ones make samples unique, and a service may trim the ends.
        characters: (characters) =>
          probe(changed(name, (text) => `${text.slice(0, 1)}${characters}${text.slice(2)}`)),
      };
    },
    ofNumber: (name) => (value) => probe(writeBody(withMember(next(), name, [String(value)]))),
  };
}

/** Returns limits as keywords of JSON Schema. */
function toKeywords(
  limits: Awaited<ReturnType<typeof findNumberLimits>>,
  [least, most]: readonly [string, string] = ['minimum', 'maximum'],
): JsonObject {
  const keywords: JsonObject = {};
  for (const { isAbove, bound } of limits.toReversed()) {
    if (bound === undefined) continue;
    keywords[isAbove ? most : least] = toJsonNumber(String(bound.accepted));
  }
  return keywords;
}

/** The largest numbers to send, and the smallest, the most distant first. */
const largest = [2n ** 53n - 1n, 2n ** 31n - 1n, 1_000_000n, 65_535n, 1_000n, 255n, 100n, 10n];
const smallest = [-(2n ** 53n - 1n), -(2n ** 31n), -1_000_000n, -1_000n, -1n, 0n, 1n];

/**
 * Finds the bounds of integers that a service has and the document does not, as a fragment of a schema. The service is
 * known to accept `accepted`.
 */
export async function findNumberBounds(accepted: bigint, probe: NumberProbe): Promise<JsonObject> {
  const limits = await findNumberLimits({
    accepted,
    ends: { above: largest, below: smallest },
    send: async (number) => ({ verdict: await probe(number) }),
  });
  return toKeywords(limits);
}

/** Offsets that move an id of a run out of the range of all ids of a run. The most distant come first. */
const farAbove = [2n ** 63n - 2n ** 31n, 2n ** 53n, 2n ** 32n, 2n ** 31n];
const farBelow = [-(2n ** 63n), -(2n ** 53n), -(2n ** 31n)];

function signature({ status, received }: ProbeExchange): string {
  return refusalSignature(status, received === undefined ? '' : stringifyJson(received));
}

/**
 * Finds the bounds of ids that a service enforces and the document does not specify, as a fragment of a schema. Returns
 * undefined if there is a bound that cannot be determined.
 */
export async function findKeyBounds(probeSession: ProbeSession): Promise<JsonObject | undefined> {
  const { key } = probeSession;
  if (key === undefined) return {};
  const write = (value: ProbePiece) =>
    writeBody(withMember(probeSession.sample() ?? [], key.property, [value]));
  const plain = await probeSession.send({ body: write({ slot: 1_000 }) });
  const repeated = await probeSession.send({ body: write({ slot: 1_000 }) });
  const taken = isJsonObject(plain.sent) ? plain.sent[key.property] : undefined;
  if (!plain.isAccepted || typeof taken !== 'number') return {};
  const accepted = BigInt(taken);
  const limits = await findNumberLimits({
    accepted,
    ends: {
      above: farAbove.map((offset) => accepted + offset),
      below: farBelow.map((offset) => accepted + offset),
    },
    exists: isRefused(repeated) ? signature(repeated) : undefined,
    async send(number) {
      const body = write(String(number));
      if (!probeSession.isValid(body)) return { verdict: 'other' };
      const exchange = await probeSession.send({ body });
      return { verdict: isRefused(exchange) ? 'refused' : 'accepted', signature: signature(exchange) };
    },
  });
  const isUnclear = limits.some(({ isVague, bound }) => isVague && bound === undefined);
  return isUnclear ? undefined : toKeywords(limits);
}

/** The lengths of texts to send, the most distant first. */
const longest = usualLimits.filter((length) => length <= 65_536n).toReversed();
const shortest = [0n, 1n, 2n, 3n, 4n, 6n, 8n];

/** Finds the lengths of texts that a service bounds and the document does not, as a fragment of a schema. */
export async function findTextBounds({ usual, length, padding }: TextProbes): Promise<JsonObject> {
  let most: bigint | undefined;
  for (const each of longest.filter((length) => length > usual)) {
    // A limit on the whole body is none on the text.
    if ((await padding(each)) !== 'accepted') continue;
    most = each;
    break;
  }
  const limits = await findNumberLimits({
    accepted: BigInt(usual),
    ends: { above: most === undefined ? [] : [most], below: shortest.filter((length) => length < usual) },
    send: async (number) => ({ verdict: await length(number) }),
  });
  return toKeywords(limits, ['minLength', 'maxLength']);
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
export async function findTextPattern(text: TextProbes): Promise<string | undefined> {
  const refused = new Set(await findRefusedCharacters(characters, text.characters));
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
