import type { Parameter } from '../contract/parameter.ts';

/** What is sent for each parameter, in its style; undefined for one that is left out. */
export type ParameterTexts = ReadonlyMap<Parameter, string | undefined>;
