import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { DocumentProblem } from './document-problem.ts';
import { isJsonObject } from '../json/is-json-object.ts';

function problem(pointer: string, reason: string, remedy: string): DocumentProblem {
  return { pointer, reason, remedy };
}

function isNumber(value: JsonValue | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/**
 * Which version of OpenAPI a document says it follows (OpenAPI 3.1 §4.8.1 and §4.1).
 *
 * @returns the version, or why the document is none that can be used
 */
export function checkVersion(root: JsonValue): '3.0' | '3.1' | DocumentProblem {
  if (!isJsonObject(root)) {
    return problem(
      '',
      'this is no OpenAPI document',
      'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"',
    );
  }
  const { openapi } = root;
  if (Object.hasOwn(root, 'swagger')) {
    return problem(
      '/swagger',
      'this is OpenAPI 2.0',
      'Convert it to 3.0 with: npx swagger2openapi --outfile openapi.json FILE',
    );
  }
  if (Object.hasOwn(root, 'asyncapi')) {
    return problem(
      '/asyncapi',
      'this is an AsyncAPI document',
      'Name an OpenAPI document, which describes an HTTP interface',
    );
  }
  if (openapi === undefined) {
    return problem(
      '',
      'there is no "openapi" field',
      'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"',
    );
  }
  if (isNumber(openapi)) {
    const text = String(openapi);
    return problem(
      '/openapi',
      `the version ${text} is a number`,
      `Write it as a string of three numbers: "${text}.0"`,
    );
  }
  if (typeof openapi !== 'string') {
    return problem('/openapi', 'the version must be a string', 'Write "3.1.0" or "3.0.4"');
  }
  const [, version] = /^(3\.[01])\.\d+(?:-.+)?$/u.exec(openapi) ?? [];
  if (version === '3.0' || version === '3.1') {
    return version;
  }
  if (/^3\.2(?:\.|$)/u.test(openapi)) {
    return problem(
      '/openapi',
      'this is OpenAPI 3.2, and Cloche reads 3.0 and 3.1',
      'Write "openapi: 3.1.2" and take out what 3.2 added: $self, query and additionalOperations, querystring parameters, itemSchema, device authorization',
    );
  }
  return problem(
    '/openapi',
    `the version ${JSON.stringify(openapi)} is none that Cloche reads`,
    'Write "3.1.0" or "3.0.4", three numbers',
  );
}
