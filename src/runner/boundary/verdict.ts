/** What a service says to a probe: anything but a success and a declared refusal is unclear. */
export type Verdict = 'taken' | 'refused' | 'unclear';
