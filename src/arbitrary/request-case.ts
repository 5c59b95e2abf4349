import type { Arbitrary } from 'fast-check';
import type { Parameter } from '../contract/read-parameters.ts';
import type { Framing, HeaderList } from '../http/message.ts';

/** What a request shows as its credentials; the token itself is filled in as the request leaves. */
export type CredentialCase = CredentialKind & {
  /** The schemes of the alternative that it is for, joined with spaces. @defaultValue the one that good credentials are sent for */
  readonly alternative?: string;
};

type CredentialKind =
  /** As the document asks for them. */
  | { readonly kind: 'good' }
  /** None at all. */
  | { readonly kind: 'none' }
  /** The good token with an unusual spelling of the scheme or of the space behind it (RFC 9110 §11.1). */
  | { readonly kind: 'spelled'; readonly scheme: string; readonly space: string }
  /** The good token without any scheme. */
  | { readonly kind: 'bare' }
  /** The good token behind another scheme's name, `Token` or `Digest`. */
  | { readonly kind: 'other-scheme'; readonly scheme: string }
  /** A field value of its own that holds no good token: `Bearer`, `Basic dXNlcjpwYXNz`. */
  | { readonly kind: 'literal'; readonly value: string }
  /** A token that nobody issued, sent as the document asks for it; it is drawn as the request leaves. */
  | { readonly kind: 'wrong-token' }
  /** The good token with its last character changed, cut off, or doubled, or in the other case. */
  | {
      readonly kind: 'altered-token';
      readonly how: 'last-character' | 'shortened' | 'lengthened' | 'other-case';
    };

/**
 * A class of keys that the allocator can draw from, so that a key under test can be drawn fresh too: `plain`: 1 to
 * 2^31−1; `negative`; `past-int32`: above 2^31; `past-double`: odd and above 2^53; `near-int64-max` and
 * `near-int64-min`: close to the ends of int64; `past-int64`: above them. For keys that are strings every class gives
 * a fresh text of ASCII letters and digits.
 */
export type KeyClass =
  | 'plain'
  | 'negative'
  | 'past-int32'
  | 'past-double'
  | 'near-int64-max'
  | 'near-int64-min'
  | 'past-int64';

/**
 * The place of a key in a body. Slots of one number get one key within one binding; the twins of a key differ from it
 * only past 2^53 (`double-twin`) or only past 32 bits (`int32-twin`).
 */
export interface KeyPlaceholder {
  readonly slot: number;
  readonly class: KeyClass;
  readonly variant: 'itself' | 'double-twin' | 'int32-twin';
  /** Whether a key that is a text begins with a capital. @defaultValue false */
  readonly isCapital?: boolean;
  /** How the key is written into a body. @defaultValue UTF-8 */
  readonly encoding?: 'utf-16le' | 'utf-16be';
  /** Where it is the key of an item that exists: the path of the item without names, and what stands for it where there is none. */
  readonly of?: { readonly item: string; readonly plain: string };
}

/** The slot of a plain key. */
export const plainKey: KeyPlaceholder = { slot: 0, class: 'plain', variant: 'itself' };

/** A piece of a body: text (sent as UTF-8), bytes as they are, or the place of a key. */
export type BodyPart = string | Uint8Array | KeyPlaceholder;

/**
 * A request before it leaves. Keys and credentials are filled in as it is sent, so that a case can be sent again,
 * shrunk and replayed without meeting its own trace.
 */
export interface RequestCase {
  /** The id of the operation that the request is aimed at, or undefined where it is aimed at none. */
  readonly operationId: string | undefined;
  readonly method: string;
  /** Path and query below the base URL, percent-encoded; items that exist are written as parameters: `/pets/{petId}`. */
  readonly target: string;
  /** Without credentials; Content-Type is here where there is one. */
  readonly headers: HeaderList;
  readonly credentials: CredentialCase;
  /** The pieces of the content in order, or undefined where there is none. */
  readonly body: readonly BodyPart[] | undefined;
  readonly framing: Framing;
}

/** The pieces of a content in order. */
export type Body = readonly BodyPart[];

/** What there is to try: fixed cases, the plainest first, and random ones that shrink. */
export interface Cases<Case> {
  readonly examples: readonly Case[];
  /** The first of them, made without the others. @defaultValue that of the examples */
  readonly first?: (() => Case | undefined) | undefined;
  /** How many examples there are at most, where they are made when they are first asked for; there may be none. */
  readonly mostExamples?: number | undefined;
  /** Whether random ones may follow, where that too is seen when they are made. @defaultValue as `arbitrary` says */
  readonly mayBeRandom?: boolean | undefined;
  /** Undefined where the examples are all there is. */
  readonly arbitrary: Arbitrary<Case> | undefined;
}

/** The first case of some, made without the others where that can be; undefined where there is none. */
export function firstCase<Case>(cases: Pick<Cases<Case>, 'first' | 'examples'>): Case | undefined {
  return cases.first === undefined ? cases.examples[0] : cases.first();
}

