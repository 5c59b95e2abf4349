import {
  type GivenCredentials,
  type JudgedScheme,
  listGoodTokens,
  listSchemes,
  readGivenCredentials,
} from '../arbitrary/given-credentials.ts';
import { anyBearer } from '../arbitrary/request.ts';
import type { Contract } from '../contract/contract.ts';
import type { Answer, HeaderList } from '../http/message.ts';

/** A source of the credentials that a service accepts. */
export interface CredentialsProvider {
  /**
   * Returns the credential of a security scheme: a bearer token, an API key, or `user:password` for basic
   * authentication; undefined if there is none. A session calls it once per scheme, and again after `reject`.
   */
  get(scheme: JudgedScheme): Promise<string | undefined>;
  /** Discards the credentials, which the service rejected. Returns whether `get` may return others from now on. */
  reject(): boolean;
}

/** The credentials in the options of a target. */
interface CredentialOptions {
  readonly credentials?: CredentialsProvider | undefined;
  readonly token?: string | undefined;
  readonly credentialHeaders?: HeaderList | undefined;
}

/** Returns a provider of one token for all schemes. */
export function provideToken(token: string): CredentialsProvider {
  return { get: () => Promise.resolve(token), reject: () => false };
}

/** Returns the provider of a target; undefined if the user gave no token. */
function findProvider({ credentials, token }: CredentialOptions): CredentialsProvider | undefined {
  return credentials ?? (token === undefined ? undefined : provideToken(token));
}

/** Returns whether the user gave any credentials. */
export function hasCredentials(options: CredentialOptions): boolean {
  return findProvider(options) !== undefined || (options.credentialHeaders ?? []).length > 0;
}

/** The credentials that the requests of a session carry. */
export interface SessionCredentials {
  /** Returns the current credentials for requests; `send` has loaded them. */
  readonly given: () => GivenCredentials;
  /** Returns every value that counts as good. */
  readonly goodTokens: () => readonly string[];
  /** Loads the credentials from the provider; undefined if they are already loaded. */
  readonly load: () => Promise<void> | undefined;
  /**
   * Returns whether to render and send a request with good credentials once more, after `load`: the service responded
   * with 401, and the provider has others.
   *
   * @param used - the credentials that the request carried
   */
  readonly reject: (answer: Answer, used: GivenCredentials) => boolean;
}

/**
 * Opens the credentials of a session.
 *
 * @param memory - what the session learns about the form that the service expects
 */
export function openCredentials(
  { contract, ...options }: CredentialOptions & { readonly contract: Contract },
  memory: { readonly keyPrefix: string } = { keyPrefix: '' },
): SessionCredentials {
  const provider = findProvider(options);
  const fixed = readGivenCredentials(contract, undefined, options.credentialHeaders);
  const known = new Map<string, readonly string[]>();
  let tokens: ReadonlyMap<string, string> = new Map();
  let earlier: readonly string[] = [];
  let loading: Promise<void> | undefined;
  let isLoaded = provider === undefined;

  async function loadFrom(source: CredentialsProvider): Promise<void> {
    const found = new Map<string, string>();
    for (const scheme of [...listSchemes(contract), ...anyBearer]) {
      const value = scheme.kind === 'unjudged' ? undefined : await source.get(scheme);
      if (value !== undefined) found.set(scheme.name, value);
    }
    tokens = found;
    known.clear();
    isLoaded = true;
  }

  const given = (): GivenCredentials => ({ ...fixed, tokens, keyPrefix: memory.keyPrefix });

  function goodTokens(): readonly string[] {
    const good = known.get(memory.keyPrefix) ?? [
      ...new Set([...listGoodTokens(contract, given()), ...earlier]),
    ];
    known.set(memory.keyPrefix, good);
    return good;
  }

  return {
    given,
    goodTokens,
    load: () => (isLoaded || provider === undefined ? undefined : (loading ??= loadFrom(provider))),
    reject(answer, used) {
      if (answer.kind !== 'response' || answer.response.status !== 401) return false;
      // Another request with the same credentials has already discarded them.
      if (used.tokens !== tokens || !isLoaded) return true;
      if (provider?.reject() !== true) return false;
      earlier = goodTokens();
      isLoaded = false;
      loading = undefined;
      return true;
    },
  };
}
