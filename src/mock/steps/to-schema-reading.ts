import type { Policy } from '../../policy/policy.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';

/** How schemas are read under a policy. */
export function toSchemaReading(policy: Policy): SchemaReading {
  return {
    formats: policy['int64-range'] === 'refuse' ? 'assert' : 'strings',
    integers: policy['integer-notation'] === 'yes' ? 'by-value' : 'digits',
  };
}
