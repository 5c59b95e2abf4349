import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} WildService
 * @property {string} name
 * @property {string} title
 * @property {boolean} [ownDocument] - Whether it is held to the document that it serves itself, at /openapi.json.
 * @property {() => string | undefined} whyLeftOut - What is missing to start it, and how to get it.
 * @property {(port: number) => readonly [command: string, ...args: string[]]} command
 */

const require = createRequire(import.meta.url);
const contract = fileURLToPath(new URL('../spec/plant-store.yaml', import.meta.url));
/** The versions in Debian 12, which is what is written down was found with. */
const pythonVersions = '0.92.0 1.10.4';

/** @param {string} file */
function inServices(file) {
  return fileURLToPath(new URL(`services/${file}`, import.meta.url));
}

/** @param {string} name */
function isInstalled(name) {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} python */
function readPythonVersions(python) {
  const script = 'import fastapi, pydantic, uvicorn; print(fastapi.__version__, pydantic.VERSION)';
  try {
    return execFileSync(python, ['-c', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** The first Python that has FastAPI: one from a version manager may hide the system's. */
const pythons = ['python3', '/usr/bin/python3'];

/**
 * @param {string} name
 * @param {string} file
 * @param {string} title
 * @returns {WildService}
 */
function onNode(name, file, title) {
  return {
    name,
    title,
    whyLeftOut: () =>
      isInstalled('fastify') ? undefined : 'its packages are not installed: npm ci in wild/',
    command: () => [process.execPath, inServices(file)],
  };
}

/**
 * @param {string} name
 * @param {string} file
 * @param {string} title
 * @returns {WildService}
 */
function onPython(name, file, title) {
  return {
    name,
    title,
    whyLeftOut() {
      const found = pythons.map(readPythonVersions).filter((versions) => versions !== undefined);
      if (found.length === 0) {
        return 'there is no FastAPI: apt-get install python3-fastapi python3-uvicorn';
      }
      return found.includes(pythonVersions)
        ? undefined
        : `what is expected holds for FastAPI and Pydantic ${pythonVersions}, and here is ${found[0]}`;
    },
    command() {
      const python = pythons.find((one) => readPythonVersions(one) === pythonVersions) ?? 'python3';
      return [python, inServices(file)];
    },
  };
}

/**
 * Services made with the frameworks of others, as their documentation shows it; a mended one is the same after
 * what `cloche test` found.
 * @type {readonly WildService[]}
 */
export const wildServices = [
  {
    name: 'prism',
    title: "Prism's CLI 5.12.0, mocking",
    whyLeftOut: () =>
      isInstalled('@stoplight/prism-cli') ? undefined : 'its packages are not installed: npm ci in wild/',
    command(port) {
      const cli = join(dirname(require.resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');
      return [process.execPath, cli, 'mock', contract, '--port', String(port), '--verboseLevel', 'silent'];
    },
  },
  onNode('express', 'express.js', 'Express 5 with express-openapi-validator'),
  onNode('express-mended', 'express-mended.js', '… mended'),
  onNode('fastify', 'fastify.js', 'Fastify 5 with @fastify/swagger and @fastify/bearer-auth'),
  {
    ...onNode('fastify-own-document', 'fastify.js', '… held to the document that it generates'),
    ownDocument: true,
  },
  onNode('fastify-mended', 'fastify-mended.js', '… mended'),
  onPython('fastapi', 'fastapi_app.py', 'FastAPI'),
  {
    ...onPython('fastapi-own-document', 'fastapi_app.py', '… held to the document that it generates'),
    ownDocument: true,
  },
  onPython('fastapi-mended', 'fastapi_mended.py', '… mended'),
];
