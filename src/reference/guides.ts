/** A guide as it is written for people: Markdown with one heading of the first level and a section for each subject. */
export interface Guide {
  /** What stands before the first section, without the heading. */
  introduction: string;
  sections: Array<{ title: string; text: string }>;
}

/** Takes a guide apart at its headings of the second level; what looks like one inside of a code block is none. */
export function guideOf(markdown: string): Guide {
  const parts = [''];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    if (!inCode && line.startsWith('## ')) parts.push(line.slice(3));
    else if (inCode || !line.startsWith('# ')) parts[parts.length - 1] += `\n${line}`;
  }
  const [introduction = '', ...sections] = parts.map((part) => part.trim());
  return {
    introduction,
    sections: sections.map((section) => {
      const end = section.indexOf('\n');
      return { title: section.slice(0, end), text: section.slice(end).trim() };
    }),
  };
}

/** The part of a link that names a heading, as GitHub and the reference page's renderer make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
