/** `cloche config`: prints the options that each command takes from the configuration and the environment. */
export const configCommand = {
  usage: 'config',
  describe: 'Print the configuration that the commands use',
  about: [
    'Prints the options of each command that the configuration or the environment',
    'sets, with their places. Masks secrets. All other options have their defaults.',
  ],
  options: { Options: ['config', 'service', 'json'] },
  own: { json: { describe: 'Print JSON' } },
  examples: [
    ['config', 'of the cloche.yaml here or above'],
    ['config --service orders', 'of one service of the configuration'],
  ],
} as const;
