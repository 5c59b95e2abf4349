import type { Contract, Operation } from '../contract/contract.ts';
import { createTextStyle } from '../errors/console-text.ts';
import { listMismatches } from '../mock/handlers/samples.ts';
import type { Policy } from '../policy/policy.ts';
import { explainContract } from '../report/explain.ts';
import { renderExplanation } from '../report/text/explain.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { fitLines } from './answer.ts';

/** The default number of cases of a property. */
const usualRuns = 100;
/** Maximum number of operations to generate samples for. */
const mostSamples = 50;
const width = 120;

/** Lists the properties of the body of a create; undefined for another operation. */
function describeBody({ kind, requestBody }: Operation): string | undefined {
  if (kind.kind !== 'create' || !kind.resource.isKept) return undefined;
  const [media] = requestBody?.media ?? [];
  const properties = [...schemaProperties(schemaAt(media?.schema?.schema, kind.request))];
  const names = properties.flatMap(([name, { readOnly, required }]) =>
    readOnly ? [] : [required ? `${name}*` : name],
  );
  return `  ${kind.collection}  ${names.join(', ')}`;
}

/** Explains a document as text, with the bodies that `seed_mock` accepts. Long texts are cut off. */
export async function explainForAgent(input: {
  readonly contract: Contract;
  readonly source: string;
  readonly given: Partial<Policy>;
}): Promise<string> {
  const { contract } = input;
  const misfits =
    contract.operations.length > mostSamples
      ? []
      : (await listMismatches(contract)).map(({ operation, status, message }) => ({
          operation: operation.id,
          status,
          message,
        }));
  const explanation = explainContract({ ...input, suites: allSuites, runs: usualRuns, misfits });
  const seeds = contract.operations.flatMap((operation) => describeBody(operation) ?? []);
  const lines = [
    ...(seeds.length === 0 ? [] : ['Properties for seed_mock (* is required)', '', ...seeds, '']),
    ...renderExplanation(explanation, { paint: createTextStyle(false), width }),
  ];
  const note = 'narrow it with operations, as in ["createOrder"] or ["GET /orders/*"]';
  return fitLines(lines, note).join('\n');
}
