import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Makes a self-signed certificate (for this machine's address, and further names) and its key in a directory, and
 * returns their paths.
 */
export function makeCertificate(directory: string, ...further: string[]): { certFile: string; keyFile: string } {
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const hosts = ['localhost', ...further].map((name) => `DNS:${name}`);
  const names = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${hosts.join()},IP:127.0.0.1`];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...curve, '-nodes', '-days', '2', ...names, ...files], {
    stdio: 'ignore',
  });
  return { certFile, keyFile };
}