/** There is nothing to try. */
export const noCases: Cases<never> = { examples: [], arbitrary: undefined };

/**
 * Cases that are made when they are first asked for, as a document may have thousands of operations: until then all that
 * is known is how many examples there are at most, and whether random ones may follow.
 */
export function lateCases<Case>(
  mostExamples: number,
  make: () => Cases<Case>,
  mayBeRandom = true,
): Cases<Case> {
  return new LateCases(mostExamples, make, mayBeRandom);
}

/** Of a large document there are hundreds of thousands, and a getter of each object's own takes a kilobyte. */
class LateCases<Case> implements Cases<Case> {
  readonly mostExamples: number;
  readonly mayBeRandom: boolean;
  readonly #make: () => Cases<Case>;
  #made: Cases<Case> | undefined;

  constructor(mostExamples: number, make: () => Cases<Case>, mayBeRandom: boolean) {
    this.mostExamples = mostExamples;
    this.mayBeRandom = mayBeRandom;
    this.#make = make;
  }

  get #whole(): Cases<Case> {
    return (this.#made ??= this.#make());
  }

  get examples(): readonly Case[] {
    return this.#whole.examples;
  }

  get arbitrary(): Arbitrary<Case> | undefined {
    return this.#whole.arbitrary;
  }

  first(): Case | undefined {
    return firstCase(this.#whole);
  }
}

/** Cases of which the first is there already, and the others are made when they are first asked for. */
export function lateExamples<Case>(input: {
  readonly first: Case;
  readonly mostExamples: number;
  readonly makeExamples: () => readonly Case[];
  readonly arbitrary: Arbitrary<Case> | undefined;
}): Cases<Case> {
  const { first, mostExamples, makeExamples, arbitrary } = input;
  let made: readonly Case[] | undefined;
  return {
    get examples() {
      made ??= makeExamples();
      return made;
    },
    first: () => first,
    mostExamples,
    arbitrary,
  };
}

/** The bodies without those that stand earlier in the list. */
export function distinctBodies(bodies: readonly Body[]): readonly Body[] {
  return [...new Map(bodies.toReversed().map((body) => [JSON.stringify(body), body])).values()].toReversed();
}

/** The first of each list, then the second of each, and so on. */
export function takeTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const rounds = Math.max(0, ...lists.map((list) => list.length));
  return [...Array(rounds).keys()].flatMap((round) => lists.flatMap((list) => list.slice(round, round + 1)));
}

/** Whether a piece of a body is the place of a key. */
export function isKeySlot(part: BodyPart): part is KeyPlaceholder {
  return typeof part === 'object' && 'slot' in part;
}

/** The places of fresh keys in the body of a request. */
export function keySlots({ body = [] }: RequestCase): readonly KeyPlaceholder[] {
  return body.filter(isKeySlot).filter(({ of }) => of === undefined);
}

/** The items that the body of a request names, by their paths without names. */
export function namedItems({ body = [] }: RequestCase): readonly string[] {
  return body.filter(isKeySlot).flatMap(({ of }) => of?.item ?? []);
}

/** Whether a token of JSON is a text, be it a key or a value. */
export function isText(part: BodyPart | undefined): part is string {
  return typeof part === 'string' && part.startsWith('"');
}

/** Joins neighbouring texts of a content to one piece, so that a case is short to read and to send. */
export function joinParts(parts: Body): Body {
  const joined: BodyPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      joined[joined.length - 1] = last + part;
    } else if (part !== '') {
      joined.push(part);
    }
  }
  return joined;
}

/** The same cases in another form, made as late as they are. */
export function mapCases<From, To>(cases: Cases<From>, change: (from: From) => To): Cases<To> {
  return new MappedCases(cases, change);
}

class MappedCases<From, To> implements Cases<To> {
  readonly mostExamples: number;
  readonly mayBeRandom: boolean;
  readonly #cases: Cases<From>;
  readonly #change: (from: From) => To;
  #examples: readonly To[] | undefined;

  constructor(cases: Cases<From>, change: (from: From) => To) {
    this.mostExamples = cases.mostExamples ?? cases.examples.length;
    this.mayBeRandom = cases.mayBeRandom ?? cases.arbitrary !== undefined;
    this.#cases = cases;
    this.#change = change;
  }

  get examples(): readonly To[] {
    return (this.#examples ??= this.#cases.examples.map((from) => this.#change(from)));
  }

  get arbitrary(): Arbitrary<To> | undefined {
    return this.#cases.arbitrary?.map(this.#change);
  }

  first(): To | undefined {
    const first = firstCase(this.#cases);
    return first === undefined ? undefined : this.#change(first);
  }
}

/** What is sent for each parameter, in its style; undefined for one that is left out. */
export type ParameterTexts = ReadonlyMap<Parameter, string | undefined>;
