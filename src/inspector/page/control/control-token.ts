const name = 'cloche-control-token';

/** The token that a mock wants which other machines reach; it is kept until the browser's tab is closed. */
export function controlToken(): string | undefined {
  return sessionStorage.getItem(name) ?? undefined;
}

/** Sends this token from now on. */
export function keepControlToken(token: string): void {
  sessionStorage.setItem(name, token);
}
