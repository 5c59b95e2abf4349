import {
  type GivenCredentials,
  type JudgedScheme,
  listGoodTokens,
  listSchemes,
  readGivenCredentials,
  replaceTokens,
} from '../arbitrary/given-credentials.ts';
import { anyBearer } from '../arbitrary/request.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Answer, HeaderList } from '../http/message.ts';

/** A source of the credentials that a service accepts. */
export interface CredentialsProvider {
  /**
   * Returns the credential of a security scheme: a bearer token, an API key, or `user:password` for basic
   * authentication; undefined if there is none. A session calls it once per scheme, and again after `reject`.
   */
  get(scheme: JudgedScheme): Promise<string | undefined>;
  /**
   * Discards the credentials of some schemes, or of all, because the service rejected them. Returns whether `get` may
   * return others from now on.
   */
  reject(schemes?: readonly string[]): boolean;
  /** Returns whether `get` returns other credentials now because the last ones expire. @defaultValue never */
  isExpired?(): boolean;
}

/** The credentials in the options of a target. */
interface CredentialOptions {
  readonly credentials?: CredentialsProvider | undefined;
  readonly token?: string | undefined;
  readonly credentialHeaders?: HeaderList | undefined;
}

/** The users of a service besides the one whose credentials requests carry. */
export interface OtherUsers {
  /** The source of the credentials of a second user, who may get less than the first. @defaultValue there is none */
  readonly other?: CredentialsProvider | undefined;
}

/** Creates a random token for a mock. Basic authentication needs a user and a password (RFC 7617 §2). */
export function makeToken({ operations }: Pick<Contract, 'operations'>): string {
  const isBasic = operations.some(({ security }) => security.flat().some(({ kind }) => kind === 'basic'));
  return `${isBasic ? 'cloche:' : 'token-'}${crypto.randomUUID()}`;
}

/** Returns a provider of one token for all schemes. */
export function provideToken(token: string): CredentialsProvider {
  return { get: () => Promise.resolve(token), reject: () => false };
}

/** Returns a provider that passes its credentials to a function before a request carries them. */
export function watchProvider(
  provider: CredentialsProvider,
  onCredential: (credential: string) => void,
): CredentialsProvider {
  return {
    async get(scheme) {
      const credential = await provider.get(scheme);
      if (credential !== undefined) onCredential(credential);
      return credential;
    },
    reject: (schemes) => provider.reject(schemes),
    isExpired: () => provider.isExpired?.() === true,
  };
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
   * Records the response to a request with good credentials. Returns whether to render and send the request once more,
   * after `load`: the service responded with 401, and the provider has others. Credentials that replace rejected ones
   * are replaced only after the service accepted them, and not for an operation that rejects them again.
   */
  readonly reject: (answer: Answer, sent: SentCredentials) => boolean;
}

/** The credentials that a request carried. */
export interface SentCredentials {
  readonly used: GivenCredentials;
  /** Undefined if the request matches no operation. */
  readonly operation: Operation | undefined;
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
  /** Whether the credentials replace rejected ones, and no response accepted them yet. */
  let isUnproven = false;
  /** The operations that rejected credentials last. */
  const rejecting = new Set<string | undefined>();

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

  let current: GivenCredentials | undefined;
  /** Returns the same object for all requests with the same credentials. */
  function given(): GivenCredentials {
    const { keyPrefix } = memory;
    if (current?.tokens !== tokens || current.keyPrefix !== keyPrefix) {
      current = { ...fixed, tokens, keyPrefix };
    }
    return current;
  }

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
    load() {
      if (provider === undefined) return undefined;
      if (isLoaded && provider.isExpired?.() === true) replace();
      return isLoaded ? undefined : (loading ??= loadFrom(provider));
    },
    reject(answer, { used, operation }) {
      if (answer.kind !== 'response') return false;
      const isCurrent = used.tokens === tokens && isLoaded;
      if (answer.response.status !== 401) {
        rejecting.delete(operation?.id);
        if (isCurrent) isUnproven = false;
        return false;
      }
      // Another request with the same credentials has already discarded them.
      if (!isCurrent) return true;
      if (isUnproven || rejecting.has(operation?.id)) return false;
      rejecting.add(operation?.id);
      if (provider?.reject(operation?.security.flat().map(({ name }) => name)) !== true) return false;
      isUnproven = true;
      replace();
      return true;
    },
  };

  function replace(): void {
    earlier = goodTokens();
    isLoaded = false;
    loading = undefined;
  }
}

/**
 * Opens the credentials of a second user, if there is one. For schemes without own credentials, the second user has
 * those of the first: all users may share a key.
 */
export function openOtherCredentials(
  { contract, users }: { readonly contract: Contract; readonly users?: OtherUsers | undefined },
  first: SessionCredentials,
): SessionCredentials | undefined {
  if (users?.other === undefined) return undefined;
  const own = openCredentials({ contract, credentials: users.other });
  return {
    given: () => replaceTokens(first.given(), own.given().tokens ?? new Map(), contract),
    goodTokens: own.goodTokens,
    load() {
      const loading = [first.load(), own.load()].filter((each) => each !== undefined);
      return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
    },
    reject: (answer, { operation }) => own.reject(answer, { used: own.given(), operation }),
  };
}
