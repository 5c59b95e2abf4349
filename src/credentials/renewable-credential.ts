/** A credential that was fetched. */
export interface Fetched {
  readonly value: string;
  /** Undefined if it is not known. */
  readonly lifetimeMs?: number | undefined;
}

/** The longest time before its end that a credential is replaced, and the part of its lifetime that is kept for that. */
const longestMarginMs = 30_000;
const marginShare = 0.2;

/** A credential that is fetched when it is needed, and again when it has expired or was rejected. */
export class RenewableCredential {
  readonly #fetch: () => Promise<Fetched>;
  readonly #isFixed: boolean;
  readonly #now: () => number;
  #current: Fetched | undefined;
  #endsAt = Infinity;

  /**
   * @param fetch - gets the credential
   * @param how.isFixed - whether `fetch` always returns the same. @defaultValue false
   * @param how.now - returns the time in milliseconds. @defaultValue that of a clock that never goes back
   */
  constructor(
    fetch: () => Promise<Fetched>,
    {
      isFixed = false,
      now = () => performance.now(),
    }: { readonly isFixed?: boolean; readonly now?: () => number } = {},
  ) {
    this.#fetch = fetch;
    this.#isFixed = isFixed;
    this.#now = now;
  }

  /** Returns the credential. It is fetched if there is none, or if it expires soon. */
  async get(): Promise<string> {
    if (this.#current !== undefined && !this.isExpired()) return this.#current.value;
    this.#current = await this.#fetch();
    const { lifetimeMs = Infinity } = this.#current;
    // A lifetime of zero says nothing, as the credential could never be used.
    const isKnown = lifetimeMs > 0 && lifetimeMs < Infinity;
    this.#endsAt = isKnown
      ? this.#now() + lifetimeMs - Math.min(longestMarginMs, lifetimeMs * marginShare)
      : Infinity;
    return this.#current.value;
  }

  /** Returns whether `get` would replace a credential that expires soon. */
  isExpired(): boolean {
    return this.#current !== undefined && this.#now() >= this.#endsAt;
  }

  /** Discards the credential. Returns whether `get` may return another one. */
  discard(): boolean {
    if (!this.#isFixed) this.#current = undefined;
    return !this.#isFixed;
  }
}
