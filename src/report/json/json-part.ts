/** A part of the JSON report; `schema/report.schema.json` says what may be in it. */
export type JsonPart = Readonly<Record<string, unknown>>;
