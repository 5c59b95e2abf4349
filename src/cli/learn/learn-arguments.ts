/** What `cloche learn` takes. */
export interface LearnArguments {
  readonly 'base-url': string;
  readonly output: string | undefined;
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  readonly token: string | undefined;
  readonly header: readonly string[];
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly timeout: number;
  readonly 'response-limit': number;
  readonly ids: string | undefined;
  readonly question: readonly string[];
  readonly trials: number;
  readonly 'max-requests': number;
  readonly rate: number | undefined;
  readonly 'rate-wait': number;
  readonly 'dry-run': boolean;
}
