import type { Contract, Operation } from '../../contract/contract.ts';
import {
  createPathFinder,
  type FoundPath,
  listServerUrls,
  parsePathTemplate,
} from '../../contract/router.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';

/** The purpose of an endpoint of the authorization server. */
export type EndpointKind =
  | 'authorization'
  | 'token'
  | 'discovery'
  | 'jwks'
  | 'userinfo'
  | 'revocation'
  | 'device'
  | 'verification';

/** An issuer of tokens, and the paths of its endpoints. */
export interface Issuer {
  /** The path of its identifier: `/realms/shop`, or empty. */
  readonly path: string;
  readonly endpoints: Readonly<Record<EndpointKind, string>>;
}

/** The logins that a document declares. */
export interface LoginModel {
  readonly title: string;
  /** The declared scopes with their descriptions; a token without requested scopes gets all of them. */
  readonly scopes: ReadonlyMap<string, string>;
  /** Whether only the declared scopes exist, and those of OpenID Connect. OpenID Connect declares none. */
  readonly hasOnlyTheseScopes: boolean;
}

/** An endpoint at a path of the mock. */
interface Endpoint {
  readonly kind: EndpointKind;
  readonly issuer: Issuer;
}

/** An endpoint and its operation. */
interface LoginRoute extends Endpoint {
  readonly operation: Operation;
}

/** The endpoints of a contract. */
export interface LoginRoutes {
  readonly model: LoginModel;
  readonly routes: readonly LoginRoute[];
  /** Finds the path of a request among the endpoints and the paths of the document. */
  readonly find: (path: string) => FoundPath;
  /** The paths that the document names. */
  readonly named: readonly string[];
}

const methods: Readonly<Record<EndpointKind, readonly string[]>> = {
  authorization: ['GET', 'POST'],
  token: ['POST'],
  discovery: ['GET'],
  jwks: ['GET'],
  userinfo: ['GET', 'POST'],
  revocation: ['POST'],
  device: ['POST'],
  verification: ['GET', 'POST'],
};

const wellKnown = '/.well-known/openid-configuration';
const oauthMetadata = '/.well-known/oauth-authorization-server';

/** Returns the OAuth 2 and OpenID Connect schemes of a document. */
function listSchemes({ root }: Pick<Contract, 'root'>): readonly JsonObject[] {
  const { securitySchemes } = isJsonObject(root['components']) ? root['components'] : {};
  return Object.values(isJsonObject(securitySchemes) ? securitySchemes : {})
    .filter(isJsonObject)
    .filter(({ type }) => type === 'oauth2' || type === 'openIdConnect');
}

function listFlows(schemes: readonly JsonObject[]): readonly JsonObject[] {
  return schemes.flatMap(({ flows }) =>
    isJsonObject(flows) ? Object.values(flows).filter(isJsonObject) : [],
  );
}

