// What scripts add to pages that work without them: the search key, single keys on a review, copying, plots, ages that
// move on, and figures that follow.

// The answer to a form stands where no page can be opened: Back and Reload lead to the page of the form.
const { shownAt } = document.documentElement.dataset;
if (shownAt) history.replaceState(null, '', shownAt);

const keysAreOn = () => localStorage.getItem('keys') !== 'off';

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]') !== null;

const openSearch = () => {
  const box = document.querySelector('[data-find]');
  box?.focus();
  box?.select();
};
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openSearch();
  }
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !keysAreOn()) return;
  const found = event.key === '/' ? '[data-find]' : `[data-key="${CSS.escape(event.key)}"]`;
  const target = document.querySelector(found);
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.select?.();
});

// With scripts dialogs are modal. Without a field the focus is on the dialog itself: Enter does nothing then.
const showModal = (dialog) => {
  dialog.showModal();
  (dialog.autofocus ? dialog : dialog.querySelector('[autofocus]'))?.focus();
};
const openModal = (dialog) => {
  if (!dialog || dialog.matches(':popover-open, [open]')) return;
  // A closed menu shows nothing of what is in it.
  dialog.closest('details')?.setAttribute('open', '');
  showModal(dialog);
};
document.addEventListener('click', (event) => {
  const dialog = event.target.closest('[popovertarget]')?.popoverTargetElement;
  if (!dialog?.showModal || dialog.matches(':popover-open')) return;
  event.preventDefault();
  if (dialog.open) dialog.close();
  else showModal(dialog);
});

// What was typed into a dialog goes with it, and so does its name in the address.
document.addEventListener(
  'close',
  ({ target }) => {
    target.querySelector('form')?.reset();
    if (location.hash === `#${target.id}`) history.replaceState(null, '', location.pathname + location.search);
  },
  true,
);

// The second click of a double click sends nothing: its answer would be shown in place of the first one's.
const SAME_CLICK_MS = 5_000;
document.addEventListener('submit', (event) => {
  const { target: form, timeStamp } = event;
  if (form.method !== 'post' || event.defaultPrevented) return;
  if (timeStamp - form.dataset.sentAt < SAME_CLICK_MS) event.preventDefault();
  else form.dataset.sentAt = timeStamp;
});

// A menu closes with Escape, and when something else is pressed; not while one of its dialogs is open.
const closeMenu = (menu) =>
  menu && !menu.querySelector('dialog:is([open], :popover-open)') && menu.removeAttribute('open');
document.addEventListener('keydown', ({ key, target }) => {
  const menu = key === 'Escape' && target.closest('.menu[open]');
  if (!menu) return;
  closeMenu(menu);
  if (!menu.open) menu.querySelector('summary').focus();
});
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(target)) closeMenu(menu);
});

// A link may name a dialog of its page.
const openNamed = () => {
  if (location.hash.startsWith('#o-')) openModal(document.getElementById(location.hash.slice(1)));
};
addEventListener('hashchange', openNamed);
// Until then the browser goes to what the address names, and takes the focus there.
addEventListener('load', openNamed);

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (!button) return;
  const source = button.parentElement.firstElementChild;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // Some browsers keep the clipboard from us: then the text is at least chosen.
    getSelection().selectAllChildren(source);
    button.textContent = 'Press Ctrl+C';
  }
});

