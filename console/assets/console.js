// What scripts add to pages that work without them: the search key, single keys on a review, copying.
const keysAreOn = () => localStorage.getItem('keys') !== 'off';

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]') !== null;

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !keysAreOn()) return;
  const found = event.key === '/' ? '[data-find]' : `[data-key="${CSS.escape(event.key)}"]`;
  const target = document.querySelector(found);
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.select?.();
});

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // Some browsers keep the clipboard from us: then the text is at least chosen.
    getSelection().selectAllChildren(source);
    button.textContent = 'Press Ctrl+C';
  }
});

document.addEventListener('change', ({ target }) => {
  const name = target.dataset.setting;
  if (name) localStorage.setItem(name, target.checked ? 'on' : 'off');
});

for (const box of document.querySelectorAll('[data-setting]')) {
  box.checked = localStorage.getItem(box.dataset.setting) !== 'off';
}
document.documentElement.classList.add('scripts');
