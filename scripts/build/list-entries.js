/**
 * Lists the modules that package.json's `bin` and `exports` lead to, by their path without extension:
 * `dist/src/index.js` and `dist/src/index.d.ts` are both made from `src/index`.
 *
 * @param {object} manifest - package.json
 * @param {'.js' | '.d.ts'} extension - of what is to be made of them
 * @returns {string[]}
 */
export function listEntries(manifest, extension) {
  const paths = [...listStrings(manifest.bin), ...listStrings(manifest.exports)];
  const made = paths.filter((path) => /^(\.\/)?dist\//u.test(path) && path.endsWith(extension));
  return made.map((path) => path.replace(/^(\.\/)?dist\//u, '').slice(0, -extension.length));
}

function listStrings(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(listStrings);
}
