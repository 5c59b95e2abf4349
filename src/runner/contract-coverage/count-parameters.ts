import type { Operation } from '../../contract/operation.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { createPresenceTest } from './create-presence-test.ts';
import { createSchemaCount } from './create-schema-count.ts';
import type { PartCount } from './part-count.ts';
import { type KeywordTally, tallySchema } from './tally-schema.ts';

/** Starts counting what the parameters of an operation meet and break. */
export function countParameters({ parameters }: Pick<Operation, 'parameters'>): PartCount {
  const parts = parameters.map((parameter) => ({
    parameter,
    isPresent: createPresenceTest(parameter),
    count: createSchemaCount(parameter.schema ?? { schema: true }),
    present: 0,
    missing: 0,
  }));
  return {
    read({ exchange, request }) {
      const isFine = request.invalidParameters.length === 0;
      for (const part of parts) {
        const { parameter, count } = part;
        const invalid = isFine
          ? undefined
          : request.invalidParameters.find(
              ({ name, in: place }) => name === parameter.name && place === parameter.in,
            );
        if (invalid?.schemaPointer !== undefined) {
          part.present += 1;
          count.breakAt(invalid.schemaPointer);
        } else if (invalid !== undefined) {
          part.missing += 1;
        } else if (part.isPresent(exchange.request)) {
          part.present += 1;
          count.meetWhole();
        }
      }
    },
    keywords: () =>
      parts.flatMap(({ parameter, count, present, missing }): readonly KeywordTally[] => {
        const { schema, required, pointer, in: place } = parameter;
        const presence: KeywordTally = {
          pointer: appendPointer(pointer, 'required'),
          keyword: 'required',
          of: 'parameter',
          met: present,
          broken: missing,
        };
        return [
          // A path without its parameter is another path, so that there is nothing to break.
          ...(required && place !== 'path' ? [presence] : []),
          ...(schema === undefined ? [] : tallySchema(schema, count, 'parameter')),
        ];
      }),
  };
}
