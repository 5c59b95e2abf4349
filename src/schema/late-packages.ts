import { _, Ajv2020, Name } from 'ajv/dist/2020.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { RE2JS } from 're2js';

// These packages take a tenth of the start of a mock, which needs neither before its first response unless its document has
// patterns. So in the build for Node, these functions load them on the first call (scripts/build/late-packages.js).

/** The parts of ajv that compile schemas. */
export interface Ajv {
  readonly Ajv2020: typeof Ajv2020;
  readonly Name: typeof Name;
  readonly _: typeof _;
  readonly callRef: typeof callRef;
}

const ajv: Ajv = { Ajv2020, Name, _, callRef };

/** Returns ajv. */
export const loadAjv = (): Ajv => ajv;

/** Returns re2js, a linear engine of regular expressions. */
export const loadRe2 = (): typeof RE2JS => RE2JS;
