import type { ListeningPlace } from '../http/accept-connections.ts';
import type { ControlOptions } from '../mock/control/control-options.ts';

/** A sentence on who may use the control interface, where that is not simply this machine. */
export function describeControl(
  { isOpenToOthers }: ListeningPlace,
  control: ControlOptions | false,
): readonly string[] {
  if (!isOpenToOthers || control === false) {
    return [];
  }
  return [
    control.token === undefined
      ? '/__cloche/ answers nobody here: where other machines reach it, it takes a --control-token.'
      : '/__cloche/ answers whoever sends the control token.',
  ];
}
