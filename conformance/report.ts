import { type CheckResult, ONLY_FULL, type Report } from './run.ts';

const MARKS = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Of each check: a header that is missing everywhere would fill the screen. */
const SHOWN_PROBLEMS = 3;

/** The report as text: a line for each check, then each failure with its request and answer. */
export function reportText({ checks, passed, failed, skipped, calls, base_url }: Report): string {
  const listed = checks.filter(({ why }) => why !== ONLY_FULL);
  const width = Math.max(...listed.map(({ section }) => section.length));
  const lines = listed.map(
    ({ section, title, result, why }) =>
      `${MARKS[result].padEnd(8)}${section.padEnd(width + 2)}${title}${why === undefined ? '' : ` (${why})`}`,
  );
  const more = checks.length - listed.length;
  if (more > 0) lines.push('', `${more} more checks run with --full.`);
  const failures = checks.filter(({ result }) => result === 'failed').flatMap(failureText);
  const summary = `${base_url}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${calls} calls.`;
  return [...lines, '', ...failures, summary].join('\n');
}

function failureText({ section, title, problems }: CheckResult): string[] {
  const shown = problems
    .slice(0, SHOWN_PROBLEMS)
    .flatMap(({ message, request, answer }) => [
      `  * ${message}`,
      ...(request === undefined ? [] : ['', indented(request, '> '), '', indented(answer as string, '< '), '']),
    ]);
  const more = problems.length - SHOWN_PROBLEMS;
  return [`FAILED: ${section}: ${title}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : []), ''];
}

const indented = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => `    ${mark}${line}`.trimEnd())
    .join('\n');

/** The report as JUnit XML. */
export function reportJunit({ checks, failed, skipped, base_url }: Report): string {
  const sections = [...new Set(checks.map(({ section }) => section))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(base_url)}" tests="${checks.length}" failures="${failed}" skipped="${skipped}">`,
    ...sections.flatMap((section) => {
      const own = checks.filter((check) => check.section === section);
      const count = (wanted: string) => own.filter(({ result }) => result === wanted).length;
      return [
        `  <testsuite name="${xml(section)}" tests="${own.length}" failures="${count('failed')}" skipped="${count('skipped')}">`,
        ...own.map(caseXml),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function caseXml({ section, title, duration_ms, result, why = '', problems }: CheckResult): string {
  const open = `    <testcase classname="${xml(section)}" name="${xml(title)}" time="${(duration_ms / 1000).toFixed(3)}"`;
  if (result === 'passed') return `${open}/>`;
  if (result === 'skipped') return `${open}><skipped message="${xml(why)}"/></testcase>`;
  const texts = problems.map(({ message, request, answer }) => [message, request, answer].filter(Boolean).join('\n\n'));
  return `${open}><failure message="${xml(problems.map(({ message }) => message).join('; '))}">${xml(texts.join('\n\n'))}</failure></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML 1.0, which has no control characters but line breaks and tabs, and no lone surrogates. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
