import type { Arbitrary } from 'fast-check';
import type { Parameter } from '../contract/read-parameters.ts';
import type { Framing, HeaderList } from '../http/message.ts';

/** The credentials of a request; the token itself is added when the request is sent. */
export type CredentialCase = CredentialKind & {
  /** The schemes of its alternative, joined with spaces. @defaultValue the one that good credentials are sent for */
  readonly alternative?: string;
  /** The second user sends the request. @defaultValue the first one */
  readonly user?: 'other';
};

type CredentialKind =
  /** As the document requires. */
  | { readonly kind: 'good' }
  /** No credentials. */
  | { readonly kind: 'none' }
  /** The good token with an unusual spelling of the scheme or of the space after it (RFC 9110 §11.1). */
  | { readonly kind: 'spelled'; readonly scheme: string; readonly space: string }
  /** The good token without any scheme. */
  | { readonly kind: 'bare' }
  /** The good token with the name of another scheme, `Token` or `Digest`. */
  | { readonly kind: 'other-scheme'; readonly scheme: string }
  /** A field value without a good token: `Bearer`, `Basic dXNlcjpwYXNz`. */
  | { readonly kind: 'literal'; readonly value: string }
  /** A token that was never issued, sent as the document requires; it is drawn when the request is sent. */
  | { readonly kind: 'wrong-token' }
  /** The good token with its last character changed, removed or doubled, or in the other case. */
  | {
      readonly kind: 'altered-token';
      readonly how: 'last-character' | 'shortened' | 'lengthened' | 'other-case';
    };

/**
 * A class of ids that the allocator can draw fresh ids from: `plain`: 1 to 2^31−1; `negative`; `past-int32`: above
 * 2^31; `past-double`: not even and above 2^53; `near-int64-max` and `near-int64-min`: close to the ends of int64;
 * `past-int64`: above them. For ids that are strings, every class draws a fresh text of ASCII letters and digits.
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
 * A placeholder of an id in a body. Placeholders with the same number get the same id within one id context. The
 * colliding variants differ from it only above 2^53 (`double-collision`) or only above 32 bits (`int32-collision`).
 */
export interface KeyPlaceholder {
  readonly slot: number;
  readonly class: KeyClass;
  readonly variant: 'itself' | 'double-collision' | 'int32-collision';
  /** The spelling of an id that is a text. @defaultValue lower-case letters */
  readonly spelling?: IdSpelling;
  /** Whether it uses the serial number of the last context above, so that only the spelling differs. @defaultValue false */
  readonly isOfAbove?: boolean;
  /** The encoding of the id in a body. @defaultValue UTF-8 */
  readonly encoding?: 'utf-16le' | 'utf-16be';
  /** For the id of an existing item: the path of the item without names, and the fallback if none exists. */
  readonly of?: { readonly item: string; readonly plain: string };
}

/** The placeholder of a plain id. */
export const plainKey: KeyPlaceholder = { slot: 0, class: 'plain', variant: 'itself' };

/**
 * An unusual spelling of an id that is a text. Each contains the letters of the plain one: `key/abcdef` is `slashed`.
 */
export type IdSpelling = 'capital' | 'spaced' | 'slashed' | 'dotted' | 'accented';

/** A part of a body: text (sent as UTF-8), raw bytes, or the placeholder of an id. */
export type BodyPart = string | Uint8Array | KeyPlaceholder;

/**
 * A request before it is sent. Ids and credentials are added when it is sent. A case can be sent again, shrunk and
 * replayed without conflicts with its earlier items.
 */
export interface RequestCase {
  /** The id of the operation that the request is for, or undefined for none. */
  readonly operationId: string | undefined;
  readonly method: string;
  /** Path and query below the base URL, percent-encoded; existing items are written as parameters: `/pets/{petId}`. */
  readonly target: string;
  /** Without credentials; includes Content-Type if there is one. */
  readonly headers: HeaderList;
  readonly credentials: CredentialCase;
  /** The parts of the content in order, or undefined for no content. */
  readonly body: readonly BodyPart[] | undefined;
  /** Whether its texts are made unique although the client chooses the ids. @defaultValue false */
  readonly isUnique?: boolean;
  /** The id in the path of a PUT that creates an item. @defaultValue a plain one */
  readonly ownKey?: KeyPlaceholder;
  readonly framing: Framing;
}

/** The parts of a content in order. */
export type Body = readonly BodyPart[];

/** Cases to try: fixed ones, the plainest first, and random ones that shrink. */
export interface Cases<Case> {
  readonly examples: readonly Case[];
  /** Creates the first case without the others. @defaultValue that of the examples */
  readonly first?: (() => Case | undefined) | undefined;
  /** The maximum number of examples, if they are created on demand; there may be none. */
  readonly mostExamples?: number | undefined;
  /** Whether random cases may follow, if that is determined on demand. @defaultValue as `arbitrary` says */
  readonly mayBeRandom?: boolean | undefined;
  /** Undefined if there are only examples. */
  readonly arbitrary: Arbitrary<Case> | undefined;
}

/** Returns the first case, created without the others if possible; undefined if there is none. */
export function firstCase<Case>(cases: Pick<Cases<Case>, 'first' | 'examples'>): Case | undefined {
  return cases.first === undefined ? cases.examples[0] : cases.first();
}

/** An empty set of cases. */
export const noCases: Cases<never> = { examples: [], arbitrary: undefined };

/**
 * Creates cases on demand, because a document may have thousands of operations. Until then only the maximum number of
 * examples is known, and whether random ones may follow.
 */
export function lateCases<Case>(
  mostExamples: number,
  make: () => Cases<Case>,
  mayBeRandom = true,
): Cases<Case> {
  return new LateCases(mostExamples, make, mayBeRandom);
}

/** A class, because a large document has hundreds of thousands, and a getter per object takes a kilobyte. */
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

/** Creates cases whose first case exists already, and whose other cases are created on demand. */
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

/** Removes repeated bodies. */
export function distinctBodies(bodies: readonly Body[]): readonly Body[] {
  return [...new Map(bodies.toReversed().map((body) => [JSON.stringify(body), body])).values()].toReversed();
}

/** Interleaves lists: the first of each, then the second of each, and so on. */
export function takeTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const rounds = Math.max(0, ...lists.map((list) => list.length));
  return [...Array(rounds).keys()].flatMap((round) => lists.flatMap((list) => list.slice(round, round + 1)));
}

/** Returns whether a part of a body is the placeholder of an id. */
export function isKeySlot(part: BodyPart): part is KeyPlaceholder {
  return typeof part === 'object' && 'slot' in part;
}

/** Returns the placeholders of fresh ids in the body of a request. */
export function keySlots({ body = [] }: RequestCase): readonly KeyPlaceholder[] {
  return body.filter(isKeySlot).filter(({ of }) => of === undefined);
}

/** Returns the paths, without names, of the items that the body of a request names. */
export function namedItems({ body = [] }: RequestCase): readonly string[] {
  return body.filter(isKeySlot).flatMap(({ of }) => of?.item ?? []);
}

/** Returns whether a JSON token is a text, either a key or a value. */
export function isText(part: BodyPart | undefined): part is string {
  return typeof part === 'string' && part.startsWith('"');
}

/** Joins adjacent texts of a content, which makes a case short to read and to send. */
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

/** Maps cases to another form, created as late as the originals. */
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

/** The serialized value of each parameter; undefined for one that is left out. */
export type ParameterTexts = ReadonlyMap<Parameter, string | undefined>;