// The search box: htmx puts the matches into the list, keys choose one of them. The focus stays in the box.
const findBox = document.querySelector('[data-find]');
const matches = document.getElementById('options');
const options = () => [...matches.children];
const showMatches = (isOpen) => {
  matches.hidden = !isOpen;
  findBox.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) choose(-1);
};
const choose = (index) => {
  for (const [at, option] of options().entries()) option.setAttribute('aria-selected', String(at === index));
  const chosen = options()[index];
  if (chosen) findBox.setAttribute('aria-activedescendant', chosen.id);
  else findBox.removeAttribute('aria-activedescendant');
  chosen?.scrollIntoView({ block: 'nearest' });
};
// What this person looked at last, in this browser alone, until the sign-out: the records' pages by their titles.
const SEEN = 'seen';
const MAX_SEEN = 8;
const RECORD = /^\/(brokers|plans|services|requests|calls|emails)\/[^/]+(\/keys\/[^/]+)?$/;
function seenBy(who) {
  const seen = JSON.parse(localStorage.getItem(SEEN) ?? 'null');
  return seen?.who === who ? seen.pages : [];
}
function noteSeen(who) {
  const [, kind] = RECORD.exec(location.pathname) ?? [];
  const title = document.querySelector('main h1')?.textContent;
  if (!kind || !title || document.querySelector('main [role="alert"]')) return;
  const page = { to: location.pathname, kind: kind.slice(0, -1), title };
  const pages = [page, ...seenBy(who).filter(({ to }) => to !== page.to)].slice(0, MAX_SEEN);
  localStorage.setItem(SEEN, JSON.stringify({ who, pages }));
}
function optionOf({ to, kind, title }, index) {
  const option = Object.assign(document.createElement('a'), { href: to, id: `option-${index}`, tabIndex: -1 });
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const [word, name] = [document.createElement('span'), document.createElement('bdi')];
  Object.assign(word, { className: 'quiet', textContent: `seen ${kind}` });
  name.textContent = title;
  option.append(word, ' ', name);
  return option;
}
document.addEventListener('submit', ({ target }) => {
  if (target.getAttribute('action') === '/sign-out') localStorage.removeItem(SEEN);
});
if (findBox) {
  noteSeen(findBox.dataset.find);
  const showSeen = () => {
    if (findBox.value !== '') return;
    matches.replaceChildren(
      ...seenBy(findBox.dataset.find)
        .filter(({ to }) => to !== location.pathname)
        .map(optionOf),
    );
    showMatches(matches.children.length > 0);
  };
  findBox.addEventListener('focus', showSeen);
  matches.addEventListener('htmx:afterSettle', () =>
    showMatches(matches.children.length > 0 && document.activeElement === findBox),
  );
  findBox.addEventListener('keydown', (event) => {
    const all = options();
    const chosen = all.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (event.key === 'Escape' && !matches.hidden) showMatches(false);
    else if (event.key === 'Enter' && !matches.hidden && chosen >= 0) all[chosen].click();
    else if (event.key === 'ArrowDown' && all.length > 0) {
      showMatches(true);
      choose((chosen + 1) % all.length);
    } else if (event.key === 'ArrowUp' && !matches.hidden) choose((chosen <= 0 ? all.length : chosen) - 1);
    else return;
    event.preventDefault();
  });
  findBox.addEventListener('input', () => choose(-1));
  // A click on a match moves the focus before it follows the link.
  findBox.parentElement.parentElement.addEventListener('focusout', ({ relatedTarget }) => {
    if (!matches.contains(relatedTarget)) showMatches(false);
  });
}

// A list has followed what was typed: leaving the field must not load it again, and drop what was chosen in it.
document.addEventListener(
  'change',
  (event) => event.target.matches('.filters input:not([type="checkbox"])') && event.stopPropagation(),
  true,
);
function countChosen(all) {
  const rows = [...all.form.elements].filter((box) => box.type === 'checkbox' && box !== all);
  const count = rows.filter(({ checked }) => checked).length;
  all.checked = count > 0 && count === rows.length;
  all.indeterminate = count > 0 && count < rows.length;
  all.form.querySelector('output').textContent = count > 0 ? `${count} chosen` : '';
}
document.addEventListener('change', ({ target }) => {
  for (const box of 'chooseAll' in target.dataset ? target.form.elements : []) {
    if (box.type === 'checkbox') box.checked = target.checked;
  }
  const all = target.form?.querySelector('[data-choose-all]');
  if (all) countChosen(all);
  const name = target.dataset.setting;
  if (name) localStorage.setItem(name, target.checked ? 'on' : 'off');
});
// Back keeps what was checked.
addEventListener('pageshow', () => document.querySelectorAll('[data-choose-all]').forEach(countChosen));

for (const box of document.querySelectorAll('[data-setting]')) {
  box.checked = localStorage.getItem(box.dataset.setting) !== 'off';
}
document.documentElement.classList.add('scripts');

