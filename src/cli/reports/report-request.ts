/** The reports that `--report` makes. */
export const reportKinds = ['junit', 'json', 'html', 'github', 'har'] as const;

/** What `--report` asks for. */
export interface ReportRequest {
  readonly kind: (typeof reportKinds)[number];
  /** Undefined is standard output. */
  readonly file: string | undefined;
}
