/** Whether this program runs on a version of Node: the same as `engines` in package.json. */
export function supportsNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 14) || major === 24 || major >= 26;
}

/** Ends the process with one line on a Node where the packages would fail in obscure ways. Called before they load. */
export function requireSupportedNode(): void {
  if (supportsNode(process.versions.node)) return;
  process.stderr.write(
    `Node ${process.versions.node} is not supported: use 22.14 or later of 22, 24, or 26 or later\n`,
  );
  process.exit(1);
}
