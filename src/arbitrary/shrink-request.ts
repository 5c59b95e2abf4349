import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../contract/contract.ts';
import { isJsonObject } from '../json/value.ts';
import { createSlotMarks, type PlainBody, plainContent } from './plain-body.ts';
import { type Body, isKeySlot, isText, joinParts, type RequestCase } from './request-case.ts';
import { buildRequest, hasValidBody, plainRequest } from './request.ts';
import { keepFewer, simplestValues, simplifyValue, valueCost } from './shrink-value.ts';

/** What is no JSON, or is written in an odd way, says more than any plain JSON. */
const noJson = 1_000_000;

/** How much there is to read in a body; the place of a key costs as little as anything. */
function bodyCost(body: Body): number {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  if (value !== undefined) return valueCost(value, marks.isMarked);
  const costs = body.map((part) => (isKeySlot(part) ? 1 : part.length));
  return costs.reduce((sum, cost) => sum + cost, noJson);
}

/** A field that a plain request has says more by its absence than by its value. */
const missingField = 100;

/** How much there is to read in a request; the header fields of a usual one to the same operation cost nothing. */
export function requestCost(request: RequestCase, usual: RequestCase | undefined): number {
  const usualFields = new Set(usual?.headers.map((field) => field.join(':')));
  const fields = request.headers.map((field) => field.join(':'));
  const unusual = fields.filter((field) => !usualFields.has(field));
  const missing = [...usualFields].filter((field) => !fields.includes(field));
  return (
    // An item that exists is as plain as can be.
    request.target.replaceAll(/\{[^{}]*\}/gu, '1').length +
    unusual.join('\n').length +
    missing.length * missingField +
    (request.credentials.kind === 'good' ? 0 : 1) +
    (request.framing === 'content-length' ? 0 : 1) +
    (request.body === undefined ? 0 : bodyCost(request.body))
  );
}

/** The simplest bodies, with the key of a given one in them where that is drawn fresh as the request leaves. */
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
 * The simplest requests to an operation, in the place of a given one: with the key that it has, and with a body where
 * it has one. The smallest comes first; the last one is plain in every respect.
 */
export function simplestRequests(large: RequestCase, operation: Operation): readonly RequestCase[] {
  const { body } = plainRequest(operation);
  return body.kind !== 'body' || large.body === undefined
    ? [buildRequest(operation, { body: undefined })]
    : simplestBodies(large.body, body.body).map((made) => buildRequest(operation, { body: made }));
}

const pieces = /"(?:[^"\\]|\\.)*"|\s+|[\w.+-]+|[^]/gu;

/** The tokens of a body, or the characters of one that has a single token. */
function cut(body: Body): Body {
  const tokens = body.flatMap((part): Body =>
    typeof part === 'string' ? [...(part.match(pieces) ?? [])] : [part],
  );
  const [only] = tokens;
  return tokens.length === 1 && typeof only === 'string' ? [...only] : tokens;
}

/** Where an item of a list ends that starts at a comma: at the next comma or bracket that is not inside it. */
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
 * Leaves out halves of the tokens, whole members and items, then single tokens, and shortens texts. Something is
 * always left, as a body of no bytes at all is a case of its own.
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
 * Bodies with less in them, first those that are nearly the simplest; some are no smaller. A key that is drawn fresh
 * stays so, or goes with its whole property; no other key is made up.
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

/** What is to be made smaller, and how. */
interface RequestSimplification {
  readonly large: RequestCase;
  /** What the request is aimed at, or undefined where it is aimed at none. */
  readonly operation: Operation | undefined;
  /** Whether a body may become any smaller one, or only one of the simplest. */
  readonly bodies: 'any' | 'simplest';
}

const aspects = ['target', 'headers', 'credentials', 'framing', 'body'] as const;

/** The simple request with as few aspects of the large one as can be. */
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
    const plain = operation && plainRequest(operation).body;
    for (const body of simplifyBody(large.body, plain?.kind === 'body' ? plain.body : undefined)) {
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
 * How many characters of bodies are looked at for one step down. A list of ten thousand items has as many ways to be
 * made smaller as items, and to look at each takes as long as the list is. Counted, not timed, so that a run and its
 * replay look at the same.
 */
const mostLookedAt = 4_000_000;

function bodyLength(body: Body): number {
  return body.reduce((sum, part) => sum + (isKeySlot(part) ? 1 : part.length), 0);
}

/**
 * Lists smaller requests: the simplest but for as few of its aspects as can be, then with less in each of them. A
 * valid body stays valid: what is wrong with the answer to it would be another finding if the body were to be
 * refused.
 */
export function* simplifyRequest(input: RequestSimplification): Generator<RequestCase> {
  const { large, operation } = input;
  const simplest = operation === undefined ? [] : simplestRequests(large, operation);
  const usual = simplest.at(-1);
  const cost = requestCost(large, usual);
  const isValid = (request: RequestCase): boolean =>
    operation !== undefined && hasValidBody(request, operation);
  const staysValid = isValid(large);
  let lookedAt = 0;
  for (const candidate of candidates(input, simplest)) {
    if (lookedAt > mostLookedAt) return;
    lookedAt += candidate.body === undefined ? 0 : bodyLength(candidate.body);
    if (requestCost(candidate, usual) < cost && (!staysValid || isValid(candidate))) {
      yield candidate;
    }
  }
}

/** As many as a run tries, so that a run and its replay end at the same case. */
const mostCandidates = 80;

/** Of what was generated nothing smaller was offered yet. */
const none: ReadonlySet<string> = new Set();

/** What is known of a case that came of making another one smaller. */
class Descent {
  /** The texts of the cases that were offered before it. */
  readonly offered: ReadonlySet<string>;
  /** The inner arbitrary's own knowledge of the case, where it made it. */
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

  // Whatever comes without a context is an example.
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
 * Generates as another arbitrary does, and makes each case, an example too, smaller in a way of its own first, which
 * fast-check alone could not. What `simplify` lists is deterministic, leaves out most first, and comes to an end; no
 * case is offered twice on the way down, and none once it `isOver`: a smaller one may take long to make.
 */
export function simplifyWith<Case>(
  made: Arbitrary<Case>,
  simplify: (large: Case) => Iterable<Case>,
  isOver: () => boolean = () => false,
): Arbitrary<Case> {
  return new SimplifiedArbitrary(made, simplify, isOver);
}
