import type { Locator, Page } from 'playwright-core';
import type { Desk } from '../support/desk.ts';

/** What a person does in a part of a page. */
export interface Steps {
  /** A button by its whole text. */
  press(name: string | RegExp): Promise<void>;
  /** A link by its whole text. */
  follow(name: string | RegExp): Promise<void>;
  /** A menu of rare actions, or a part that is folded. */
  unfold(name: string | RegExp): Promise<void>;
  /** A checkbox. */
  tick(name: string | RegExp): Promise<void>;
  choose(label: string | RegExp, value: string): Promise<void>;
  /** A file, by the label of its field. */
  pick(label: string | RegExp, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
  write(label: string | RegExp, text: string): Promise<void>;
}

/** A person at the console, who begins at the overview. */
export interface Hands extends Steps {
  page: Page;
  /**
   * What the hand has done since the journey began: a button, a link (in an email too), a part unfolded, a box ticked, a
   * choice, a file picked, the browser's way back, a search sent by Enter. Writing and reading are no clicks.
   */
  clicks(): number;
  begin(): Promise<void>;
  /** An entry of the navigation. */
  go(section: string): Promise<void>;
  /** The browser's button. */
  back(): Promise<void>;
  /** A link in an email, by its path. */
  open(path: string): Promise<void>;
  /** Searches for a text from where one is. */
  find(text: string): Promise<void>;
  /** A row of a table, or another part of the page. */
  row(text: string | RegExp): Steps & { text(): Promise<string> };
  part(name: string): Steps & { text(): Promise<string> };
  /** Waits until the page says this. */
  sees(text: string | RegExp): Promise<void>;
  /** The page's own text. */
  text(): Promise<string>;
  /** Goes to a page of this title. */
  isAt(title: string | RegExp): Promise<void>;
}

export function handsOf(page: Page, { base }: Pick<Desk, 'base'>): Hands {
  let clicks = 0;
  page.setDefaultTimeout(10_000);
  const click = (target: Locator): Promise<void> => {
    clicks += 1;
    return target.first().click();
  };
  const named = (name: string | RegExp) => ({ name, exact: typeof name === 'string' });
  const stepsIn = (part: Locator): Steps => ({
    press: (name) => click(part.getByRole('button', named(name))),
    follow: (name) => click(part.getByRole('link', named(name))),
    unfold: (name) => click(part.locator('summary').filter({ hasText: name })),
    tick: async (name) => {
      clicks += 1;
      await part
        .getByLabel(name, { exact: typeof name === 'string' })
        .first()
        .check();
    },
    choose: async (label, value) => {
      clicks += 1;
      await part
        .getByLabel(label, { exact: typeof label === 'string' })
        .first()
        .selectOption(value);
    },
    pick: async (label, file) => {
      clicks += 1;
      await part
        .getByLabel(label, { exact: typeof label === 'string' })
        .first()
        .setInputFiles(file);
    },
    write: (label, text) =>
      part
        .getByLabel(label, { exact: typeof label === 'string' })
        .first()
        .fill(text),
  });
  const partOf = (part: Locator) => ({ ...stepsIn(part), text: () => part.innerText() });
  // An open dialog has the person's hands.
  const here = page.locator('dialog[open], body:not(:has(dialog[open])) main');
  const main = page.getByRole('main');
  return {
    page,
    ...stepsIn(here),
    clicks: () => clicks,
    async begin() {
      await page.goto(base);
      clicks = 0;
    },
    go: (section) =>
      click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${section}`) })),
    async back() {
      clicks += 1;
      await page.goBack();
    },
    async open(path) {
      clicks += 1;
      await page.goto(base + path);
    },
    async find(text) {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      clicks += 1;
      await page.keyboard.press('Enter');
    },
    row: (text) => partOf(main.getByRole('row').filter({ hasText: text }).first()),
    part: (name) => partOf(main.getByRole('region', { name, exact: true })),
    sees: (text) => main.getByText(text).first().waitFor(),
    text: () => main.innerText(),
    isAt: (name) => main.getByRole('heading', { level: 1, name }).waitFor(),
  };
}
