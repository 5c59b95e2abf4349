import type { Mock } from '../mock.ts';
import type { MockState } from '../state/mock-state.ts';

/** What of a mock the control interface shows and changes. */
export type ControlledMock = Pick<
  Mock,
  'contract' | 'policy' | 'notices' | 'clock' | 'requests' | 'faults' | 'change' | 'reset'
> & { readonly state: MockState };
