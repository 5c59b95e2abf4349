import {
  type Bracket,
  findLimit,
  isBetween,
  notableNumbers,
  type NumberProbe,
  type Verdict,
} from './find-limit.ts';

/** The distance from a notable number within which ids of earlier runs may hide the exact limit. */
const raggedness = 4n;

/**
 * Returns the notable number at or just past the limit that ids of earlier runs may hide. Below the accepted number,
 * only numbers up to one count, because a store that counts its ids uses the others.
 */
function nearestNotable({ accepted, refused }: Bracket): bigint | undefined {
  const distance = (number: bigint): bigint => (number - accepted) * (refused - accepted);
  return notableNumbers
    .filter((number) => distance(number) >= 0n && distance(number) < raggedness)
    .filter((number) => refused > accepted || number <= 1n)
    .toSorted((left, right) => (distance(left) < distance(right) ? -1 : 1))[0];
}

/**
 * Finds the two adjacent integers between which rejection starts, exact to the last digit. If a rejection may also mean
 * an existing id (`isVague`), only a limit at a notable number is reported, because ids can be anywhere. Returns
 * undefined if a probe has the verdict `other`, or if the rejected numbers are not a range.
 */
export async function findValueBound(input: {
  readonly bracket: Bracket;
  readonly probe: NumberProbe;
  readonly isVague: boolean;
  readonly draw: (bracket: Bracket) => bigint;
}): Promise<Bracket | undefined> {
  const { bracket, isVague, draw } = input;

  /** If a number past a rejected one is accepted, the rejected one is an existing id. */
  async function probe(number: bigint): Promise<Verdict> {
    const verdict = await input.probe(number);
    const further = { accepted: number, refused: bracket.refused };
    if (verdict !== 'refused' || !isVague || number === bracket.refused) return verdict;
    const others = [
      draw(further),
      draw({ accepted: number, refused: number + (bracket.refused > number ? 9n : -9n) }),
    ];
    const verdicts = await Promise.all(
      others.filter((other) => isBetween(other, further)).map((other) => input.probe(other)),
    );
    return verdicts.includes('accepted') ? 'accepted' : 'refused';
  }

  const found = await findLimit(bracket, probe);
  if (found === undefined) return undefined;
  const step = found.refused - found.accepted;
  const limit = isVague ? nearestNotable(found) : found.accepted;
  if (limit === undefined) return undefined;
  const beyond = { accepted: limit + step, refused: bracket.refused };
  const within = { accepted: limit, refused: bracket.accepted };
  if ((await probe(limit + step)) !== 'refused') return undefined;
  // Numbers that the document does not allow are not sent.
  for (const number of [limit + 2n * step, limit + 3n * step, draw(beyond), draw(beyond)]) {
    if ((await probe(number)) === 'accepted') return undefined;
  }
  // If a rejection may mean an existing id, numbers within the limit may be ids of this run and prove nothing.
  const inside = isVague ? [] : [draw(within), draw(within)].filter((number) => isBetween(number, within));
  for (const number of inside) {
    if ((await probe(number)) !== 'accepted') return undefined;
  }
  return { accepted: limit, refused: limit + step };
}

/** Spreads serial numbers evenly over a range. */
const scatter = 0x9e_37_79_b9_7f_4a_7c_15n;

function drawWithin({ accepted, refused }: Bracket, serial: number): bigint {
  const [low, high] = accepted < refused ? [accepted, refused] : [refused, accepted];
  return high - low < 2n
    ? high
    : low + 1n + (BigInt.asUintN(64, BigInt(serial) * scatter) % (high - low - 1n));
}

/** The response of a service to a number. */
interface NumberAnswer {
  readonly verdict: Verdict;
  /** The signature of a refusal, if a response has one (`refusalSignature`). */
  readonly signature?: string | undefined;
}

/** The numbers of one place in a body. */
interface NumberSearch {
  /** A number that was accepted. */
  readonly accepted: bigint;
  /** Numbers on each side of it. The first one that the document allows shows whether there is a limit. */
  readonly ends: { readonly above: readonly bigint[]; readonly below: readonly bigint[] };
  /** The verdict is `other`, and nothing is sent, if the document forbids a number. */
  readonly send: (number: bigint) => Promise<NumberAnswer>;
  /** The signature of the refusal of an id that exists; undefined for numbers that can be sent again. */
  readonly exists?: string | undefined;
  /** Returns a different number each time. */
  readonly serial?: () => number;
}

/** A limit on one side; `bound` is undefined if a number is rejected there, but no bound can be determined. */
interface NumberLimit {
  readonly isAbove: boolean;
  /** Whether the service refuses an id that exists and one out of bounds alike. */
  readonly isVague: boolean;
  readonly bound: Bracket | undefined;
}

/** Returns the first number that can be sent, and the answer to it. */
async function findAllowed(
  numbers: readonly bigint[],
  send: NumberSearch['send'],
): Promise<{ readonly end: bigint; readonly answer: NumberAnswer } | undefined> {
  for (const end of numbers) {
    const answer = await send(end);
    if (answer.verdict !== 'other') return { end, answer };
  }
  return undefined;
}

/**
 * Finds the numbers at which rejection starts, above and below an accepted one. The response for an existing id differs
 * from that for a number out of bounds, if the service describes the reason.
 */
export async function findNumberLimits(search: NumberSearch): Promise<readonly NumberLimit[]> {
  const { accepted, exists, ends, send } = search;
  let drawn = 0;
  const serial = search.serial ?? (() => (drawn += 1));
  const limits: NumberLimit[] = [];
  for (const isAbove of [true, false]) {
    const known = await findAllowed(isAbove ? ends.above : ends.below, send);
    if (known?.answer.verdict !== 'refused') continue;
    const { end, answer } = known;
    const isVague = exists !== undefined && answer.signature === exists;
    const bound = await findValueBound({
      bracket: { accepted, refused: end },
      isVague,
      draw: (bracket) => drawWithin(bracket, serial()),
      async probe(number) {
        if (number === accepted) return 'accepted';
        const { verdict, signature } = number === end ? answer : await send(number);
        return !isVague && exists !== undefined && signature === exists ? 'accepted' : verdict;
      },
    });
    limits.push({ isAbove, isVague, bound });
  }
  return limits;
}
