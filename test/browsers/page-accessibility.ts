// Run in the page, so each stands alone and imports nothing.

/** Visible controls without a name that a screen reader could say. */
export function nameless(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    "button, input, textarea, select, a[href], progress, [role=img], summary",
  );
  const isSeen = (element: HTMLElement) => element.checkVisibility();
  const name = (element: HTMLElement): string => {
    const labelled = element.getAttribute("aria-labelledby");
    const labels = "labels" in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    return [
      element.getAttribute("aria-label"),
      labelled === null ? null : document.getElementById(labelled)?.textContent,
      ...labels.map((label) => label.textContent),
      element.matches("input, textarea, select, progress") ? null : element.textContent,
    ]
      .filter((text) => text !== null && text !== undefined)
      .join(" ")
      .trim();
  };
  return [...controls]
    .filter((each) => isSeen(each) && name(each) === "")
    .map((each) => each.outerHTML.slice(0, 120));
}

/** Visible texts whose contrast with their ground is under 4.5 : 1, or 3 : 1 where they are large. WCAG 2.2, 1.4.3 */
export function contrastFaults(): string[] {
  type Colour = [number, number, number, number];
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  const known = new Map<string, Colour>();
  const parse = (css: string): Colour => {
    let colour = known.get(css);
    if (colour === undefined) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colour = [r!, g!, b!, a! / 255];
      known.set(css, colour);
    }
    return colour;
  };
  const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
    r * a + R * (1 - a),
    g * a + G * (1 - a),
    b * a + B * (1 - a),
    1,
  ];
  const ground = (element: Element | null): Colour => {
    if (element === null) return [255, 255, 255, 1];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(element.parentElement));
  };
  const luminance = (colour: Colour): number => {
    const [r, g, b] = colour
      .slice(0, 3)
      .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const faults: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement!;
    if (node.textContent!.trim() === "" || !element.checkVisibility({ visibilityProperty: true })) continue;
    // What is disabled is exempt, and what only a listener gets is not seen.
    if (element.closest(":disabled, .unseen, .skip, noscript, script") !== null) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const [light, dark] = [luminance(over(parse(style.color), below)), luminance(below)].sort(
      (a, b) => b - a,
    );
    const ratio = (light! + 0.05) / (dark! + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5))
      faults.push(`${ratio.toFixed(2)} ${node.textContent!.trim().slice(0, 40)} (${element.className})`);
  }
  return faults;
}
