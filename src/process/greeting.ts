/** Where everything is that a server has to show; addresses without a slash at the end. */
export interface Greeting {
  /** The base address of the API. */
  api: string;
  console: string | undefined;
  /** The live demo key, where it is active. */
  demoKey: string | undefined;
  /** A link that opens the console, signed in. */
  link: string | undefined;
}

/** What a start says to a person at a terminal; each address on a line of its own, so that it can be clicked or copied. */
export function greetingOf({ api, console, demoKey, link }: Greeting): string {
  const lines = [
    ['API', api],
    ['Documentation', `${api}/docs`],
    ['Console', console],
    ['Demo key', demoKey],
  ].flatMap(([name = '', value]) => (value === undefined ? [] : [`  ${name.padEnd(15)}${value}`]));
  if (link !== undefined)
    lines.push('', '  Sign in to the console with this link (once, within 15 minutes):', '', link);
  return `\n${lines.join('\n')}\n\n`;
}
