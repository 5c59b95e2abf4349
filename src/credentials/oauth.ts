import * as oauth from 'oauth4webapi';
import { ClocheError } from '../errors/cloche-error.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import { headerValue, type HttpResponse } from '../http/message.ts';
import { redactText } from '../http/redact.ts';
import { parseJsonValue } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { cannotJudge } from '../session/throttle.ts';
import { type Connection, requestOnce } from './http-endpoint.ts';
import { type Address, checkAddress, findDeclaredTokenUrl, resolveUrl, textOf } from './oauth-addresses.ts';
import type { Fetched } from './renewable-credential.ts';
import type { OAuthSettings, SecretListener } from './settings.ts';

/** The context of a token request. */
export interface OAuthInput {
  /** The name of the security scheme. */
  readonly scheme: string;
  readonly settings: OAuthSettings;
  /** The scheme in the document. */
  readonly declared: JsonObject;
  /** The base URL of the service. */
  readonly baseUrl: URL;
  readonly connection: Connection;
  /** Called with each secret that is fetched, and a description. */
  readonly onSecret: SecretListener;
}

/** The status and the JSON of a response. */
interface Outcome {
  readonly status: number;
  readonly body: JsonValue | undefined;
}

/** The options of every request, which have a GET or a form. */
interface FetchOptions {
  readonly [oauth.allowInsecureRequests]: true;
  readonly [oauth.customFetch]: (
    address: string,
    init: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ) => Promise<Response>;
}

/** The client of Cloche in the form that oauth4webapi uses, and the last response, for error messages. */
class TokenClient {
  last: Outcome | undefined;
  readonly options: FetchOptions;

  constructor(connection: Connection) {
    this.options = {
      // The addresses are checked before.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: async (address, { method, headers, body }) => {
        const { origin, pathname, search } = new URL(address);
        const content = body === undefined ? undefined : new TextEncoder().encode(String(body));
        const target = `${pathname}${search}`;
        const request = { method, target, headers: Object.entries(headers), body: content };
        return this.#read(await requestOnce(new URL(origin), request, { connection }));
      },
    };
  }

  #read({ status, headers, body }: HttpResponse): Response {
    const value = parseJsonValue(decodeUtf8(body));
    this.last = { status, body: value };
    // The ID token is unused, and its issuer is unknown without metadata.
    const { id_token: _, ...rest } = isJsonObject(value) ? value : {};
    return new Response(isJsonObject(value) ? stringifyJson(rest) : null, {
      // A redirect is an error like others, and the constructor accepts no status below 200.
      status: Math.max(200, Math.min(status, 599)),
      headers: { 'content-type': headerValue(headers, 'content-type') ?? '' },
    });
  }
}

/** Runs an exchange with the authorization server. @throws ClocheError OPTION_INVALID or CANNOT_JUDGE if it fails */
async function during<Result>(
  client: TokenClient,
  { scheme, settings }: OAuthInput,
  { at, exchange }: { readonly at: URL; readonly exchange: () => Promise<Result> },
): Promise<Result> {
  try {
    return await exchange();
  } catch (error) {
    if (error instanceof ClocheError) throw error;
    const { status = 0, body } = client.last ?? {};
    const { error: code, error_description: description } = isJsonObject(body) ? body : {};
    if (textOf(code) === undefined) {
      const why = status === 200 && error instanceof Error ? `: ${error.message}` : '';
      const reason = `it returns no token to the client of "${scheme}", but ${status}${why}`;
      throw cannotJudge(at.href, reason, 'Correct the address, or the authorization server');
    }
    const secrets = [settings.clientSecret, settings.refreshToken].filter((secret) => secret !== undefined);
    const words = [code, description].filter((word) => typeof word === 'string').join(': ');
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'get the credential of',
      subject: scheme,
      reason: `${at.href} answers ${status}, ${redactText(words, secrets).replace(/\.$/u, '')}`,
      remedy: 'Correct the settings of the client',
    });
  }
}

const wellKnown = '/.well-known/openid-configuration';

