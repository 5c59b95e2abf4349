import { pointerTokens } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { nameSource } from '../name-source.ts';
import type { Family } from './family.ts';
import { findOuterReferences } from './find-outer-references.ts';
import { type FamilyInput, loadFamily } from './load-family.ts';
import { unwrapQuotations, wrapQuotations } from './quotation.ts';
import { recordOrigins, type TextOrigins } from './text-origins.ts';

/**
 * Puts what a document refers to in other texts into the document, so that each reference in it is internal.
 *
 * @throws DocumentError REFERENCE_REFUSED, DOCUMENT_INVALID or DOCUMENT_SYNTAX, as {@link loadFamily} does
 */
export async function embedReferences(
  input: FamilyInput & {
    /** Takes where everything came from, if there is more than one text. */
    readonly origins: TextOrigins;
  },
): Promise<JsonObject> {
  if (findOuterReferences(input.root, input.url).length === 0) {
    return input.root;
  }
  const { root, url: base, source, origins } = input;
  const family = await loadFamily(input);
  for (const { url, root: text } of family.values()) {
    recordOrigins({
      root: text,
      file: text === root ? undefined : nameSource({ source, base, url }),
      origins,
    });
  }
  return bundle(root, family, source);
}

/**
 * Lets the parser put the texts together. It is given names of its own for them instead of their URLs, so
 * that it can neither read anything itself nor rewrite what depends on a URL.
 */
async function bundle(root: JsonObject, family: Family, source: string): Promise<JsonObject> {
  const urls = [...family.keys()];
  const nameOf = (url: string): string => `/documents/${urls.indexOf(url)}.json`;
  const roots = new Map([...family].map(([url, member]) => [nameOf(url), member.root]));
  for (const { root: text, outer } of family.values()) {
    for (const { holder, target, targetPointer } of outer) {
      holder['$ref'] = `${nameOf(target)}#${encodePointer(targetPointer)}`;
    }
    wrapQuotations(text);
  }
  // It takes as long to load as a small document takes to read, and most documents do without.
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const read = ({ url }: { readonly url: string }): string => url;
  const parse = ({ url }: { readonly url: string }): JsonValue | undefined => roots.get(url);
  const options = {
    resolve: { external: true, file: false, http: false, family: { order: 1, canRead: true, read } },
    parse: {
      json: false,
      yaml: false,
      text: false,
      binary: false,
      family: { order: 1, canParse: true, parse },
    },
  };
  // `as`: the parser's types know neither readers of one's own nor any JSON but theirs.
  const parser = new SwaggerParser() as unknown as Bundler;
  const { openapi = '', paths } = root;
  // It refuses a 3.1 document without paths, and a patch of the version that it has not heard of.
  Object.assign(root, { openapi: '3.1.0', paths: paths ?? {} });
  const bundled = await parser.bundle('/documents/0.json', root, options).catch((cause: unknown) => {
    throw new ClocheError('DOCUMENT_INVALID', {
      attempt: 'read',
      subject: source,
      reason: `its references cannot be put together (${cause instanceof Error ? cause.message : String(cause)})`,
      remedy: 'Put what they name into the document',
      cause,
    });
  });
  bundled['openapi'] = openapi;
  if (paths === undefined) {
    delete bundled['paths'];
  }
  return unwrapQuotations(bundled);
}

/** What is used of the parser. */
interface Bundler {
  bundle(path: string, root: JsonObject, options: object): Promise<JsonObject>;
}

function encodePointer(pointer: string): string {
  return pointerTokens(pointer)
    .map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
