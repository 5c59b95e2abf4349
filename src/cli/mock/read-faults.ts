import type { Contract } from '../../contract/contract.ts';
import type { DocumentProblem } from '../../document/document-problem.ts';
import { readLocatedFile } from '../../document/read-located-file.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { FaultRule } from '../../mock/faults/fault-rule.ts';
import { parseFaultRule } from '../../mock/faults/parse-fault-rule.ts';

/** The list of rules that a file holds, alone or as the control interface lists them. */
function findList(
  root: JsonValue,
): { readonly pointer: string; readonly list: readonly JsonValue[] } | undefined {
  if (Array.isArray(root)) {
    return { pointer: '', list: root };
  }
  const { faults } = isJsonObject(root) ? root : {};
  return Array.isArray(faults) ? { pointer: '/faults', list: faults } : undefined;
}

/**
 * Reads a file of rules, a list of them, JSON by its name, else YAML or JSON.
 *
 * @throws ClocheError OPTION_INVALID where it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every rule that cannot be used at its line
 */
export async function readFaults(
  file: string,
  { operations }: Pick<Contract, 'operations'>,
): Promise<readonly FaultRule[]> {
  const read = await readLocatedFile({
    file,
    what: 'the fault rules',
    code: 'OPTION_INVALID',
    remedyOfNone: 'Name a file that there is',
    mayBeMissing: false,
  });
  const found = findList(read.root);
  if (found === undefined) {
    const remedy = 'Begin with - operation: …, or with [{"operation": "…"}]';
    throw read.toError('OPTION_INVALID', [{ pointer: '', reason: 'must be a list of rules', remedy }]);
  }
  const problems: DocumentProblem[] = [];
  const rules: FaultRule[] = [];
  for (const [index, value] of found.list.entries()) {
    const pointer = appendPointer(found.pointer, index);
    const reading = parseFaultRule(value, { operations, pointer });
    if (reading.kind === 'problems') {
      problems.push(...reading.problems);
    } else if (rules.some(({ id }) => id !== undefined && id === reading.rule.id)) {
      const reason = `"${reading.rule.id}" names a rule already`;
      problems.push({ pointer: appendPointer(pointer, 'id'), reason, remedy: 'Choose another id' });
    } else {
      rules.push(reading.rule);
    }
  }
  if (problems.length > 0) {
    throw read.toError('OPTION_INVALID', problems);
  }
  return rules;
}
