import type { Contract } from '../../contract/contract.ts';
import { statusName } from '../../contract/responses.ts';
import { visitReferences } from '../../document/references.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Sampler } from './samples.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** A member of an object that is an object itself, or an empty one. */
function member(value: JsonValue | undefined, name: string): JsonObject {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
}

function renameKeys(value: JsonValue, rename: (holder: JsonObject, key: string) => string): JsonValue {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return value;
  return Array.isArray(value)
    ? value.map((item) => renameKeys(item, rename))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [rename(value, key), renameKeys(item, rename)]),
      );
}

/**
 * Prism follows each `$ref` that is a text, whatever it is part of: in an example, a default or an extension, where it is
 * data, it would read the file or fetch the URL that it names. So those are called `$$ref`, and what is called so already
 * has one sign more.
 */
function hideData(root: JsonObject): JsonValue {
  const references = new Set<JsonObject>();
  visitReferences(root, {
    reference(holder, reference) {
      if (reference.startsWith('#')) {
        references.add(holder);
      }
    },
  });
  return renameKeys(root, (holder, key) => {
    const isData = key === '$ref' && typeof holder[key] === 'string' && !references.has(holder);
    return isData || /^\$\$+ref$/u.test(key) ? `$${key}` : key;
  });
}

/**
 * A private copy of a document, which Prism changes as it reads: numbers as JavaScript has them, callbacks
 * (which it would call) left out, no `$ref` but those that lead to a place of the document itself, and the dialect named
 * without which it takes 3.1 for draft 7.
 */
export function copyForPrism({ root, openapi }: Contract): JsonObject {
  // `as`: the text was made of an object.
  const copy = JSON.parse(stringifyJson(root)) as JsonObject;
  for (const path of Object.values(member(copy, 'paths'))) {
    for (const operation of Object.values(isJsonObject(path) ? path : {})) {
      if (isJsonObject(operation)) {
        delete operation['callbacks'];
      }
    }
  }
  delete member(copy, 'components')['callbacks'];
  // `as`: an object is renamed to an object.
  const hidden = hideData(copy) as JsonObject;
  return openapi === '3.1' ? { ...hidden, jsonSchemaDialect: dialect } : hidden;
}

/** What Prism made of its copy, as our reader has it and the document names it; undefined where it is no JSON. */
function toJsonValue(made: unknown): JsonValue | undefined {
  const parsed = parseJson(JSON.stringify(made) ?? '');
  return parsed.kind === 'json'
    ? renameKeys(parsed.value, (_, key) => (/^\$\$+ref$/u.test(key) ? key.slice(1) : key))
    : undefined;
}

/**
 * A sampler that asks prism-http: the first example of the document where there is one, else its static
 * generator. What it makes is to be validated: its schemas lose digits, and some do not compile.
 *
 * Importing the whole of prism-http takes two seconds, so that only these two parts are. Where prism-http cannot read
 * the document at all, nothing is made.
 */
export async function createPrismSampler(contract: Contract): Promise<Sampler> {
  const [{ getHttpOperationsFromSpec }, { generateStatic }] = await Promise.all([
    import('@stoplight/prism-http/dist/utils/operations.js'),
    import('@stoplight/prism-http/dist/mocker/generator/JSONSchema.js'),
  ]);
  const operations = await getHttpOperationsFromSpec(copyForPrism(contract)).catch(() => []);
  return ({ operation, response, sent }) => {
    const known = operations.find(
      ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path.template,
    );
    const code = statusName(response.status).toLowerCase();
    const content = known?.responses
      .find((each) => each.code.toLowerCase() === code)
      ?.contents?.find(({ mediaType }) => mediaType === sent.media.range);
    if (known === undefined || content === undefined) return undefined;
    const example = content.examples?.[0];
    if (example !== undefined && 'value' in example) return toJsonValue(example.value);
    if (content.schema === undefined) return undefined;
    const made = generateStatic(known, content.schema);
    return 'right' in made ? toJsonValue(made.right) : undefined;
  };
}