// Ages move on, in the words of components/timestamp.tsx.
const AGES_EVERY_MS = 10_000;
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const [MONTH, YEAR] = [30.44 * DAY, 365.25 * DAY];
const counted = (seconds, unit, name) => {
  const count = Math.floor(seconds / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};
function spanOf(seconds) {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  if (seconds < 2 * MONTH) return counted(seconds, DAY, 'day');
  if (seconds < 2 * YEAR) return counted(seconds, MONTH, 'month');
  return counted(seconds, YEAR, 'year');
}
const openedAt = performance.now();
setInterval(() => {
  // By the server's clock: pages say when they were made.
  const madeAt = Number(document.documentElement.dataset.now);
  const now = madeAt + performance.now() - openedAt;
  for (const time of document.querySelectorAll('time[data-age]')) {
    const seconds = (now - Date.parse(time.dateTime)) / 1000;
    if (Math.abs(seconds) >= 1) time.textContent = seconds < 0 ? `in ${spanOf(-seconds)}` : `${spanOf(seconds)} ago`;
  }
}, AGES_EVERY_MS);

// Figures are refreshed while they are looked at: not in a page that is hidden or was not touched for an hour (its session
// is to end), nor while a table or plot is being read or a link has the focus.
const FOLLOW_MS = 15_000;
const UNTOUCHED_MS = 3_600_000;
let touchedAt = Date.now();
for (const name of ['keydown', 'pointermove', 'scroll']) {
  addEventListener(
    name,
    () => {
      touchedAt = Date.now();
    },
    { passive: true },
  );
}
// What a refresh replaces: the live part, and what stands beside it.
const partsOf = (live) => [live, ...document.querySelectorAll(live.getAttribute('hx-select-oob'))];
const follows = (live) =>
  !document.hidden &&
  localStorage.getItem('live') !== 'off' &&
  Date.now() - touchedAt < UNTOUCHED_MS &&
  !partsOf(live).some((part) => part.contains(document.activeElement)) &&
  !document.querySelector('dialog[open], :popover-open') &&
  getSelection().isCollapsed &&
  !live.querySelector('details[open], [data-plot]:hover');
const follow = () => {
  const live = document.querySelector('[data-live]');
  if (live && follows(live)) live.dispatchEvent(new Event('refresh'));
};
setInterval(follow, FOLLOW_MS);
// What was submitted just now is mostly done within seconds.
const SOON_MS = 2_000;
setInterval(() => document.querySelector('[data-live="soon"]') && follow(), SOON_MS);
document.addEventListener('visibilitychange', follow);

// An address names what was chosen.
document.addEventListener('htmx:configRequest', ({ detail }) => {
  for (const [name, value] of Object.entries(detail.parameters)) {
    if (detail.verb === 'get' && value === '') delete detail.parameters[name];
  }
});

// A session that has ended is no figure: then the sign-in page is shown as a page.
const isForm = ({ target, xhr }) => target.id === 'imports' && xhr.response.includes('id="imports"');
const isList = ({ target, xhr }) => target.id === 'list' && xhr.response.includes('id="list"');
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.xhr.responseURL.includes('/sign-in')) {
    detail.shouldSwap = false;
    location.assign('/sign-in');
    return;
  }
  // Something may have been opened or focused while the answer was on its way.
  const isRefresh = detail.requestConfig.triggeringEvent?.type === 'refresh';
  if (isRefresh && !follows(detail.target)) detail.shouldSwap = false;
  // A refused form, and a list with a refused filter, come back with their reason.
  else if (isForm(detail) || isList(detail)) detail.shouldSwap = true;
  // A page of something else, such as a proxy's own sign-in, is no answer to a form.
  else if (detail.target.id === 'imports') Object.assign(detail, { shouldSwap: false, isError: true });
});

// What was typed stays as it is while the words below it come with the list: it is wrong where there are any.
document.addEventListener('htmx:oobAfterSwap', ({ target }) => {
  const field = document.querySelector(`[aria-describedby="${target.id}"]`);
  if (field && target.textContent === '') field.removeAttribute('aria-invalid');
  else field?.setAttribute('aria-invalid', 'true');
});

