// Bars of calls: a drag over several narrows the page to their time; a click on one follows its link.
let dragged;
const barOf = ({ target }) => target.closest?.('[data-bars] a');
function chosenBars(to) {
  const bars = [...to.parentElement.children];
  const [first, last] = [bars.indexOf(dragged), bars.indexOf(to)].sort((one, other) => one - other);
  return { bars, chosen: bars.slice(first, last + 1) };
}
document.addEventListener('dragstart', (event) => barOf(event) && event.preventDefault());
document.addEventListener('pointerdown', (event) => {
  dragged = event.button === 0 ? barOf(event) : undefined;
});
document.addEventListener('pointermove', (event) => {
  const to = dragged?.isConnected && barOf(event);
  if (!to || to.parentElement !== dragged.parentElement) return;
  const { bars, chosen } = chosenBars(to);
  for (const bar of bars) bar.classList.toggle('chosen', chosen.length > 1 && chosen.includes(bar));
});
document.addEventListener('pointerup', (event) => {
  const to = dragged?.isConnected && barOf(event);
  if (to && to !== dragged && to.parentElement === dragged.parentElement) {
    const { chosen } = chosenBars(to);
    const address = new URL(chosen[0].href.baseVal, location.href);
    address.searchParams.set('until', chosen.at(-1).dataset.until);
    location.assign(address);
  }
  dragged = undefined;
});