/** Reads the metadata of an issuer (OpenID Connect Discovery 1.0 §4), and checks the address of its token endpoint. */
async function discover(
  address: Address,
  input: OAuthInput,
  client: TokenClient,
): Promise<oauth.AuthorizationServer> {
  const url = checkAddress(address, 'discovery', input);
  const issuer = new URL(url.href.endsWith(wellKnown) ? url.href.slice(0, -wellKnown.length) : url);
  const exchange = async (): Promise<oauth.AuthorizationServer> => {
    const response = await oauth.discoveryRequest(issuer, client.options);
    const { body } = client.last ?? {};
    // A slash at the end of an issuer is not in the address of its metadata.
    const isSlashed = isJsonObject(body) && body['issuer'] === `${issuer.href}/`;
    return oauth.processDiscoveryResponse(isSlashed ? new URL(`${issuer.href}/`) : issuer, response);
  };
  const server = await during(client, input, { at: url, exchange });
  const endpoint = resolveUrl(server.token_endpoint ?? '', input);
  const isConfigured = address.isConfigured && endpoint.origin === url.origin;
  checkAddress({ url: endpoint, isConfigured }, 'tokenUrl', input);
  return server;
}

/** Finds the authorization server: in the settings, or else in the document. */
async function findServer(input: OAuthInput, client: TokenClient): Promise<oauth.AuthorizationServer> {
  const { settings, declared, scheme } = input;
  const { tokenUrl, discovery, refreshToken } = settings;
  const declaredUrl = findDeclaredTokenUrl(declared, refreshToken !== undefined);
  const declaredDiscovery = textOf(declared['openIdConnectUrl']);
  const toServer = (url: URL): oauth.AuthorizationServer => ({
    issuer: url.origin,
    token_endpoint: url.href,
  });
  if (tokenUrl !== undefined) return toServer(new URL(tokenUrl));
  if (discovery !== undefined)
    return discover({ url: new URL(discovery), isConfigured: true }, input, client);
  if (declaredUrl !== undefined) {
    const url = resolveUrl(declaredUrl, input);
    return toServer(checkAddress({ url, isConfigured: false }, 'tokenUrl', input));
  }
  if (declaredDiscovery !== undefined) {
    return discover({ url: resolveUrl(declaredDiscovery, input), isConfigured: false }, input, client);
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'get the credential of',
    subject: scheme,
    reason: 'neither the configuration nor the document names a token endpoint',
    remedy: `Add it to the configuration, below "${scheme}" in "credentials": tokenUrl: https://…`,
  });
}

function authenticate({ clientSecret, clientAuthentication }: OAuthSettings): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  return clientAuthentication === 'post'
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret);
}

/**
 * Creates a function that gets access tokens with OAuth 2: by the refresh token grant (RFC 6749 §6) if the settings have
 * a refresh token, else by the client credentials grant (§4.4). A refresh token that the server replaces is replaced here
 * too. The function throws ClocheError OPTION_INVALID for an address that the configuration must name, and for settings that
 * the server rejects; CANNOT_JUDGE for a server that returns no token.
 */
export function createTokenFetcher(input: OAuthInput): () => Promise<Fetched> {
  const { settings, scheme, onSecret } = input;
  const { clientId, scopes, audience } = settings;
  const client = new TokenClient(input.connection);
  let server: Promise<oauth.AuthorizationServer> | undefined;
  let { refreshToken } = settings;

  function request(at: oauth.AuthorizationServer): Promise<Response> {
    const parameters = {
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      ...(audience === undefined ? {} : { audience }),
    };
    const by = [at, { client_id: clientId }, authenticate(settings)] as const;
    return refreshToken === undefined
      ? oauth.clientCredentialsGrantRequest(...by, parameters, client.options)
      : oauth.refreshTokenGrantRequest(...by, refreshToken, {
          ...client.options,
          additionalParameters: parameters,
        });
  }

  return async () => {
    server ??= findServer(input, client);
    const at = await server;
    const exchange = async (): Promise<oauth.TokenEndpointResponse> => {
      const response = await request(at);
      const process =
        refreshToken === undefined
          ? oauth.processClientCredentialsResponse
          : oauth.processRefreshTokenResponse;
      return process(at, { client_id: clientId }, response);
    };
    const token = await during(client, input, { at: new URL(at.token_endpoint ?? ''), exchange });
    onSecret(token.access_token, `the credential of ${scheme}`);
    if (refreshToken !== undefined && token.refresh_token !== undefined) {
      onSecret(token.refresh_token, `the refresh token of ${scheme}`);
      refreshToken = token.refresh_token;
    }
    const { expires_in: seconds } = token;
    return { value: token.access_token, lifetimeMs: seconds === undefined ? undefined : seconds * 1_000 };
  };
}
