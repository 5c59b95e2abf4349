import type { SchemaReading } from './schema-reading.ts';

/**
 * Makes what a reading of a schema leads to once for each reading. It is asked several times for each exchange, so
 * no text is put together to find it.
 *
 * @param make - called with the first of equal readings; what it throws is thrown each time
 */
export function rememberByReading<Made extends object>(
  make: (reading: SchemaReading) => Made,
): (reading: SchemaReading) => Made {
  const byValue = new Map<SchemaReading['formats'], Made>();
  const byDigits = new Map<SchemaReading['formats'], Made>();
  return (reading) => {
    const known = reading.integers === 'by-value' ? byValue : byDigits;
    const made = known.get(reading.formats);
    if (made !== undefined) {
      return made;
    }
    const fresh = make(reading);
    known.set(reading.formats, fresh);
    return fresh;
  };
}
