import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Asker, ProbeExchange, ProbePiece } from '../probe.ts';
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

/** Keys that were never sent, far out; every key is less than 2^31, so that none of them is another's. */
const negative: ProbePiece = { slot: 1_001, offset: '-2147483648' };
const large: readonly ProbePiece[] = [
  { slot: 1_002, offset: '9223372034707292160' },
  { slot: 1_003, offset: '9007199254740992' },
  { slot: 1_004, offset: '4294967296' },
  { slot: 1_005, offset: '2147483648' },
];

/**
 * Finds the bounds of the key that a service holds to and the document does not. What is refused for being
 * taken by another resource is told from what is out of bounds by the words of the refusal.
 *
 * @returns a fragment of a schema; without a bound where its refusals do not say which of the two it is
 */
export async function findKeyBounds(asker: Asker): Promise<JsonObject> {
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
  const bounds: JsonObject = {};
  const upper = large.find((piece) => isValid([piece]));
  for (const [keyword, piece] of [['minimum', negative] as const, ['maximum', upper] as const]) {
    const far = piece === undefined || !isValid([piece]) ? undefined : await send([piece]);
    const farKey = isJsonObject(far?.sent) ? far.sent[key.property] : undefined;
    if (far === undefined || farKey === undefined || !isRefused(far)) {
      continue;
    }
    if (isRefused(repeated) && signature(repeated) === signature(far)) {
      continue;
    }
    const takes = async (value: bigint): Promise<boolean> => {
      const exchange = await send([String(value)]);
      return !isRefused(exchange) || (isRefused(repeated) && signature(exchange) === signature(repeated));
    };
    const found = await findNumberBounds({
      taken: BigInt(taken),
      ends: [[keyword, [BigInt(stringifyJson(farKey))]]],
      isValid: () => true,
      takes,
    });
    Object.assign(bounds, found);
  }
  return bounds;
}
