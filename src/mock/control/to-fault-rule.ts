import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { FaultRule } from '../faults/fault-rule.ts';
import { toPlainNumbers } from './to-plain-numbers.ts';

/**
 * The rule that the body of a request holds. Its settings are plain numbers; the content that it forces keeps its
 * digits.
 *
 * @param body - as the document of the control interface lets it pass
 */
export function toFaultRule(body: JsonValue | undefined): FaultRule {
  const sent = isJsonObject(body) ? body : {};
  const members = Object.entries(sent).map(([name, member]): [string, JsonValue] => {
    const plain = toPlainNumbers(member);
    if (name === 'answer' && isJsonObject(member) && isJsonObject(plain) && member['body'] !== undefined) {
      return [name, { ...plain, body: member['body'] }];
    }
    return [name, plain];
  });
  // `as`: the document says of a rule what its type does.
  return Object.fromEntries(members) as FaultRule;
}
