import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TlsFiles } from '../mock.ts';

const dayMs = 86_400_000;
/** The time that a certificate is valid, in days: browsers reject more than 398. */
const validDays = 397;
/** A certificate that expires earlier is replaced. */
const leastDays = 7;

/** A certificate for this machine, and the file that clients can trust; undefined if no file could be written. */
export interface LocalCertificate extends TlsFiles {
  readonly file: string | undefined;
}

/** Returns the folder for the certificate (XDG Base Directory Specification). */
function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(base, 'cloche');
}

/** Returns the certificate that an earlier mock made, if it is valid for some more days. */
async function readKept(certFile: string, keyFile: string): Promise<TlsFiles | undefined> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    const leftMs = Date.parse(new X509Certificate(cert).validTo) - Date.now();
    return leftMs > leastDays * dayMs ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

async function createCertificate(): Promise<TlsFiles> {
  // Loaded at the first use: most mocks need no certificate.
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + validDays * dayMs),
    extensions: [
      // A client can trust the certificate itself, which signs no other one.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}

/**
 * Returns a certificate for localhost, 127.0.0.1 and ::1. It is made at the first use, and kept for the next mocks in the
 * cache folder of the user, so that a client can trust it once. The key is readable for the user only.
 */
export async function openLocalCertificate(): Promise<LocalCertificate> {
  const folder = cacheFolder();
  const file = join(folder, 'localhost.pem');
  const keyFile = join(folder, 'localhost-key.pem');
  const kept = await readKept(file, keyFile);
  if (kept !== undefined) return { ...kept, file };
  const made = await createCertificate();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(keyFile, made.key, { mode: 0o600 });
    await writeFile(file, made.cert);
    return { ...made, file };
  } catch {
    // A folder that cannot be written costs only a new certificate for each mock.
    return { ...made, file: undefined };
  }
}
