// Copy buttons, the language of the samples on every page, and the place in the contents. The pages read without it.
if (navigator.clipboard) {
  for (const sample of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(sample.textContent);
      button.textContent = 'Copied';
    });
    sample.after(button);
  }
}

const languages = document.querySelectorAll('input[name="language"]');
for (const language of languages) {
  if (language.value === localStorage.getItem('language')) language.checked = true;
  language.addEventListener('change', () => localStorage.setItem('language', language.value));
}

const contents = document.querySelector('#contents');
const current = contents.querySelector('[aria-current]');
if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
