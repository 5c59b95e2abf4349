/** The first moment that a text of RFC 3339 §5.6 can name, in milliseconds since 1970: a year has four digits there. */
export const earliestTime: number = Date.parse('0000-01-01T00:00:00.000Z');

/** The last one. */
export const latestTime: number = Date.parse('9999-12-31T23:59:59.999Z');
