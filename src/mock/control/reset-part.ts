/** A part of a mock that can be brought back to how it was at the start. */
export type ResetPart = 'state' | 'faults' | 'requests' | 'clock' | 'policy';

/** All parts. */
export const resetParts: readonly ResetPart[] = ['state', 'faults', 'requests', 'clock', 'policy'];
