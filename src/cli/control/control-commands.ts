import type { CommandModule } from 'yargs';
import { clockGroup } from './clock-group.ts';
import { type ControlGroup, controlGroup } from './control-group.ts';
import { faultsGroup } from './faults-group.ts';
import { policyGroup } from './policy-group.ts';
import { requestsGroup } from './requests-group.ts';
import { resetCommand } from './reset-command.ts';
import { snapshotGroup } from './snapshot-group.ts';
import { stateGroup } from './state-group.ts';

/** What drives a running mock by words behind a command. */
export const controlGroups: readonly ControlGroup[] = [
  stateGroup,
  snapshotGroup,
  requestsGroup,
  faultsGroup,
  policyGroup,
  clockGroup,
];

/** The commands that drive a running mock. */
export const controlCommands: readonly CommandModule[] = [resetCommand, ...controlGroups.map(controlGroup)];
