/** `cloche config`: prints the options that each command takes from the configuration and the environment. */
export const configCommand = {
  usage: 'config',
  describe: 'Print the configuration that the commands use',
  about: [
    'Prints each option that the configuration or the environment sets, with its place,',
    'by command. Secrets are masked. All other options have their defaults.',
  ],
  options: { Options: ['config', 'service', 'json'] },
  own: { json: { describe: 'Print JSON' } },
  examples: [
    ['config', 'of the cloche.yaml here or above'],
    ['config --service orders', 'of one service of the configuration'],
  ],
} as const;
