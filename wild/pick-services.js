/**
 * The services that a command line names; all, where it names none. Ends the process with 2 for a name that is none.
 * @param {readonly import('./services.js').WildService[]} services
 * @param {readonly string[]} names
 * @returns {readonly import('./services.js').WildService[]}
 */
export function pickServices(services, names) {
  const unknown = names.filter((name) => !services.some((service) => service.name === name));
  if (unknown.length > 0) {
    const known = services.map(({ name }) => name).join(', ');
    process.stderr.write(
      `Failed to find "${unknown.join(' ')}": there is no such service. Name one of: ${known}.\n`,
    );
    process.exit(2);
  }
  return services.filter(({ name }) => names.length === 0 || names.includes(name));
}
