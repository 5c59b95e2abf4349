import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Finds the policy file that lies beside a document: `orders.policy.yaml` (or .yml, .json) for `orders.yaml`.
 *
 * @param source - the path or URL of the document; what is on the network has nothing beside it
 * @returns its path, or undefined where there is none
 */
export async function findPolicyBeside(source: string): Promise<string | undefined> {
  if (/^https?:/iu.test(source)) {
    return undefined;
  }
  const path = /^file:/iu.test(source) ? fileURLToPath(source) : source;
  const stem = path.replace(/\.(?:ya?ml|json)$/u, '');
  for (const ending of ['yaml', 'yml', 'json']) {
    const beside = `${stem}.policy.${ending}`;
    const isThere = await access(beside).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return beside;
    }
  }
  return undefined;
}
