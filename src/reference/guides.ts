/** A guide in Markdown: one heading of the first level, and sections with headings of the second level. */
export interface Guide {
  /** The text before the first section, without the heading. */
  introduction: string;
  sections: Array<{ title: string; text: string }>;
}

/** Splits a guide at its headings of the second level; code blocks are not searched for headings. */
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

/** The anchor of a heading, by the rule of GitHub and of the reference page's renderer. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
