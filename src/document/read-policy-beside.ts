import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { ClocheError } from '../errors/cloche-error.ts';

/**
 * Reads the policy file that lies beside a document: `orders.policy.yaml` (or .yml, .json) for
 * `orders.yaml`.
 *
 * @param source - the path of the document; a URL has nothing beside it
 * @returns what the file holds, or undefined where there is none
 * @throws ClocheError POLICY_INVALID where the file is neither YAML nor JSON
 */
export async function readPolicyBeside(source: string): Promise<unknown> {
  if (/^https?:/u.test(source)) {
    return undefined;
  }
  const stem = source.replace(/^file:\/\//u, '').replace(/\.(?:ya?ml|json)$/u, '');
  for (const ending of ['yaml', 'yml', 'json']) {
    const path = `${stem}.policy.${ending}`;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) {
      continue;
    }
    try {
      return parse(text);
    } catch (cause) {
      const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0] ?? '';
      throw new ClocheError('POLICY_INVALID', {
        attempt: 'read the policy',
        subject: path,
        reason: reason.replace(/[.:]$/u, ''),
        remedy: 'Mend it, or take it away',
        cause,
      });
    }
  }
  return undefined;
}
