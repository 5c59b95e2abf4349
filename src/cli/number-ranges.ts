interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly whole: boolean;
}

/** The numbers that each option of `cloche test` takes, ends included. */
export const numberRanges: Readonly<
  Record<
    | 'runs'
    | 'connections'
    | 'timeout'
    | 'rate-wait'
    | 'rate'
    | 'max-time'
    | 'seed'
    | 'trials'
    | 'max-requests'
    | 'port'
    | 'judge-limit'
    | 'response-limit',
    NumberRange
  >
> = {
  runs: { from: 1, to: 1_000_000, whole: true },
  connections: { from: 1, to: 1_000, whole: true },
  timeout: { from: 1, to: 3_600_000, whole: true },
  'rate-wait': { from: 0, to: 86_400, whole: false },
  rate: { from: 0.01, to: 1_000_000, whole: false },
  'max-time': { from: 0.001, to: 31_536_000, whole: false },
  trials: { from: 1, to: 100, whole: true },
  'max-requests': { from: 1, to: 1_000_000, whole: true },
  port: { from: 0, to: 65_535, whole: true },
  'response-limit': { from: 1_024, to: 268_435_456, whole: true },
  'judge-limit': { from: 0, to: 1_073_741_824, whole: true },
  // What fast-check takes as it is.
  seed: { from: -(2 ** 31 - 1), to: 2 ** 31 - 1, whole: true },
};