// A file that got no usable answer: the page says so until another one is chosen or sent.
let isFileSent = false;
document.addEventListener('htmx:beforeSend', ({ detail: { target, xhr } }) => {
  if (target.id !== 'imports') return;
  for (const stale of target.querySelectorAll('[data-unanswered]')) stale.remove();
  isFileSent = false;
  xhr.upload.addEventListener('load', () => {
    isFileSent = true;
  });
});
const dropPreview = () => {
  for (const stale of document.querySelectorAll('#imports [data-of-choice]')) stale.remove();
};
function sayUnanswered(text) {
  const note = Object.assign(document.createElement('p'), { className: 'notice bad', textContent: text });
  note.setAttribute('role', 'alert');
  note.dataset.ofChoice = '';
  note.dataset.unanswered = '';
  document.getElementById('imports').prepend(note);
  note.scrollIntoView({ block: 'nearest' });
}
document.addEventListener('htmx:sendError', async ({ detail: { target } }) => {
  if (target.id !== 'imports') return;
  const field = target.querySelector('[type="file"]');
  const [file] = field.files;
  const isReadable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  if (isReadable || isFileSent) {
    sayUnanswered('No answer came: the connection was lost. Reload the page to see what was done.');
    return;
  }
  dropPreview();
  // Chosen again, the same file would be no change of the field.
  field.value = '';
  field.focus();
  sayUnanswered(
    `${file.name} was changed, moved or deleted after it was chosen: the browser does not send it then. Nothing was imported. Choose it again.`,
  );
});
document.addEventListener('htmx:responseError', ({ detail }) => {
  if (detail.target.id !== 'imports' || isForm(detail)) return;
  const { status } = detail.xhr;
  sayUnanswered(
    status === 413
      ? 'The file is larger than what the proxy in front of the console takes (413). Nothing was imported. Raise its limit (client_max_body_size of nginx), split the file, or use the command: broker services import FILE --broker SLUG'
      : `There was no usable answer (${status}). Reload the page to see what was done.`,
  );
});

// What a preview said is so of the file, the broker and the kind that were chosen then.
document.addEventListener('change', ({ target }) => {
  if (target.closest('#imports form')) dropPreview();
});

// A template being written is left after a question.
const template = document.getElementById('template');
let isUnsaved = template?.dataset.unsaved !== undefined;
for (const name of ['input', 'submit']) {
  template?.addEventListener(name, () => {
    isUnsaved = name === 'input';
  });
}
addEventListener('beforeunload', (event) => {
  if (!isUnsaved) return;
  event.preventDefault();
  // Who stays has sent nothing.
  setTimeout(() => {
    for (const form of document.forms) delete form.dataset.sentAt;
  });
});

// What was typed into a form outlives the session: it stays in this tab, and stands in the form again after the next
// sign-in. Nothing is saved without another press.
const TYPED = 'typed';
const NOT_TYPED = ['form_token', 'form_name'];
document.addEventListener('submit', ({ target: form, submitter }) => {
  const action = form.getAttribute('action');
  if (form.method !== 'post' || action === '/sign-out') return;
  const fields = [...new FormData(form, submitter)].filter(
    ([name, value]) => typeof value === 'string' && !NOT_TYPED.includes(name),
  );
  sessionStorage.setItem(TYPED, JSON.stringify({ page: location.pathname + location.search, action, fields }));
});
function noticeOf(text) {
  return Object.assign(document.createElement('p'), { className: 'notice', role: 'status', textContent: text });
}
function showTyped() {
  const typed = JSON.parse(sessionStorage.getItem(TYPED) ?? 'null');
  const ended = document.querySelector('[data-session-ended]');
  if (typed && ended) {
    sessionStorage.setItem(TYPED, JSON.stringify({ ...typed, isUnsaved: true }));
    ended.hidden = false;
    ended.querySelector('a').href = typed.page;
  }
  if (!typed || ended) return;
  if (typed.isUnsaved && typed.page !== location.pathname + location.search) {
    // Where a sign-in leads to.
    if (location.pathname !== '/') return;
    const note = noticeOf('What you typed before the session ended is kept in this tab: ');
    const link = Object.assign(document.createElement('a'), { href: typed.page, textContent: 'open the form again' });
    note.append(link);
    document.querySelector('.top')?.after(note);
    return;
  }
  sessionStorage.removeItem(TYPED);
  const form = [...document.forms].find((each) => each.getAttribute('action') === typed.action);
  // Of what is decided together, the rest stays as it was typed while one is decided by itself.
  const isRest = !typed.isUnsaved && form?.dataset.rest !== undefined;
  if (!form || !(typed.isUnsaved || isRest)) return;
  for (const control of form.elements) {
    if (!control.name || control.type === 'submit' || NOT_TYPED.includes(control.name)) continue;
    if (isRest && control.type === 'hidden') continue;
    const values = typed.fields.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.type === 'checkbox') control.checked = values.includes(control.value);
    // Several of one name are records, which the page names itself.
    else if (values.length === 1) control.value = values[0];
  }
  if (isRest) return;
  form.prepend(noticeOf('This is what you typed before the session ended. It is not saved yet.'));
  isUnsaved = form === template;
  openModal(form.closest('dialog'));
}
showTyped();
