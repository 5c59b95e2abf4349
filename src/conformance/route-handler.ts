import type { FetchHandler } from '../http/fetch-send.ts';

type Params = Readonly<Record<string, string | readonly string[]>>;
type Route = (
  request: Request,
  context: { readonly params: Promise<Params> },
) => Response | Promise<Response>;

/** The methods of route handlers of Next. */
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** Returns the segments of a path of Next. A group, `(shop)`, is no segment of the URL. */
function toSegments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && !/^\(.*\)$/u.test(segment));
}

/**
 * Returns the parameters of a path: of `[id]`, of `[...path]` and of `[[...path]]`; undefined if it does not match.
 *
 * @throws URIError for a segment that is not percent-encoded UTF-8
 */
function matchPath(route: readonly string[], path: readonly string[]): Params | undefined {
  const params: Record<string, string | readonly string[]> = {};
  for (const [index, segment] of route.entries()) {
    const [, optional, rest] = /^\[(\[?)\.\.\.([^\]]+)\]\]?$/u.exec(segment) ?? [];
    if (rest !== undefined) {
      const values = path.slice(index).map(decodeURIComponent);
      if (values.length === 0) return optional === '' ? undefined : params;
      return { ...params, [rest]: values };
    }
    const [, name] = /^\[([^\]]+)\]$/u.exec(segment) ?? [];
    const value = path[index];
    if (value === undefined || (name === undefined && value !== segment)) return undefined;
    if (name !== undefined) params[name] = decodeURIComponent(value);
  }
  return path.length === route.length ? params : undefined;
}

function findRoute(module: object, method: string): Route | undefined {
  const route: unknown = Reflect.get(module, method);
  // `as`: a module of Next exports functions of this type by the names of methods.
  return typeof route === 'function' ? (route as Route) : undefined;
}

function callRoute(module: object, request: Request, params: Params): Response | Promise<Response> {
  const { method } = request;
  if (!methods.some((known) => known === method)) return new Response(null, { status: 400 });
  const route = findRoute(module, method) ?? (method === 'HEAD' ? findRoute(module, 'GET') : undefined);
  // The parameters of Next 15 are a promise, those of earlier versions are an object.
  if (route !== undefined) return route(request, { params: Object.assign(Promise.resolve(params), params) });
  if (method !== 'OPTIONS') return new Response(null, { status: 405 });
  const has = (name: string): boolean =>
    name === 'OPTIONS' || findRoute(module, name === 'HEAD' ? 'GET' : name) !== undefined;
  return new Response(null, { status: 204, headers: { Allow: methods.filter(has).join(', ') } });
}

/**
 * Combines route handlers of Next to one handler of fetch, without Next. Like Next, it answers HEAD by GET, OPTIONS
 * with the methods that a route has, and other missing methods with 405. Middleware and the configuration of Next have
 * no effect. A handler receives a plain `Request`; wrap it if it needs a `NextRequest`.
 *
 * @param routes - the modules by their paths in `app/`: `/orders/[id]` for `app/orders/[id]/route.ts`
 *
 * @example
 * import * as order from './app/orders/[id]/route.ts';
 *
 * const handler = createRouteHandler({ '/orders/[id]': order });
 * await testFetch((request) => handler(new NextRequest(request)), { document: 'orders.yaml' });
 */
export function createRouteHandler(routes: Readonly<Record<string, object>>): FetchHandler {
  const all = Object.entries(routes).map(([path, module]) => ({ segments: toSegments(path), module }));
  const countDynamic = (segments: readonly string[]): number =>
    segments.filter((segment) => segment.startsWith('[')).length;
  // A literal segment takes precedence over a parameter.
  const sorted = all.toSorted((left, right) => countDynamic(left.segments) - countDynamic(right.segments));
  return (request) => {
    const path = new URL(request.url).pathname.split('/').filter((segment) => segment !== '');
    try {
      for (const { segments, module } of sorted) {
        const params = matchPath(segments, path);
        if (params !== undefined) return callRoute(module, request, params);
      }
    } catch (error) {
      if (error instanceof URIError) return new Response(null, { status: 400 });
      throw error;
    }
    return new Response(null, { status: 404 });
  };
}
