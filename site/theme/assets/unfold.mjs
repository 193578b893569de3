// Opens what is folded around the place that an address names, and goes there.

function unfoldAddressedPart() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let folded = target?.closest("details:not([open])");
  if (!folded) return;
  for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", unfoldAddressedPart);
// The theme tells of every page that it puts in the place of another; without that there is just this one.
if (globalThis.document$) globalThis.document$.subscribe(unfoldAddressedPart);
else unfoldAddressedPart();
