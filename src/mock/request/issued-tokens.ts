/** A token that the mock issued. */
export interface IssuedToken {
  /** The time at which it expires, in milliseconds since 1970; undefined if it does not expire. */
  readonly expiresAt?: number | undefined;
  /** The scopes that it carries; undefined if scopes are not enforced. */
  readonly scopes?: readonly string[] | undefined;
  /** The user, or the client if there is no user; undefined if the mock does not know it. */
  readonly subject?: string | undefined;
  /** The client that got it. */
  readonly clientId?: string | undefined;
}

/** The maximum number of tokens that a mock remembers. */
const mostTokens = 10_000;

/** The tokens, keys and cookies that a mock issued. They are accepted until they expire or are revoked. */
export class IssuedTokens {
  readonly #tokens = new Map<string, IssuedToken>();
  /** Returns the time of the mock. */
  readonly now: () => number;
  /** Receives each token that is added or revoked, with its facts. */
  onChange: ((token: string, facts: IssuedToken) => void) | undefined;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Remembers a token, instead of the oldest one if there are too many. */
  add(token: string, facts: IssuedToken): void {
    this.#tokens.delete(token);
    this.#tokens.set(token, facts);
    this.onChange?.(token, facts);
    const [oldest = ''] = this.#tokens.size > mostTokens ? this.#tokens.keys() : [];
    this.#tokens.delete(oldest);
  }

  /** Returns the facts about an issued token; undefined for any other token. */
  find(token: string): IssuedToken | undefined {
    return this.#tokens.get(token);
  }

  /** Returns the facts about all remembered tokens, oldest first, without the tokens. */
  list(): readonly IssuedToken[] {
    return [...this.#tokens.values()];
  }

  /** Returns all remembered tokens with their facts, oldest first. */
  entries(): readonly (readonly [token: string, facts: IssuedToken])[] {
    return [...this.#tokens];
  }

  /** Makes a token expire now. */
  revoke(token: string): void {
    const facts = this.#tokens.get(token);
    if (facts === undefined) return;
    const revoked = { ...facts, expiresAt: -Infinity };
    this.#tokens.set(token, revoked);
    this.onChange?.(token, revoked);
  }

  /** Returns true if a token has expired or was revoked. */
  hasExpired({ expiresAt }: IssuedToken): boolean {
    return expiresAt !== undefined && expiresAt <= this.now();
  }
}
