const format = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** The time of day where the page is looked at. */
export function renderTime(milliseconds: number): string {
  return format.format(milliseconds);
}
