import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Asker, ProbeExchange, ProbeKey, ProbePiece } from '../probe.ts';
import { findNumberBounds } from './find-number-bounds.ts';
import { isRefused } from './is-refused.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** What a refusal says, whatever numbers it repeats. */
function signature({ status, received }: ProbeExchange): string {
  const text = received === undefined ? '' : stringifyJson(received);
  return `${status} ${text.replaceAll(/-?\d+(?:\.\d+)?/gu, '0')}`;
}

/** Sends the sample with another key. */
function createSender(asker: Asker, property: string) {
  const write = (value: readonly ProbePiece[]): readonly ProbePiece[] =>
    writeBody(withMember(asker.sample() ?? [], property, value));
  return {
    isValid: (value: readonly ProbePiece[]) => asker.isValid(write(value)),
    send: (value: readonly ProbePiece[]) => asker.send({ body: write(value) }),
  };
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
 * Finds the bounds of the key that a service holds to and the document does not. What is refused for being
 * taken by another resource is told from what is out of bounds by the words of the refusal; where these are the same,
 * only bounds that are usual are believed.
 *
 * @returns a fragment of a schema; undefined where there is a bound and it cannot be told
 */
export async function findKeyBounds(asker: Asker): Promise<JsonObject | undefined> {
  const { key } = asker;
  if (key === undefined) {
    return {};
  }
  const { isValid, send } = createSender(asker, key.property);
  const plain = await send([{ slot: 1_000 }]);
  const repeated = await send([{ slot: 1_000 }]);
  const { sent } = plain;
  const taken = isJsonObject(sent) ? sent[key.property] : undefined;
  if (!plain.isAccepted || typeof taken !== 'number') {
    return {};
  }
  let slot = 2_000;
  /** Whether keys are refused too that nobody has sent before: that several are another's is unlikely. */
  async function refusesOthers(offset: string): Promise<boolean> {
    for (let count = 0; count < 2; count += 1) {
      slot += 1;
      if (!isRefused(await send([{ slot, offset }]))) {
        return false;
      }
    }
    return true;
  }
  const isBelievable = async (keyword: 'minimum' | 'maximum', bound: bigint): Promise<boolean> =>
    usualBounds.has(bound) && refusesOthers(String(keyword === 'minimum' ? bound - pastEveryKey : bound));

  const bounds: JsonObject = {};
  for (const [keyword, pieces] of [['minimum', small] as const, ['maximum', large] as const]) {
    const piece = pieces.find((each) => isValid([each]));
    const far = piece === undefined ? undefined : await send([piece]);
    const farKey = isJsonObject(far?.sent) ? far.sent[key.property] : undefined;
    if (piece === undefined || far === undefined || farKey === undefined || !isRefused(far)) {
      continue;
    }
    const isAmbiguous = isRefused(repeated) && signature(repeated) === signature(far);
    if (isAmbiguous && !(await refusesOthers(piece.offset))) {
      continue;
    }
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