/** Returns the paths of a URL on the mock: a relative URL is relative to a server, or to the mock. */
function pathsOf(url: unknown, servers: readonly string[]): readonly string[] {
  if (typeof url !== 'string' || url === '') return [];
  const mock = 'http://mock.invalid/';
  const paths = [...servers, mock].flatMap((server) => {
    const base = URL.canParse(server, mock) ? new URL(server, mock).href.replace(/\/*$/u, '/') : mock;
    const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
    return parsed !== undefined && /^https?:$/u.test(parsed.protocol) ? [parsed.pathname] : [];
  });
  return [...new Set(paths)];
}

/** Returns the path of the issuer that a discovery document is about (OpenID Connect Discovery 1.0 §4, RFC 8414 §3). */
function issuerPathOf(path: string): string {
  return path.replace(wellKnown, '').replace(oauthMetadata, '').replace(/\/+$/u, '');
}

function createIssuer(path: string, declared: Partial<Issuer['endpoints']> = {}): Issuer {
  const endpoints = {
    authorization: `${path}/oauth2/authorize`,
    token: `${path}/oauth2/token`,
    discovery: `${path}${wellKnown}`,
    jwks: `${path}/oauth2/jwks`,
    userinfo: `${path}/oauth2/userinfo`,
    revocation: `${path}/oauth2/revoke`,
    device: `${path}/oauth2/device_authorization`,
    verification: `${path}/oauth2/device`,
  };
  return { path, endpoints: { ...endpoints, ...declared } };
}

/** The endpoints by path, and the paths that the document names. */
function listEndpoints(
  schemes: readonly JsonObject[],
  servers: readonly string[],
): { readonly endpoints: ReadonlyMap<string, Endpoint>; readonly named: readonly string[] } {
  const flows = listFlows(schemes);
  const authorization = flows.flatMap(({ authorizationUrl }) => pathsOf(authorizationUrl, servers));
  const token = flows.flatMap(({ tokenUrl, refreshUrl }) =>
    [tokenUrl, refreshUrl].flatMap((url) => pathsOf(url, servers)),
  );
  const device = flows.flatMap(({ deviceAuthorizationUrl }) => pathsOf(deviceAuthorizationUrl, servers));
  const discovery = schemes.flatMap(({ openIdConnectUrl, oauth2MetadataUrl }) =>
    [openIdConnectUrl, oauth2MetadataUrl].flatMap((url) => pathsOf(url, servers)),
  );
  const issuerPaths = [...new Set(discovery.map(issuerPathOf))];
  const declared = {
    ...(authorization[0] !== undefined && { authorization: authorization[0] }),
    ...(token[0] !== undefined && { token: token[0] }),
    ...(device[0] !== undefined && { device: device[0] }),
  };
  const [first = '', ...others] = issuerPaths;
  const main = createIssuer(first, declared);
  const issuers = [main, ...others.map((path) => createIssuer(path))];
  const endpoints = new Map<string, Endpoint>(
    issuers.flatMap((issuer) => [
      ...[issuer.path, `${issuer.path}${oauthMetadata}`, `${oauthMetadata}${issuer.path}`].flatMap((path) =>
        path === '' ? [] : [[path, { kind: 'discovery', issuer }] as const],
      ),
      // `as`: Object.entries types the names as string.
      ...(Object.entries(issuer.endpoints) as [EndpointKind, string][]).map(
        ([kind, path]) => [path, { kind, issuer }] as const,
      ),
    ]),
  );
  for (const [kind, paths] of [
    ['authorization', authorization] as const,
    ['token', token] as const,
    ['device', device] as const,
  ])
    for (const path of paths) endpoints.set(path, { kind, issuer: main });
  return { endpoints, named: [...new Set([...authorization, ...token, ...device, ...discovery])] };
}

function readModel(schemes: readonly JsonObject[], { title, operations }: Contract): LoginModel {
  const listed = listFlows(schemes).flatMap(({ scopes }) =>
    isJsonObject(scopes) ? Object.entries(scopes) : [],
  );
  const required = operations.flatMap(({ security }) =>
    security.flat().flatMap((scheme) => (scheme.kind === 'bearer' ? (scheme.scopes ?? []) : [])),
  );
  const isOpen = schemes.some(({ type }) => type === 'openIdConnect');
  return {
    title,
    scopes: new Map([
      ...required.map((scope) => [scope, ''] as const),
      ...listed.map(([scope, about]) => [scope, typeof about === 'string' ? about : ''] as const),
    ]),
    hasOnlyTheseScopes: !isOpen && listed.length > 0,
  };
}

/** Creates the operation of an endpoint, for which the document has none. */
function createOperation(path: string, method: string): Operation {
  return {
    id: `${method} ${path}`,
    method,
    path: parsePathTemplate(path),
    pointer: '/components/securitySchemes',
    parameters: [],
    requestBody: undefined,
    responses: [],
    security: [],
    kind: { kind: 'sample', evidence: 'an endpoint of the authorization server' },
    items: [],
    bodyItems: () => [],
  };
}

/**
 * Finds the endpoints of the OAuth 2 flows (OpenAPI 3.2 §4.28) and of OpenID Connect Discovery 1.0 that a document
 * names, and those that a discovery document must name. A URL of another origin has its path on the mock. An operation
 * of the document takes precedence, unless a path parameter is the only reason for the match.
 *
 * @returns undefined if the document has no scheme of these types
 */
export function findLoginRoutes(contract: Contract): LoginRoutes | undefined {
  const schemes = listSchemes(contract);
  if (schemes.length === 0) return undefined;
  const findDeclared = createPathFinder(contract);
  const { endpoints, named } = listEndpoints(schemes, listServerUrls(contract));
  const isDeclared = (path: string): boolean => {
    const { route } = findDeclared(path);
    return route !== undefined && Object.keys(route.parameters).length === 0;
  };
  const free = [...endpoints].filter(([path]) => path !== '/' && !isDeclared(path));
  const routes = free.flatMap(([path, endpoint]) =>
    methods[endpoint.kind].map((method) => ({ ...endpoint, operation: createOperation(path, method) })),
  );
  const found = new Map(
    free.map(([path]) => {
      const own = routes.filter(({ operation }) => operation.path.template === path);
      const operations = new Map(own.map(({ operation }) => [operation.method, operation] as const));
      return [path, { path, route: { operations, parameters: {} } }] as const;
    }),
  );
  return {
    model: readModel(schemes, contract),
    routes,
    find: (path) => found.get(path) ?? findDeclared(path),
    named: named.filter((path) => found.has(path)),
  };
}
