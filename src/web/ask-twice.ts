import { announce } from "./announce.ts";

const SURE_MS = 4000;

/**
 * What cannot be undone takes two presses: the first asks, in the button's own place, and the second does it. After a few
 * seconds, or when the focus goes elsewhere, the question is taken back.
 *
 * @param show draws the button, as it is or as it asks
 * @param question what a listener hears
 */
export function askTwice(
  button: HTMLButtonElement,
  question: string,
  show: (isAsking: boolean) => void,
  act: () => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (isAsking: boolean) => {
    clearTimeout(timer);
    timer = isAsking ? setTimeout(() => ask(false), SURE_MS) : undefined;
    button.classList.toggle("danger", isAsking);
    show(isAsking);
  };
  button.addEventListener("blur", () => ask(false));
  button.addEventListener("click", () => {
    const isSure = timer !== undefined;
    ask(!isSure);
    if (isSure) act();
    else announce(question);
  });
  ask(false);
}
