#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The members of `node:module` that Node 20 lacks. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Keeps compiled code in a folder of this user (XDG Base Directory Specification), so that the next start compiles less.
 * Node's own default is a folder that all users share. Does nothing before Node 22.1, and nothing if the folder cannot be
 * written.
 */
function keepCompiledCode(): void {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  // `as`: the types are those of Node 20.
  (module as CompileCache).enableCompileCache?.(join(base, 'cloche', 'code'));
}

// A folder that the user chose is in use from the start.
if (process.env['NODE_COMPILE_CACHE'] === undefined) keepCompiledCode();
// Loaded afterwards: code that is loaded before is not kept.
await import('./command-line.ts');
