import type { Contract } from '../../contract/contract.ts';
import { statusName } from '../../contract/status-name.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { copyForPrism, showData } from './copy-for-prism.ts';
import type { Sampler } from './sampler.ts';

/** What was made, as our reader has it; undefined where it is no JSON. */
function toJsonValue(made: unknown): JsonValue | undefined {
  const parsed = parseJson(JSON.stringify(made) ?? '');
  return parsed.kind === 'json' ? showData(parsed.value) : undefined;
}

/**
 * A sampler that asks prism-http: the first example of the document where there is one, else its static
 * generator. What it makes is to be validated: its schemas lose digits, and some do not compile.
 *
 * Importing the whole of prism-http takes two seconds, so that only these two parts are.
 *
 * @returns a sampler that makes nothing where prism-http cannot read the document at all
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
    if (known === undefined || content === undefined) {
      return undefined;
    }
    const example = content.examples?.[0];
    if (example !== undefined && 'value' in example) {
      return toJsonValue(example.value);
    }
    if (content.schema === undefined) {
      return undefined;
    }
    const made = generateStatic(known, content.schema);
    return 'right' in made ? toJsonValue(made.right) : undefined;
  };
}
