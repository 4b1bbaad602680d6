// Before anything is drawn: a person's own choice of light or dark, so that the page does not flash in the other one.
try {
  const chosen = localStorage.getItem("selfsame-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is closed to the page: the system's choice holds.
}
