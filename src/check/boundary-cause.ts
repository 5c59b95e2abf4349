import type { Boundary } from './boundary.ts';

/** Names a boundary for the cause of a finding: the same limit has the same name, whatever values showed it. */
export function boundaryCause(boundary: Boundary): string {
  const { what, place } = boundary;
  switch (boundary.what) {
    case 'length':
    case 'value':
    case 'items':
    case 'body-size': {
      const unit = boundary.what === 'length' ? ` ${boundary.unit}` : '';
      return `${what}${unit} at ${place}: ${boundary.accepted} taken, ${boundary.refused} refused`;
    }
    case 'blank':
    case 'repeated':
      return `${what} at ${place}`;
    case 'white-space':
      return `${what} at ${place}: ${boundary.at}`;
    case 'characters':
      return `${what} at ${place}: ${JSON.stringify(boundary.refused)}`;
  }
}
