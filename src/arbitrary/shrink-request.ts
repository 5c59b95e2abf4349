import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../contract/contract.ts';
import { isJsonObject } from '../json/value.ts';
import { type PlainBody, plainContent } from './plain-body.ts';
import { createSlotMarks } from './slot-marks.ts';
import { type Body, isKeySlot, isText, joinParts, type RequestCase } from './request-case.ts';
import { buildRequest, hasValidBody, mayHaveUnknownValue, plainBodyOf, plainRequest } from './request.ts';
import { keepFewer, simplestValues, simplifyValue, valueCost } from './shrink-value.ts';

/** The cost of a body that is not JSON or has an unusual notation: more than that of plain JSON. */
const noJson = 1_000_000;

/** Returns how much there is to read in a body; the placeholder of an id has the minimum cost. */
function bodyCost(body: Body): number {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  if (value !== undefined) return valueCost(value, marks.isMarked);
  const costs = body.map((part) => (isKeySlot(part) ? 1 : part.length));
  return costs.reduce((sum, cost) => sum + cost, noJson);
}

/** The cost of a missing usual field: its absence is more notable than its value. */
const missingField = 100;

/** Returns how much there is to read in a request; the usual header fields of its operation are free. */
export function requestCost(request: RequestCase, usual: RequestCase | undefined): number {
  const usualFields = new Set(usual?.headers.map((field) => field.join(':')));
  const fields = request.headers.map((field) => field.join(':'));
  const unusual = fields.filter((field) => !usualFields.has(field));
  const missing = [...usualFields].filter((field) => !fields.includes(field));
  return (
    // An existing item has the minimum cost.
    request.target.replaceAll(/\{[^{}]*\}/gu, '1').length +
    unusual.join('\n').length +
    missing.length * missingField +
    (request.credentials.kind === 'good' ? 0 : 1) +
    (request.framing === 'content-length' ? 0 : 1) +
    (request.body === undefined ? 0 : bodyCost(request.body))
  );
}

/** Returns the simplest bodies, with the id of the given body if that is drawn fresh when the request is sent. */
function simplestBodies(body: Body, plain: PlainBody): readonly Body[] {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  const { key } = plain;
  const own = key !== undefined && isJsonObject(value) ? value[key.property] : undefined;
  return simplestValues(plain).map((simplest) => {
    const made = plainContent(plain, simplest);
    const model = marks.toValue(made);
    return key !== undefined && own !== undefined && marks.isSlot(own) && isJsonObject(model)
      ? marks.toBody({ ...model, [key.property]: own })
      : made;
  });
}

/**
 * Returns the simplest requests to an operation that may replace a given one: with its id, and with a body if it has
 * one. The smallest comes first; the last one is plain in every respect.
 */
export function simplestRequests(large: RequestCase, operation: Operation): readonly RequestCase[] {
  const { body } = plainRequest(operation);
  const { body: content } = large;
  if (body.kind !== 'body' || content === undefined) return [buildRequest(operation, { body: undefined })];
  // A fault in another notation than the first needs that notation.
  const notations = new Set([plainBodyOf(large, operation) ?? body.body, body.body]);
  return [...notations].flatMap((plain) =>
    simplestBodies(content, plain).map((made) =>
      buildRequest(operation, { body: made, contentType: plain.contentType }),
    ),
  );
}

const pieces = /"(?:[^"\\]|\\.)*"|\s+|[\w.+-]+|[^]/gu;

/** Splits a body into tokens, or a single token into characters. */
function cut(body: Body): Body {
  const tokens = body.flatMap((part): Body =>
    typeof part === 'string' ? [...(part.match(pieces) ?? [])] : [part],
  );
  const [only] = tokens;
  return tokens.length === 1 && typeof only === 'string' ? [...only] : tokens;
}

/** Finds the end of a list item that starts at a comma: the next comma or bracket that is not inside it. */
function endOfItem(tokens: Body, from: number): number {
  let depth = 0;
  for (let index = from + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    const isClosing = token === '}' || token === ']';
    if (depth === 0 && (isClosing || token === ',')) return index;
    depth += Number(token === '{' || token === '[') - Number(isClosing);
  }
  return tokens.length;
}

