import { parseDocument, type YAMLParseError } from 'yaml';
import type { JsonValue } from '../json/json-value.ts';
import { DocumentError } from './document-error.ts';
import type { SourceText } from './source-text.ts';
import { locateOffset, type TextPlaces } from './text-places.ts';
import { type YamlProblem, yamlToJson } from './yaml-to-json.ts';

/**
 * Reads a text as YAML 1.2 in its core schema, with merge keys, as far as it stands for JSON.
 *
 * @param places - takes where everything stands
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem
 */
export function parseYaml(source: SourceText, places: TextPlaces): JsonValue {
  const problems: YamlProblem[] = [];
  const value = parseOrRefuse({ source, places, problems });
  if (problems.length > 0) {
    const located = problems.map(({ offset, reason, remedy }) => ({
      ...locateOffset(source, offset),
      reason,
      remedy,
    }));
    throw new DocumentError('DOCUMENT_SYNTAX', { source: source.file, problems: located });
  }
  return value;
}

function parseOrRefuse(input: {
  readonly source: SourceText;
  readonly places: TextPlaces;
  readonly problems: YamlProblem[];
}): JsonValue {
  const { source, places, problems } = input;
  try {
    const document = parseDocument(source.text, {
      version: '1.2',
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'error',
    });
    problems.push(...document.errors.map(toProblem));
    return problems.length > 0 ? null : yamlToJson({ document, source, places, problems });
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    if (problems.length === 0) {
      problems.push(tooDeep(0));
    }
    return null;
  }
}

function toProblem({ code, message, pos }: YAMLParseError): YamlProblem {
  if (code === 'MULTIPLE_DOCS') {
    return { offset: pos[0], reason: 'a second document begins', remedy: 'Keep one of them in the file' };
  }
  if (code === 'RESOURCE_EXHAUSTION') {
    return tooDeep(pos[0]);
  }
  const reason = message.replace(/\.$/u, '');
  return {
    offset: pos[0],
    reason: reason.charAt(0).toLowerCase() + reason.slice(1),
    remedy: 'Correct the YAML',
  };
}

function tooDeep(offset: number): YamlProblem {
  return { offset, reason: 'it is nested too deeply', remedy: 'Flatten it, or move parts into components' };
}
