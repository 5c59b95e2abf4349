import fc, { type Arbitrary } from 'fast-check';

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

  constructor(made: Arbitrary<Case>, simplify: (large: Case) => Iterable<Case>) {
    super();
    this.#made = made;
    this.#simplify = simplify;
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
    const known = new Set([...offered, JSON.stringify(large)]);
    const isNew = (small: Case): boolean => {
      const text = JSON.stringify(small);
      const isFresh = !known.has(text);
      known.add(text);
      return isFresh;
    };
    for (const small of this.#simplify(large)) {
      if (known.size > mostCandidates) {
        return;
      }
      if (isNew(small)) {
        yield new fc.Value(small, new Descent(new Set(known), undefined));
      }
    }
    if (inner === undefined) {
      return;
    }
    for (const { value, context } of this.#made.shrink(large, inner.context)) {
      if (known.size > mostCandidates) {
        return;
      }
      if (isNew(value)) {
        yield new fc.Value(value, new Descent(new Set(known), { context }));
      }
    }
  }
}

/**
 * Generates as another arbitrary does, and makes each case smaller in a way of its own first: an example as
 * well as a generated case, which fast-check alone could not. No case is offered twice on the way down.
 *
 * @param simplify - smaller cases than a given one, JSON-like as it is, those that leave out most first;
 * deterministic, and each so much smaller that there is an end
 */
export function simplifyWith<Case>(
  made: Arbitrary<Case>,
  simplify: (large: Case) => Iterable<Case>,
): Arbitrary<Case> {
  return new SimplifiedArbitrary(made, simplify);
}
