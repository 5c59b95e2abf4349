import type { Judged } from '../../check/judged.ts';
import { readCreated } from '../../check/read-created.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';

/** The members of an answer to a create that the document does not declare for it. */
export interface AnswerMembers {
  /** Those that the request named though its schema does not declare them either. */
  readonly kept: readonly string[];
  /** Those that the schema of the request declares, and those that the service adds. */
  readonly own: readonly string[];
  /** In words, free of generated names: the names of what was sent undeclared are generated. */
  readonly words: string;
}

/**
 * Reads which members an accepted create was answered with besides the declared ones.
 *
 * @returns undefined where it is no JSON object, or the document declares no property of it
 */
export function readAnswerMembers(judged: Judged): AnswerMembers | undefined {
  const created = readCreated(judged);
  if (created?.isDeclared !== true) {
    return undefined;
  }
  const { body } = judged.request;
  const asked = schemaProperties(judged.operation?.requestBody?.media[0]?.schema?.schema);
  const sent = body.kind === 'valid' && isJsonObject(body.value) ? body.value : {};
  const kept = created.undeclared.filter((name) => Object.hasOwn(sent, name) && !asked.has(name));
  const own = created.undeclared.filter((name) => !kept.includes(name)).toSorted();
  const parts = [
    ...(own.length === 0 ? [] : [`also ${own.join(', ')}`]),
    ...(kept.length === 0 ? [] : ['also what was sent undeclared']),
  ];
  return { kept, own, words: parts.length === 0 ? 'nothing undeclared' : parts.join(', ') };
}