/**
 * Yields bodies without halves of the tokens, without whole members and items, then without single tokens, and with
 * shorter texts. None is empty, because an empty body is a special case.
 */
function* simplifyPieces(body: Body): Generator<Body> {
  const tokens = cut(body);
  const halves = Math.ceil(tokens.length / 2);
  if (tokens.length > 1) {
    yield joinParts(tokens.slice(0, halves));
    yield joinParts(tokens.slice(halves));
  }
  for (const [index, token] of tokens.entries()) {
    if (token === ',') {
      yield joinParts([...tokens.slice(0, index), ...tokens.slice(endOfItem(tokens, index))]);
    }
  }
  for (const [index, token] of tokens.entries()) {
    if (isText(token) && tokens[index + 1] !== ':' && token.length > '"a"'.length) {
      yield joinParts(tokens.with(index, '"a"'));
    }
  }
  for (const kept of keepFewer(tokens)) {
    if (kept.length > 0) {
      yield joinParts(kept);
    }
  }
}

/**
 * Yields simpler bodies, those closest to the simplest first; some are not smaller. An id that is drawn fresh stays, or
 * is removed with its property; no other id is generated.
 */
function* simplifyBody(body: Body, plain: PlainBody | undefined): Generator<Body> {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  if (value === undefined) {
    yield* simplifyPieces(body);
    return;
  }
  const simplest = plain === undefined ? [] : simplestValues(plain);
  const models = simplest.flatMap((model) => {
    const marked = plain && marks.toValue(plainContent(plain, model));
    return marked === undefined ? [] : [marked];
  });
  const fixedProperty = plain?.key?.property;
  for (const smaller of simplifyValue(value, { models, isFixed: marks.isMarked, fixedProperty })) {
    yield marks.toBody(smaller);
  }
}

/** A request to make smaller, and the constraints. */
interface RequestSimplification {
  readonly large: RequestCase;
  /** The operation that the request is for, or undefined for none. */
  readonly operation: Operation | undefined;
  /** Whether the body may become any smaller one, or only one of the simplest. */
  readonly bodies: 'any' | 'simplest';
}

const aspects = ['target', 'headers', 'credentials', 'framing', 'body'] as const;

/** Yields the simple request with as few aspects of the large one as possible. */
function* keepAspects(large: RequestCase, simple: RequestCase): Generator<RequestCase> {
  const changed = aspects.filter(
    (aspect) => JSON.stringify(large[aspect]) !== JSON.stringify(simple[aspect]),
  );
  for (const kept of keepFewer(changed)) {
    yield { ...simple, ...Object.fromEntries(kept.map((aspect) => [aspect, large[aspect]])) };
  }
}

function* simplifyQuery(target: string): Generator<string> {
  const [path = '', ...query] = target.split('?');
  const pairs = query.length === 0 ? [] : query.join('?').split('&');
  for (const kept of keepFewer(pairs)) {
    yield kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  }
}

function* candidates(input: RequestSimplification, simplest: readonly RequestCase[]): Generator<RequestCase> {
  const { large, operation, bodies } = input;
  for (const simple of simplest) {
    yield* keepAspects(large, simple);
  }
  if (bodies === 'any' && large.body !== undefined) {
    for (const body of simplifyBody(large.body, operation && plainBodyOf(large, operation))) {
      yield { ...large, body };
    }
  }
  for (const target of simplifyQuery(large.target)) {
    yield { ...large, target };
  }
  for (const headers of keepFewer(large.headers)) {
    yield { ...large, headers };
  }
}

/**
 * The maximum number of body characters to process for one step. A list of ten thousand items has as many ways to get
 * smaller as items, and each takes time proportional to its length. This is a count, not a time limit. Therefore a run
 * and its replay process the same candidates.
 */
const mostLookedAt = 4_000_000;

function bodyLength(body: Body): number {
  return body.reduce((sum, part) => sum + (isKeySlot(part) ? 1 : part.length), 0);
}

