import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { readLocatedFile } from '../../document/read-located-file.ts';
import { renderYaml } from '../../document/render-yaml.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { indentJson } from '../../json/indent-json.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { mergePolicyFiles } from '../../learn/merge-policy-files.ts';
import { parsePolicy } from '../../policy/parse-policy.ts';
import type { PolicyFile } from '../../policy/policy-file.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import { createFileSink } from '../reports/create-file-sink.ts';

const endings = /\.(?:json|ya?ml)$/iu;

/** The file that a learnt policy goes to. */
export interface PolicyOutput {
  /** Whether there was a policy in it before. */
  readonly isThere: boolean;
  /**
   * Writes a policy whole or not at all, as JSON or as YAML by the ending of its name.
   *
   * @throws ClocheError REPORT_UNWRITABLE where it cannot be written after all
   */
  readonly write: (policy: JsonObject) => void;
}

interface WantedOutput {
  readonly output: string;
  /** The document, as the policy is going to name it. */
  readonly contract: string | undefined;
  /** What is asked, where that is not everything: the other answers of the file stay. */
  readonly only: readonly QuestionId[] | undefined;
}

function normalize(contract: string | undefined): string | undefined {
  return contract === undefined || /^https?:/iu.test(contract) ? contract : posix.normalize(contract);
}

/** What the file holds; undefined where there is none. */
async function readHeld(file: string): Promise<PolicyFile | undefined> {
  const read = await readLocatedFile({
    file,
    what: 'the policy',
    code: 'POLICY_INVALID',
    remedyOfNone: '',
    mayBeMissing: true,
  });
  if (read === undefined) {
    return undefined;
  }
  const { file: held, problems } = parsePolicy(read.root);
  if (problems.length > 0) {
    throw read.toError('POLICY_INVALID', problems);
  }
  return held;
}

/**
 * Opens the file that a learnt policy goes to, before anything is sent, so that nothing is learnt in vain.
 *
 * @throws ClocheError OPTION_INVALID where its name does not say how it is to be written, or where the answers would be
 * added to those of another document
 * @throws ClocheError REPORT_UNWRITABLE where it can be told already that it cannot be written
 * @throws ClocheError POLICY_INVALID and DocumentError, as readPolicyFile does, where some of its answers are to stay
 */
export async function openPolicyOutput({ output, contract, only }: WantedOutput): Promise<PolicyOutput> {
  if (!endings.test(output)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'write the policy',
      subject: output,
      reason: 'its ending does not say whether it is JSON or YAML',
      remedy: 'End it with .json or .yaml',
    });
  }
  const sink = createFileSink(output, 'the policy');
  const isJson = /\.json$/iu.test(output);
  const held = only === undefined ? undefined : await readHeld(output);
  if (held !== undefined && normalize(held.contract) !== normalize(contract)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'add to the policy',
      subject: output,
      reason: `it is that of ${held.contract ?? 'the document that ships with Cloche'}`,
      remedy: 'Name that document with --document, or another file with --output',
    });
  }
  return {
    isThere: existsSync(output),
    write(policy) {
      // `as`: a policy file is JSON.
      const before = held as unknown as JsonObject | undefined;
      const whole: JsonValue =
        before === undefined || only === undefined
          ? policy
          : mergePolicyFiles({ before, after: policy, asked: only });
      sink.write(isJson ? `${indentJson(whole)}\n` : renderYaml(whole));
      const failure = sink.close();
      if (failure !== undefined) {
        throw failure;
      }
    },
  };
}
