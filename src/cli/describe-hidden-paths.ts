import type { Contract } from '../contract/contract.ts';
import type { ControlOptions } from '../mock/control/control-options.ts';
import { controlPrefix } from '../mock/control/control-prefix.ts';

/** A sentence on the paths of a document that the control interface stands before. */
export function describeHiddenPaths(
  { operations }: Pick<Contract, 'operations'>,
  control: ControlOptions | false,
): readonly string[] {
  const templates = new Set(operations.map(({ path }) => path.template));
  const hidden = [...templates].filter(
    (template) => template === controlPrefix || template.startsWith(`${controlPrefix}/`),
  );
  return control === false || hidden.length === 0
    ? []
    : [
        `Requests to ${hidden.join(', ')} go to the control interface; --no-control leaves them to the document.`,
      ];
}
