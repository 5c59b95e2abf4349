import { parseDocument } from 'yaml';
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
  const value = parseOrRefuse(source, places, problems);
  if (problems.length > 0) {
    const located = problems.map(({ offset, reason, remedy }) => ({
      ...locateOffset(source, offset),
      reason,
      remedy,
    }));
    throw new DocumentError('DOCUMENT_SYNTAX', source.file, located);
  }
  return value;
}

function parseOrRefuse(
  source: SourceText,
  places: TextPlaces,
  problems: YamlProblem[],
): JsonValue {
  try {
    const document = parseDocument(source.text, { version: '1.2', prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
    for (const { pos, message } of document.errors) {
      const reason = message.replace(/\.$/u, '');
      problems.push({ offset: pos[0], reason: reason.charAt(0).toLowerCase() + reason.slice(1), remedy: 'Correct the YAML' });
    }
    return problems.length > 0 ? null : yamlToJson({ document, source, places, problems });
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    if (problems.length === 0) {
      problems.push({ offset: 0, reason: 'it is nested too deeply', remedy: 'Flatten it, or move parts into components' });
    }
    return null;
  }
}
