/** The statuses by which a body is refused that breaks its schema (RFC 9110 §15.5.1, §15.5.21). */
export const bodyRefusals: ReadonlySet<number> = new Set([400, 422]);