/**
 * Yields smaller requests: the simplest with as few aspects of the large one as possible, then with less in each
 * aspect. A valid body stays valid, because a rejected body would be another finding.
 */
export function* simplifyRequest(input: RequestSimplification): Generator<RequestCase> {
  const { large, operation } = input;
  const simplest = operation === undefined ? [] : simplestRequests(large, operation);
  const usual = simplest.at(-1);
  const cost = requestCost(large, usual);
  const isValid = (request: RequestCase): boolean =>
    operation !== undefined && hasValidBody(request, operation);
  const staysValid = isValid(large);
  const maySend = (request: RequestCase): boolean =>
    staysValid ? isValid(request) : operation === undefined || !mayHaveUnknownValue(request, operation);
  let lookedAt = 0;
  for (const candidate of candidates(input, simplest)) {
    if (lookedAt > mostLookedAt) return;
    lookedAt += candidate.body === undefined ? 0 : bodyLength(candidate.body);
    if (requestCost(candidate, usual) < cost && maySend(candidate)) {
      yield candidate;
    }
  }
}

/** The maximum number of candidates, the same in a run and its replay, which makes both end at the same case. */
const mostCandidates = 80;

/** No smaller case of a generated one was tried yet. */
const none: ReadonlySet<string> = new Set();

/** The history of a case that was derived from a larger one. */
class Descent {
  /** The texts of the cases that were tried before it. */
  readonly offered: ReadonlySet<string>;
  /** The context of the inner arbitrary, if it generated the case. */
  readonly inner: { readonly context: unknown } | undefined;

  constructor(offered: ReadonlySet<string>, inner: { readonly context: unknown } | undefined) {
    this.offered = offered;
    this.inner = inner;
  }
}

class SimplifiedArbitrary<Case> extends fc.Arbitrary<Case> {
  readonly #made: Arbitrary<Case>;
  readonly #simplify: (large: Case) => Iterable<Case>;
  readonly #isOver: () => boolean;

  constructor(made: Arbitrary<Case>, simplify: (large: Case) => Iterable<Case>, isOver: () => boolean) {
    super();
    this.#made = made;
    this.#simplify = simplify;
    this.#isOver = isOver;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Case> {
    const { value, context } = this.#made.generate(random, bias);
    return new fc.Value(value, new Descent(none, { context }));
  }

  // A value without a context is an example.
  override canShrinkWithoutContext(_value: unknown): _value is Case {
    return true;
  }

  override shrink(large: Case, context: unknown): fc.Stream<fc.Value<Case>> {
    const descent = context instanceof Descent ? context : new Descent(new Set(), undefined);
    return fc.stream(this.#offer(large, descent));
  }

  *#offer(large: Case, { offered, inner }: Descent): Generator<fc.Value<Case>> {
    if (this.#isOver()) return;
    const known = new Set([...offered, JSON.stringify(large)]);
    const isNew = (small: Case): boolean => {
      const text = JSON.stringify(small);
      const isFresh = !known.has(text);
      known.add(text);
      return isFresh;
    };
    for (const small of this.#simplify(large)) {
      if (known.size > mostCandidates || this.#isOver()) return;
      if (isNew(small)) {
        yield new fc.Value(small, new Descent(new Set(known), undefined));
      }
    }
    if (inner === undefined) return;
    for (const { value, context } of this.#made.shrink(large, inner.context)) {
      if (known.size > mostCandidates || this.#isOver()) return;
      if (isNew(value)) {
        yield new fc.Value(value, new Descent(new Set(known), { context }));
      }
    }
  }
}

/**
 * Generates values like another arbitrary, and first shrinks each case with `simplify`, including examples, which
 * fast-check cannot shrink. `simplify` must be deterministic and finite, and remove the most first. No case is tried
 * twice while shrinking, and none after `isOver`, because a smaller one may take long to create.
 */
export function simplifyWith<Case>(
  made: Arbitrary<Case>,
  simplify: (large: Case) => Iterable<Case>,
  isOver: () => boolean = () => false,
): Arbitrary<Case> {
  return new SimplifiedArbitrary(made, simplify, isOver);
}
