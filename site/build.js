// Builds the site from docs/ into dist/. The options are those of `vitepress build`, such as --base /docs/.
import { cpSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeTexts } from './llms.js';

const here = fileURLToPath(new URL('./', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

rmSync(`${here}pages`, { recursive: true, force: true });
cpSync(`${here}../docs`, `${here}pages`, { recursive: true });
execFileSync(bin('typedoc'), ['--options', 'typedoc.config.js'], { cwd: here, stdio: 'inherit' });
execFileSync(bin('vitepress'), ['build', '.', ...process.argv.slice(2)], { cwd: here, stdio: 'inherit' });
writeTexts(`${here}pages`, `${here}dist`);
