import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { renderYaml } from '../../document/render-yaml.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { describeReadFailure } from '../../errors/describe-read-failure.ts';
import { indentJson } from '../../json/indent-json.ts';
import type { JsonObject } from '../../json/json-value.ts';

const endings = /\.(?:json|ya?ml)$/iu;

/**
 * Refuses a name that does not say how the file is to be written; asked before anything is sent.
 *
 * @throws ClocheError OPTION_INVALID
 */
export function checkPolicyName(file: string): void {
  if (!endings.test(file)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'write the policy',
      subject: file,
      reason: 'its ending does not say whether it is JSON or YAML',
      remedy: 'End it with .json or .yaml',
    });
  }
}

/**
 * Writes a policy whole or not at all, as JSON or as YAML by the ending of its name.
 *
 * @throws ClocheError REPORT_UNWRITABLE where it cannot be written
 */
export async function writePolicy(file: string, policy: JsonObject): Promise<void> {
  const text = /\.json$/iu.test(file) ? `${indentJson(policy)}\n` : renderYaml(policy);
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new ClocheError('REPORT_UNWRITABLE', {
      attempt: 'write the policy',
      subject: file,
      reason: describeReadFailure(cause),
      remedy: 'Name a file in a folder that there is and that may be written to',
      cause,
    });
  }
}
