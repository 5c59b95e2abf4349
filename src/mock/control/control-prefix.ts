/** What every path of the control interface begins with. */
export const controlPrefix = '/__cloche';
