import { schemaProperties } from '../contract/schema-properties.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { Subject } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/** The members of what a create was answered with. */
export interface Created {
  /** Whether the document declares properties of it at all. */
  readonly isDeclared: boolean;
  /** Those that the document does not declare for it, in the order in which they came. */
  readonly undeclared: readonly string[];
}

/**
 * Reads the JSON object that an accepted create was answered with.
 *
 * @returns undefined where it is no create, was not accepted, or was answered with something else
 */
export function readCreated({
  answer,
  operation,
}: Pick<Subject, 'answer' | 'operation'>): Created | undefined {
  if (
    operation?.kind.kind !== 'create' ||
    classifyStatus(answer) !== 'accepted' ||
    answer.kind === 'none' ||
    answer.content.kind !== 'json' ||
    !isJsonObject(answer.content.json.value)
  ) {
    return undefined;
  }
  const declared = schemaProperties(answer.content.media?.schema?.schema);
  return {
    isDeclared: declared.size > 0,
    undeclared: Object.keys(answer.content.json.value).filter((name) => !declared.has(name)),
  };
}
