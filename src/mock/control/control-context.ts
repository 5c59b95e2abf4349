import type { JsonObject } from '../../json/json-value.ts';
import type { ControlFacts } from './control-facts.ts';
import type { ControlSubject } from './control-subject.ts';
import type { ControlledMock } from './controlled-mock.ts';

/** What the operations of the control interface act on. */
export interface ControlContext {
  readonly mock: ControlledMock;
  readonly facts: ControlFacts;
  /** Makes the document of the control interface, which is made of the operations. */
  readonly describe: (subject: ControlSubject) => JsonObject;
}
